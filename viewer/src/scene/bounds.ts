// How large the mechanism is and where it moves: for the camera, the grid and the symbols.
import * as THREE from "three";
import type { Dataset } from "../data/dataset.ts";

// Rows looked at, enough to know where things go: fewer when there are many things.
const ROWS = { least: 8, most: 120, things: 20000 };

// Spread evenly over all directions, on a spiral.
const DIRECTIONS = Array.from({ length: 72 }, (_, k) => {
    const z = 1 - (2 * k + 1) / 72;
    const angle = k * Math.PI * (3 - Math.sqrt(5));
    const r = Math.sqrt(1 - z * z);
    return new THREE.Vector3(r * Math.cos(angle), r * Math.sin(angle), z);
});

const frame = new THREE.Matrix4();
const turn = new THREE.Quaternion();
const point = new THREE.Vector3();
const one = new THREE.Vector3(1, 1, 1);

function corner(box: THREE.Box3, k: number, out: THREE.Vector3): THREE.Vector3 {
    const { min, max } = box;
    return out.set(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
}

function finite({ x, y, z }: THREE.Vector3): boolean {
    return Number.isFinite(x + y + z);
}

/** Points that the picture must hold: of all points the outermost in many directions. */
export class Cloud {
    private readonly outermost: (THREE.Vector3 | null)[] = DIRECTIONS.map(() => null);
    private readonly reach = new Float64Array(DIRECTIONS.length).fill(-Infinity);

    get points(): THREE.Vector3[] {
        return [...new Set(this.outermost.filter((point) => point !== null))];
    }

    add(point: THREE.Vector3): void {
        let own: THREE.Vector3 | null = null;
        for (let k = 0; k < DIRECTIONS.length; ++k) {
            const d = DIRECTIONS[k];
            const reach = d.x * point.x + d.y * point.y + d.z * point.z;
            if (reach > this.reach[k]) {
                this.reach[k] = reach;
                own ??= point.clone();
                this.outermost[k] = own;
            }
        }
    }
}

export interface Extent {
    box: THREE.Box3;
    cloud: Cloud;
}

/** Makes room for the bodies as they are in a row. */
export function addBodies(data: Dataset, row: number, local: THREE.Box3[], { box, cloud }: Extent): void {
    const { positions, orientations } = data.motion;
    if (positions === null) {
        return;
    }
    for (let b = 0; b < positions.rowLength / 3; ++b) {
        point.set(positions.at(row, 3 * b), positions.at(row, 3 * b + 1), positions.at(row, 3 * b + 2));
        if (!finite(point)) {
            continue; // a run that failed may end in numbers that are none
        }
        const own = local[b + 1];
        if (own === undefined || own.isEmpty() || orientations === null) {
            box.expandByPoint(point);
            cloud.add(point);
            continue;
        }
        const q = [0, 1, 2, 3].map((k) => orientations.at(row, 4 * b + k));
        turn.set(q[1], q[2], q[3], q[0]).normalize();
        frame.compose(point, turn, one);
        for (let k = 0; k < 8; ++k) {
            corner(own, k, point).applyMatrix4(frame);
            box.expandByPoint(point);
            cloud.add(point);
        }
    }
}

function addNodes(data: Dataset, row: number, { box, cloud }: Extent): void {
    for (const { nodes } of data.motion.flexible) {
        const stride = 3 * (nodes.shape[2] ?? 1);
        for (let i = 0; i < nodes.rowLength; i += stride) {
            point.set(nodes.at(row, i), nodes.at(row, i + 1), nodes.at(row, i + 2));
            if (finite(point)) {
                box.expandByPoint(point);
                cloud.add(point);
            }
        }
    }
}

/** Where joints and forces are tied to ground. */
function groundEnds(data: Dataset): THREE.Vector3[] {
    const { joints = [], forces = [] } = data.header.scene ?? {};
    return [...joints, ...forces].flatMap(({ bodies, frames }) => (bodies ?? []).flatMap((body, side) => {
        const at = frames?.[side];
        return body === 0 && at ? [new THREE.Vector3(at[0], at[1], at[2])] : [];
    })).filter(finite);
}

function addGround(data: Dataset, { box, cloud }: Extent): void {
    for (const at of groundEnds(data)) {
        box.expandByPoint(at);
        cloud.add(at);
    }
}

/** Makes room for the symbols at ground ends, whose size is known when that of all else is. */
export function addSymbols(data: Dataset, { box, cloud }: Extent, reach: number): void {
    for (const at of groundEnds(data)) {
        const around = new THREE.Box3().setFromCenterAndSize(at, new THREE.Vector3(2 * reach, 2 * reach, 2 * reach));
        box.union(around);
        for (let k = 0; k < 8; ++k) {
            cloud.add(corner(around, k, point));
        }
    }
}

/** Makes room for what another run reaches too. */
export function addExtent({ box, cloud }: Extent, other: Extent): void {
    box.union(other.box);
    other.cloud.points.forEach((at) => cloud.add(at));
}

/** Box around everything over the whole run, and points in it. */
export function motionBounds(data: Dataset, local: THREE.Box3[]): Extent {
    const box = new THREE.Box3();
    const cloud = new Cloud();
    const extent = { box, cloud };
    const rows = data.motion.times.length;
    const things = data.motion.bodies + data.motion.flexible.reduce((n, { nodes }) => n + nodes.shape[1], 0);
    const wanted = Math.min(ROWS.most, Math.max(ROWS.least, ROWS.things / Math.max(1, things)));
    const step = Math.max(1, Math.floor(rows / wanted));
    for (let row = 0; row < rows; row += step) {
        addBodies(data, row, local, extent);
        addNodes(data, row, extent);
    }
    addGround(data, extent);
    if (local[0] !== undefined && !local[0].isEmpty()) {
        box.union(local[0]);
    }
    if (box.isEmpty()) {
        box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    }
    if (cloud.points.length === 0 || local[0]?.isEmpty() === false) {
        for (let k = 0; k < 8; ++k) {
            cloud.add(corner(box, k, point));
        }
    }
    return extent;
}

function median(values: number[]): number | undefined {
    return values.sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** Size 1 of symbols in metres: small against the whole and against a typical body; a ring around
 * a bar is a little wider than the bar, but thin wires have symbols that can still be seen. */
export function symbolSize(whole: number, local: THREE.Box3[]): number {
    const sizes = local.slice(1).filter((box) => !box.isEmpty()).map((box) => box.getSize(new THREE.Vector3()));
    const typical = median(sizes.map((size) => size.length())) ?? whole;
    const thickness = median(sizes.map(({ x, y, z }) => Math.min(x, y, z))) ?? whole;
    return Math.min(0.022 * whole, 0.09 * typical, Math.max(0.75 * thickness, 0.007 * whole)) || 0.02;
}
