// A wall around a curve, for cables, whose section nobody described: rings at right angles to the
// curve, each turned from the one before as little as possible.
import * as THREE from "three";

export const SIDES = 8;

export function tubeIndex(points: number): number[] {
    const index: number[] = [];
    for (let i = 0; i + 1 < points; ++i) {
        for (let k = 0; k < SIDES; ++k) {
            const a = i * SIDES + k;
            const b = i * SIDES + ((k + 1) % SIDES);
            index.push(a, b, b + SIDES, a, b + SIDES, a + SIDES);
        }
    }
    return index;
}

const tangent = new THREE.Vector3();
const normal = new THREE.Vector3();
const side = new THREE.Vector3();

function direction(axis: Float32Array, i: number, n: number): void {
    const a = 3 * Math.max(0, i - 1);
    const b = 3 * Math.min(n - 1, i + 1);
    tangent.set(axis[b] - axis[a], axis[b + 1] - axis[a + 1], axis[b + 2] - axis[a + 2]);
    if (tangent.lengthSq() > 0) {
        tangent.normalize();
    }
}

export function placeTube(axis: Float32Array, radius: number, out: Float32Array): void {
    const n = axis.length / 3;
    direction(axis, 0, n);
    normal.set(Math.abs(tangent.z) < 0.9 ? 0 : 1, 0, Math.abs(tangent.z) < 0.9 ? 1 : 0);
    for (let i = 0; i < n; ++i) {
        direction(axis, i, n);
        normal.addScaledVector(tangent, -normal.dot(tangent)).normalize();
        side.crossVectors(tangent, normal);
        for (let k = 0; k < SIDES; ++k) {
            const c = radius * Math.cos((2 * Math.PI * k) / SIDES);
            const s = radius * Math.sin((2 * Math.PI * k) / SIDES);
            const at = 3 * (i * SIDES + k);
            out[at] = axis[3 * i] + c * normal.x + s * side.x;
            out[at + 1] = axis[3 * i + 1] + c * normal.y + s * side.y;
            out[at + 2] = axis[3 * i + 2] + c * normal.z + s * side.z;
        }
    }
}
