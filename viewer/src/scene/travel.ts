// A mechanism that travels as a whole, such as a car: the picture then begins near it and goes along.
import * as THREE from "three";
import type { Dataset } from "../data/dataset.ts";
import { addBodies, Cloud, type Extent } from "./bounds.ts";

// A way is long when the mechanism at its start would fill less than about a fifth of a picture that holds all of it.
const LONG = 4; // ways in sizes of the mechanism at its start
const SHARE = 0.5; // more of the bodies must go along, or some parts have left a machine that stays

export interface Travel {
    body: number; // the largest of the bodies that go along; ground is 0
    at: THREE.Vector3; // its place in the first row
    start: Extent; // of all bodies in the first row
}

// Largest distance of each body from where it starts, over some rows.
function ways(data: Dataset): number[] {
    const { positions } = data.motion;
    const rows = data.motion.times.length;
    const step = Math.max(1, Math.floor(rows / 50));
    return Array.from({ length: (positions?.rowLength ?? 0) / 3 }, (_, b) => {
        let longest = 0;
        for (let row = 0; positions !== null && row < rows; row += step) {
            const moved = [0, 1, 2].map((k) => positions.at(row, 3 * b + k) - positions.at(0, 3 * b + k));
            longest = Math.max(longest, Math.hypot(...moved) || 0); // a run that failed may end in numbers that are none
        }
        return longest;
    });
}

/** How a mechanism travels; null: it stays about where it is, or only a part of it leaves. */
export function travel(data: Dataset, local: THREE.Box3[]): Travel | null {
    const { positions } = data.motion;
    if (positions === null || data.motion.times.length < 2 || data.motion.flexible.length > 0) {
        return null;
    }
    const start: Extent = { box: new THREE.Box3(), cloud: new Cloud() };
    addBodies(data, 0, local, start);
    const size = start.box.isEmpty() ? 0 : start.box.getSize(new THREE.Vector3()).length();
    const way = ways(data);
    const along = way.flatMap((w, b) => (size > 0 && w > LONG * size ? [b + 1] : []));
    if (along.length === 0 || along.length <= SHARE * way.length) {
        return null;
    }
    const sizeOf = (body: number): number => {
        const box = local[body];
        return box === undefined || box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
    };
    const body = along.reduce((best, one) => (sizeOf(one) > sizeOf(best) ? one : best));
    const at = new THREE.Vector3(...[0, 1, 2].map((k) => positions.at(0, 3 * (body - 1) + k)));
    return { body, at, start };
}
