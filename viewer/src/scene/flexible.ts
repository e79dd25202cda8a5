// Flexible bodies: surfaces that deform with the nodes and are coloured by a strain or a stress.
import * as THREE from "three";
import type { Block } from "../data/block.ts";
import type { Dataset, FlexibleMesh } from "../data/dataset.ts";
import { mixRow, type FlexibleMotion, type Motion } from "../data/frames.ts";
import { place } from "../data/lookup.ts";
import { bodyColor } from "../ui/palette.ts";
import { TRANSLUCENT } from "./bodies.ts";
import { colorTable, LEVELS, scaleFor, type Scale } from "./colormap.ts";
import { makeSurface, placeCorners, thicken, type Surface } from "./flex_surface.ts";
import { MISES, ModalBody } from "./modal.ts";
import { placeTube, SIDES, tubeIndex } from "./tube.ts";

/** Where the numbers of a column are: strains first, stresses after them. */
function columnBlock(
    motion: FlexibleMotion,
    strains: number,
    column: number,
): { block: Block; column: number; columns: number } | null {
    const block = column < strains ? motion.strain : motion.stress;
    const k = column < strains ? column : column - strains;
    const columns = block?.shape[3] ?? 0;
    return block !== null && k >= 0 && k < columns ? { block, column: k, columns } : null;
}

class FlexibleBody {
    readonly mesh: THREE.Mesh;
    readonly surface: Surface;
    private readonly corners: Float32Array;
    private readonly position: THREE.BufferAttribute;
    private readonly color: THREE.BufferAttribute;
    private readonly copies: number; // drawn corners of each corner of the surface
    private row: Float64Array;
    private spare: Float64Array;

    constructor(
        readonly data: FlexibleMesh,
        private motion: FlexibleMotion,
        private readonly radius: number, // of cables at least, so that they are seen
        private readonly plain: THREE.Color,
        ghost: boolean,
    ) {
        this.surface = makeSurface(data, motion.nodes);
        this.copies = this.surface.tube ? SIDES : 1;
        const n = this.surface.corners;
        this.corners = new Float32Array(3 * n);
        const geometry = new THREE.BufferGeometry();
        this.position = new THREE.BufferAttribute(new Float32Array(3 * n * this.copies), 3);
        this.color = new THREE.BufferAttribute(new Float32Array(3 * n * this.copies), 3);
        geometry.setAttribute("position", this.position);
        geometry.setAttribute("color", this.color);
        geometry.setIndex(this.surface.tube ? tubeIndex(n) : this.surface.index);
        const material = new THREE.MeshLambertMaterial({
            vertexColors: true,
            side: THREE.DoubleSide,
            flatShading: true,
            ...(ghost ? TRANSLUCENT : {}),
        });
        this.mesh = new THREE.Mesh(geometry, material);
        this.mesh.frustumCulled = false;
        this.row = new Float64Array(motion.nodes.rowLength);
        this.spare = new Float64Array(motion.nodes.rowLength);
    }

    get strains(): number {
        return this.data.info.strains ?? this.motion.strain?.shape[3] ?? 0;
    }

    has(column: number): boolean {
        return columnBlock(this.motion, this.strains, column) !== null;
    }

    setMotion(motion: FlexibleMotion): void {
        this.motion = motion;
    }

    moveTo(times: Float64Array, t: number): void {
        mixRow(this.motion.nodes, place(times, t), this.row, this.spare);
        const vectors = this.motion.nodes.shape[2] ?? 1;
        const out = this.position.array as Float32Array;
        if (this.surface.tube) {
            placeCorners(this.surface, this.data, vectors, this.row, this.corners);
            placeTube(this.corners, Math.max(this.radius, this.surface.half), out);
        } else {
            placeCorners(this.surface, this.data, vectors, this.row, out);
            thicken(this.surface, out);
        }
        this.position.needsUpdate = true;
        this.mesh.geometry.boundingSphere = null;
        this.mesh.geometry.boundingBox = null;
    }

    /** Smallest and largest value of a column over the run. */
    range(column: number): [number, number] | null {
        const found = columnBlock(this.motion, this.strains, column);
        if (found === null) {
            return null;
        }
        const { block, columns } = found;
        const rows = Math.max(1, Math.floor(block.rows / 300));
        let min = Infinity;
        let max = -Infinity;
        for (let row = 0; row < block.rows; row += rows) {
            for (let i = found.column; i < block.rowLength; i += columns) {
                const value = block.at(row, i);
                if (Number.isFinite(value)) {
                    min = Math.min(min, value);
                    max = Math.max(max, value);
                }
            }
        }
        return min <= max ? [min, max] : null;
    }

    paint(times: Float64Array, t: number, column: number, scale: Scale, table: Float32Array): void {
        const found = columnBlock(this.motion, this.strains, column);
        if (found === null) {
            this.paintPlain();
            return;
        }
        const { row, next, part } = place(times, t);
        const points = this.data.points.rows;
        const values = new Float64Array(this.data.elements.rows * points);
        for (let i = 0; i < values.length; ++i) {
            const at = i * found.columns + found.column;
            const a = found.block.at(row, at);
            values[i] = part === 0 ? a : a + part * (found.block.at(next, at) - a);
        }
        this.paintValues(values, points, scale, table);
    }

    paintPlain(): void {
        const out = this.color.array as Float32Array;
        for (let i = 0; i < out.length; i += 3) {
            this.plain.toArray(out, i);
        }
        this.color.needsUpdate = true;
    }

    private paintValues(
        values: Float64Array,
        points: number,
        scale: Scale,
        table: Float32Array,
    ): void {
        const { surface, copies } = this;
        const out = this.color.array as Float32Array;
        const factor = (LEVELS - 1) / (scale.max - scale.min);
        for (let c = 0; c < surface.corners; ++c) {
            let value = 0;
            const first = surface.element[c] * points;
            for (let s = 0; s < points; ++s) {
                value += surface.samples[c * points + s] * values[first + s];
            }
            const level = Math.min(LEVELS - 1, Math.max(0, Math.round((value - scale.min) * factor)));
            for (let k = 0; k < copies; ++k) {
                const at = 3 * (c * copies + k);
                out[at] = table[3 * level];
                out[at + 1] = table[3 * level + 1];
                out[at + 2] = table[3 * level + 2];
            }
        }
        this.color.needsUpdate = true;
    }
}

export interface Coloring {
    name: string;
    unit: string;
    scale: Scale;
}

/** All flexible and modal bodies, and the columns by which they can be coloured. */
export class FlexibleBodies {
    readonly group = new THREE.Group();
    readonly columns: { name: string; unit: string }[] = [];
    coloring: Coloring | null = null;
    private readonly bodies: FlexibleBody[];
    readonly modal: ModalBody[];
    factor = 1; // of displacements by modes
    private motion: Motion;
    private times: Float64Array;
    private table: Float32Array = new Float32Array(0);
    private column = -2;

    constructor(data: Dataset, size: number, ghost: string | null = null) {
        this.times = data.motion.times;
        this.motion = data.motion;
        this.modal = data.modal.flatMap((mesh, k) => {
            const coordinates = data.motion.modal[k];
            if (coordinates === undefined || coordinates.rows === 0) {
                return [];
            }
            const plain = new THREE.Color(ghost ?? bodyColor(mesh.info.body));
            return [new ModalBody(mesh, coordinates, plain, ghost !== null)];
        });
        this.bodies = data.flexible.flatMap((mesh, k) => {
            const motion = data.motion.flexible[k];
            if (motion === undefined || motion.nodes.rows === 0) {
                return [];
            }
            const plain = new THREE.Color(ghost ?? bodyColor(k));
            return [new FlexibleBody(mesh, motion, 0.0025 * size, plain, ghost !== null)];
        });
        for (const body of this.modal) {
            this.group.add(body.mesh);
            if (body.hasStress) {
                this.addColumn(MISES.name, MISES.unit);
            }
        }
        for (const body of this.bodies) {
            this.group.add(body.mesh);
            body.data.info.columns.forEach((name, i) => {
                if (body.has(i)) {
                    this.addColumn(name, body.data.info.units[i]);
                }
            });
        }
    }

    get meshes(): THREE.Mesh[] {
        return [...this.bodies, ...this.modal].map(({ mesh }) => mesh);
    }

    get count(): number {
        return this.bodies.length;
    }

    extend(data: Dataset): void {
        this.times = data.motion.times;
        this.motion = data.motion;
        this.bodies.forEach((body, k) => body.setMotion(data.motion.flexible[k]));
        this.modal.forEach((body, k) => body.setCoordinates(data.motion.modal[k]));
        this.column = -2; // ranges may have grown
    }

    setColumn(column: number): void {
        if (column === this.column) {
            return;
        }
        this.column = column;
        const chosen = this.columns[column];
        const ranges = chosen === undefined ? [] : this.bodies.flatMap((body) => {
            const range = body.range(body.data.info.columns.indexOf(chosen.name));
            return range === null ? [] : [range];
        });
        if (chosen?.name === MISES.name) {
            for (const body of this.modal) {
                const range = body.range();
                ranges.push(...(range === null ? [] : [range]));
            }
        }
        if (chosen === undefined || ranges.length === 0) {
            this.coloring = null;
            [...this.bodies, ...this.modal].forEach((body) => body.paintPlain());
            return;
        }
        const min = Math.min(...ranges.map((range) => range[0]));
        const max = Math.max(...ranges.map((range) => range[1]));
        const scale = scaleFor(min, max);
        this.coloring = { ...chosen, scale };
        this.table = colorTable(scale.stops);
    }

    /** After the motion has been moved to t. */
    moveTo(t: number): void {
        const { position, orientation } = this.motion;
        for (const body of this.modal) {
            body.moveTo(this.times, t, position, orientation, this.factor);
            if (this.coloring?.name === MISES.name) {
                body.paint(this.coloring.scale, this.table);
            } else if (this.coloring !== null) {
                body.paintPlain();
            }
        }
        for (const body of this.bodies) {
            body.moveTo(this.times, t);
            if (this.coloring !== null) {
                const column = body.data.info.columns.indexOf(this.coloring.name);
                body.paint(this.times, t, column, this.coloring.scale, this.table);
            }
        }
    }

    bounds(k: number): THREE.Box3 {
        const { geometry } = this.bodies[k].mesh;
        geometry.computeBoundingBox();
        return geometry.boundingBox as THREE.Box3;
    }

    pick(ray: THREE.Raycaster): { flexible: number; distance: number } | null {
        let best: { flexible: number; distance: number } | null = null;
        this.bodies.forEach((body, flexible) => {
            for (const { distance } of ray.intersectObject(body.mesh, false)) {
                if (best === null || distance < best.distance) {
                    best = { flexible, distance };
                }
            }
        });
        return best;
    }

    private addColumn(name: string, unit: string | undefined): void {
        if (!this.columns.some((column) => column.name === name)) {
            this.columns.push({ name, unit: unit ?? "" });
        }
    }
}
