// Modal bodies: surfaces of parts from finite elements, displaced by modes and coloured by von Mises
// stress. Corners and stresses are sums of modes times coordinates, made for each picture.
import * as THREE from "three";
import type { ModalMesh } from "../data/dataset.ts";
import { mixRow } from "../data/frames.ts";
import type { Block } from "../data/block.ts";
import { place } from "../data/lookup.ts";
import { TRANSLUCENT } from "./bodies.ts";
import { LEVELS, type Scale } from "./colormap.ts";
import { POSE, writePose } from "./poses.ts";

export const MISES = { name: "von_mises", unit: "Pa" };

const COMPONENTS = 6; // xx yy zz xy yz zx

/** out = sum over the modes of table (node, mode, component) times eta. */
export function addModes(table: Float32Array, width: number, eta: Float64Array, out: Float32Array): void {
    const m = eta.length;
    for (let n = 0, at = 0; at < out.length; ++n) {
        for (let c = 0; c < width; ++c, ++at) {
            let sum = 0;
            for (let j = 0, k = n * m * width + c; j < m; ++j, k += width) {
                sum += table[k] * eta[j];
            }
            out[at] = sum;
        }
    }
}

/** Von Mises stress of six components from place `i` on. */
export function vonMises(s: ArrayLike<number>, i: number): number {
    const a = s[i] - s[i + 1];
    const b = s[i + 1] - s[i + 2];
    const c = s[i + 2] - s[i];
    const shear = s[i + 3] * s[i + 3] + s[i + 4] * s[i + 4] + s[i + 5] * s[i + 5];
    return Math.sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

function flat(block: Block): Float32Array {
    const out = new Float32Array(block.rows * block.rowLength);
    for (let row = 0, at = 0; row < block.rows; ++row) {
        for (let i = 0; i < block.rowLength; ++i, ++at) {
            out[at] = block.at(row, i);
        }
    }
    return out;
}

/** Triangles, and lines: triangles whose last two corners are one node. */
export function pieces(corners: ArrayLike<number>): { triangles: number[]; segments: number[] } {
    const triangles: number[] = [];
    const segments: number[] = [];
    for (let k = 0; k < corners.length; k += 3) {
        if (corners[k + 1] === corners[k + 2]) {
            segments.push(corners[k], corners[k + 1]);
        } else {
            triangles.push(corners[k], corners[k + 1], corners[k + 2]);
        }
    }
    return { triangles, segments };
}

export class ModalBody {
    readonly mesh: THREE.Mesh;
    private readonly position: THREE.BufferAttribute;
    private readonly color: THREE.BufferAttribute;
    private readonly rest: Float32Array;
    private readonly shapes: Float32Array;
    private readonly stress: Float32Array | null;
    private readonly moved: Float32Array;
    private readonly tension: Float32Array;
    private readonly eta: Float64Array; // of the chosen modes
    private readonly row: Float64Array;
    private readonly spare: Float64Array;
    private readonly chosen: number[];
    private readonly pose = new Float64Array(POSE);

    constructor(
        readonly data: ModalMesh,
        private coordinates: Block,
        private readonly plain: THREE.Color,
        ghost: boolean,
    ) {
        const n = data.vertices.rows;
        this.rest = flat(data.vertices);
        this.shapes = flat(data.shapes);
        this.stress = data.stress === null ? null : flat(data.stress);
        this.moved = new Float32Array(3 * n);
        this.tension = new Float32Array(COMPONENTS * n);
        this.chosen = data.info.chosen ?? Array.from({ length: coordinates.rowLength }, (_, j) => j);
        this.eta = new Float64Array(this.chosen.length);
        this.row = new Float64Array(coordinates.rowLength);
        this.spare = new Float64Array(coordinates.rowLength);
        const geometry = new THREE.BufferGeometry();
        this.position = new THREE.BufferAttribute(new Float32Array(3 * n), 3);
        this.color = new THREE.BufferAttribute(new Float32Array(3 * n), 3);
        geometry.setAttribute("position", this.position);
        geometry.setAttribute("color", this.color);
        const { triangles, segments } = pieces(flat(data.triangles));
        geometry.setIndex(triangles);
        const material = new THREE.MeshLambertMaterial({
            vertexColors: true,
            side: THREE.DoubleSide,
            flatShading: true,
            ...(ghost ? TRANSLUCENT : {}),
        });
        this.mesh = new THREE.Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        if (segments.length > 0) {
            this.mesh.add(this.lines(segments));
        }
    }

    private lines(segments: number[]): THREE.LineSegments {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", this.position);
        geometry.setAttribute("color", this.color);
        geometry.setIndex(segments);
        const lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({ vertexColors: true }));
        lines.frustumCulled = false;
        return lines;
    }

    get hasStress(): boolean {
        return this.stress !== null;
    }

    setCoordinates(coordinates: Block): void {
        this.coordinates = coordinates;
    }

    /** Corners at t; `factor` times the displacement by modes. */
    moveTo(times: Float64Array, t: number, position: Float64Array, orientation: Float64Array, factor: number): void {
        mixRow(this.coordinates, place(times, t), this.row, this.spare);
        this.choose();
        addModes(this.shapes, 3, this.eta, this.moved);
        const b = this.data.info.body - 1; // the ground has no rows
        writePose(position, 3 * b, orientation, 4 * b, this.pose, 0);
        const m = this.pose;
        const out = this.position.array as Float32Array;
        for (let i = 0; i < out.length; i += 3) {
            const x = this.rest[i] + factor * this.moved[i];
            const y = this.rest[i + 1] + factor * this.moved[i + 1];
            const z = this.rest[i + 2] + factor * this.moved[i + 2];
            out[i] = m[0] * x + m[3] * y + m[6] * z + m[9];
            out[i + 1] = m[1] * x + m[4] * y + m[7] * z + m[10];
            out[i + 2] = m[2] * x + m[5] * y + m[8] * z + m[11];
        }
        this.position.needsUpdate = true;
        this.mesh.geometry.boundingSphere = null;
        this.mesh.geometry.boundingBox = null;
    }

    private choose(): void {
        this.chosen.forEach((mode, j) => {
            this.eta[j] = this.row[mode];
        });
    }

    /** The largest von Mises stress over the run, at some hundred rows. */
    range(): [number, number] | null {
        if (this.stress === null) {
            return null;
        }
        const step = Math.max(1, Math.floor(this.coordinates.rows / 100));
        let max = 0;
        for (let row = 0; row < this.coordinates.rows; row += step) {
            this.coordinates.row(row, this.row);
            this.choose();
            addModes(this.stress, COMPONENTS, this.eta, this.tension);
            for (let i = 0; i < this.tension.length; i += COMPONENTS) {
                const value = vonMises(this.tension, i);
                max = Number.isFinite(value) ? Math.max(max, value) : max;
            }
        }
        return [0, max];
    }

    /** Colours by the stress at the time of the last moveTo. */
    paint(scale: Scale, table: Float32Array): void {
        if (this.stress === null) {
            this.paintPlain();
            return;
        }
        addModes(this.stress, COMPONENTS, this.eta, this.tension);
        const factor = (LEVELS - 1) / (scale.max - scale.min);
        const out = this.color.array as Float32Array;
        for (let i = 0, at = 0; at < out.length; i += COMPONENTS, at += 3) {
            const value = (vonMises(this.tension, i) - scale.min) * factor;
            const level = Math.min(LEVELS - 1, Math.max(0, Math.round(value)));
            out[at] = table[3 * level];
            out[at + 1] = table[3 * level + 1];
            out[at + 2] = table[3 * level + 2];
        }
        this.color.needsUpdate = true;
    }

    paintPlain(): void {
        const out = this.color.array as Float32Array;
        for (let i = 0; i < out.length; i += 3) {
            this.plain.toArray(out, i);
        }
        this.color.needsUpdate = true;
    }
}
