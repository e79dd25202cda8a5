// How large the mechanism is and where it moves: for the camera, the grid and the symbols.
import * as THREE from "three";
import type { Dataset } from "../data/dataset.ts";

const SAMPLES = 120; // rows looked at: enough to know where things go

const frame = new THREE.Matrix4();
const turn = new THREE.Quaternion();
const point = new THREE.Vector3();
const one = new THREE.Vector3(1, 1, 1);

function addBodies(data: Dataset, row: number, local: THREE.Box3[], box: THREE.Box3): void {
    const { positions, orientations } = data.motion;
    if (positions === null) {
        return;
    }
    for (let b = 0; b < positions.rowLength / 3; ++b) {
        point.set(positions.at(row, 3 * b), positions.at(row, 3 * b + 1), positions.at(row, 3 * b + 2));
        const own = local[b + 1];
        if (own === undefined || own.isEmpty() || orientations === null) {
            box.expandByPoint(point);
            continue;
        }
        const q = [0, 1, 2, 3].map((k) => orientations.at(row, 4 * b + k));
        turn.set(q[1], q[2], q[3], q[0]).normalize();
        box.union(own.clone().applyMatrix4(frame.compose(point, turn, one)));
    }
}

function addNodes(data: Dataset, row: number, box: THREE.Box3): void {
    for (const { nodes } of data.motion.flexible) {
        const stride = 3 * (nodes.shape[2] ?? 1);
        for (let i = 0; i < nodes.rowLength; i += stride) {
            box.expandByPoint(point.set(nodes.at(row, i), nodes.at(row, i + 1), nodes.at(row, i + 2)));
        }
    }
}

function addGround(data: Dataset, box: THREE.Box3): void {
    for (const joint of data.header.scene?.joints ?? []) {
        joint.bodies?.forEach((body, side) => {
            const frame = joint.frames?.[side];
            if (body === 0 && frame) {
                box.expandByPoint(new THREE.Vector3(frame[0], frame[1], frame[2]));
            }
        });
    }
}

/** Box around everything over the whole run. */
export function motionBounds(data: Dataset, local: THREE.Box3[]): THREE.Box3 {
    const box = new THREE.Box3();
    const rows = data.motion.times.length;
    const step = Math.max(1, Math.floor(rows / SAMPLES));
    for (let row = 0; row < rows; row += step) {
        addBodies(data, row, local, box);
        addNodes(data, row, box);
    }
    addGround(data, box);
    if (local[0] !== undefined && !local[0].isEmpty()) {
        box.union(local[0]);
    }
    if (box.isEmpty()) {
        box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
    }
    return box;
}

/** Size 1 of symbols in metres: small against the whole and against a typical body. */
export function symbolSize(whole: number, local: THREE.Box3[]): number {
    const extents = local
        .slice(1)
        .filter((box) => !box.isEmpty())
        .map((box) => box.getSize(new THREE.Vector3()).length())
        .sort((a, b) => a - b);
    const typical = extents[Math.floor(extents.length / 2)] ?? whole;
    return Math.min(0.022 * whole, 0.09 * typical) || 0.02;
}
