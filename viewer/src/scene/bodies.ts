// All bodies with their shapes: one instanced mesh per unit geometry and one per mesh file.
import * as THREE from "three";
import type { Dataset } from "../data/dataset.ts";
import type { ShapeInfo } from "../data/header.ts";
import { bodyColor } from "../ui/palette.ts";
import { edgeMaterial, instancedEdges } from "./edges.ts";
import { PartSet, type Part } from "./parts.ts";
import type { Poses } from "./poses.ts";
import type { Sight } from "./sight.ts";
import { ThinBars } from "./thin.ts";
import { meshGeometry, shapePieces, unitGeometry, type Unit } from "./shapes.ts";

const MANY = 200; // bodies, above which round things get fewer faces and no edges
const PLATE = "#a9b4bf"; // of floors and walls that have no colour
const WHITE = new THREE.Color("#ffffff");
const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** How a ghost is drawn: what is behind it shows through, its own parts too. Where it coincides with
 * the other mechanism it is a little behind, so that it does not flicker there. */
export const TRANSLUCENT = { transparent: true, opacity: 0.36, depthWrite: false, polygonOffset: true, polygonOffsetFactor: 2, polygonOffsetUnits: 16 } as const;

// As written in the model: hexadecimal or a name of the web; anything else is as good as none.
function colorOf(text: string | null | undefined, body: number): THREE.Color {
    const word = (text ?? "").trim().toLowerCase();
    const known = HEX.test(word) || Object.hasOwn(THREE.Color.NAMES, word);
    return new THREE.Color(known ? word : bodyColor(body - 1));
}

function geometryOf(unit: Unit, many: boolean): THREE.BufferGeometry {
    if (typeof unit === "string") {
        return unitGeometry(unit, many);
    }
    return "make" in unit ? unit.make() : meshGeometry(unit);
}

/** How far the numbers of a shape reach. */
function reach({ position, size, radius = 0, length = 0, semi_axes, points = [] }: ShapeInfo): number {
    const own = Math.max(radius + length / 2, ...(size ?? [0]), ...(semi_axes ?? [0]), ...points.map(Math.abs));
    return Math.hypot(...(position ?? [0])) + own;
}

/** A ball around all that moves, over the whole run. */
function ballAround(data: Dataset): THREE.Sphere {
    const box = new THREE.Box3();
    const { positions, times } = data.motion;
    const step = Math.max(1, Math.floor(times.length / 60));
    const at = new THREE.Vector3();
    for (let row = 0; positions !== null && row < times.length; row += step) {
        for (let i = 0; i + 2 < positions.rowLength; i += 3) {
            at.set(positions.at(row, i), positions.at(row, i + 1), positions.at(row, i + 2));
            if (Number.isFinite(at.x + at.y + at.z)) {
                box.expandByPoint(at);
            }
        }
    }
    const shapes = (data.header.scene?.bodies ?? []).slice(1).flatMap((body) => body.shapes ?? []);
    const more = shapes.reduce((most, shape) => Math.max(most, reach(shape)), 0);
    const ball = box.isEmpty() ? new THREE.Sphere(new THREE.Vector3(), 1) : box.getBoundingSphere(new THREE.Sphere());
    ball.radius = ball.radius + more || 1;
    return ball;
}

export class Bodies {
    readonly group = new THREE.Group();
    /** Bounds of each body's shapes in its own frame; empty for bodies without any. */
    readonly bounds: THREE.Box3[];
    readonly sets: PartSet[] = [];
    private readonly thin: ThinBars[] = [];
    private readonly edges = edgeMaterial();
    private readonly material: THREE.MeshPhongMaterial;
    private picked = -1;

    /** With a colour: a ghost, translucent and all in that colour. */
    constructor(data: Dataset, ghost: string | null = null) {
        this.material = new THREE.MeshPhongMaterial({ shininess: 38, specular: "#2b2f33", ...(ghost === null ? {} : TRANSLUCENT) });
        const bodies = data.header.scene?.bodies ?? [];
        this.bounds = bodies.map(() => new THREE.Box3());
        const many = bodies.length > MANY;
        const parts = new Map<Unit, Part[]>();
        const around = ballAround(data);
        const surfaces = this.addSurfaces(data);
        bodies.forEach((body, b) => {
            const hidden = body.default === true && surfaces.has(b); // the part itself is drawn
            for (const shape of hidden ? [] : body.shapes ?? []) {
                const said = shape.color ?? (shape.kind === "half_space" ? PLATE : null);
                const color = ghost === null ? colorOf(said, Math.max(1, b)) : new THREE.Color(ghost);
                for (const piece of shapePieces(shape, data.meshes.get(shape), many, around)) {
                    const list = parts.get(piece.unit) ?? [];
                    list.push({ body: b, local: piece.local, color });
                    parts.set(piece.unit, list);
                }
            }
        });
        for (const [unit, list] of parts) {
            this.addSet(unit, list, many);
        }
    }

    update(poses: Poses, sight: Sight): void {
        for (const set of this.sets) {
            set.update(poses, sight);
        }
        for (const bars of this.thin) {
            bars.update(poses);
        }
    }

    /** Bars that are drawn as lines. */
    get lines(): number {
        return this.thin.reduce((n, bars) => n + bars.count, 0);
    }

    setTheme(isDark: boolean): void {
        this.edges.uniforms["color"].value.set(isDark ? "#05080c" : "#1c2630");
        this.edges.uniforms["opacity"].value = isDark ? 0.75 : 0.45;
        for (const bars of this.thin) {
            bars.ink.set(isDark ? "#ffffff" : "#0d1820");
        }
    }

    /** Whether there are so many that each is drawn as cheaply as possible. */
    get many(): boolean {
        return this.bounds.length > MANY;
    }

    /** Shows a body as picked: brighter than the others. */
    highlight(body: number): void {
        if (body === this.picked) {
            return;
        }
        this.picked = body;
        for (const set of this.sets) {
            set.paint((part) => this.shade(part));
        }
    }

    /** The body that a ray meets first and how far away; null when it meets none. */
    pick(ray: THREE.Raycaster): { body: number; distance: number } | null {
        let best: { body: number; distance: number } | null = null;
        for (const set of this.sets) {
            for (const hit of ray.intersectObject(set.mesh, false)) {
                const part = set.partOf(hit.instanceId ?? -1);
                if (part !== undefined && (best === null || hit.distance < best.distance)) {
                    best = { body: part.body, distance: hit.distance };
                }
            }
        }
        return best;
    }

    /** Surfaces of modal bodies count as shapes, where they are undeformed; numbers of their bodies. */
    private addSurfaces(data: Dataset): Set<number> {
        const found = new Set<number>();
        data.modal.forEach(({ info, vertices }, k) => {
            const box = this.bounds[info.body];
            if (data.motion.modal[k] === undefined || box === undefined) {
                return;
            }
            found.add(info.body);
            for (let i = 0; i < vertices.rows; ++i) {
                box.expandByPoint(new THREE.Vector3(vertices.at(i, 0), vertices.at(i, 1), vertices.at(i, 2)));
            }
        });
        return found;
    }

    private shade(part: Part): THREE.Color {
        return part.body === this.picked ? part.color.clone().lerp(WHITE, 0.2) : part.color;
    }

    private addSet(unit: Unit, parts: Part[], many: boolean): void {
        const geometry = geometryOf(unit, many);
        geometry.computeBoundingBox();
        for (const part of unit === "plate" ? [] : parts) { // planes have no end
            const box = (geometry.boundingBox as THREE.Box3).clone().applyMatrix4(part.local);
            this.bounds[part.body].union(box);
        }
        const set = new PartSet(geometry, this.material, parts);
        this.sets.push(set);
        this.group.add(set.mesh);
        set.onChange = () => set.paint((part) => this.shade(part));
        if (unit === "tube" || unit === "cylinder") {
            const bars = new ThinBars(set);
            this.thin.push(bars);
            this.group.add(bars.lines);
        }
        if (!many && unit !== "sphere" && unit !== "tube" && unit !== "plate") {
            const edges = new THREE.EdgesGeometry(geometry, 30);
            this.group.add(instancedEdges(edges, set, this.edges));
        }
    }
}
