// Poses of all bodies at the shown time as matrices, ground first, and their products with the
// matrices of parts that are fixed to a body.
import type { Motion } from "../data/frames.ts";

/** Numbers of a pose: three columns of the rotation, then the position. */
export const POSE = 12;

export class Poses {
    readonly at: Float64Array;

    constructor(readonly bodies: number) {
        this.at = new Float64Array(POSE * bodies);
        for (let b = 0; b < bodies; ++b) {
            this.at[POSE * b] = this.at[POSE * b + 4] = this.at[POSE * b + 8] = 1;
        }
    }

    update(motion: Motion): void {
        const n = Math.min(this.bodies - 1, motion.bodies);
        for (let b = 0; b < n; ++b) {
            writePose(motion.position, 3 * b, motion.orientation, 4 * b, this.at, POSE * (b + 1));
        }
    }

    /** A point of body b in global axes. */
    point(b: number, x: number, y: number, z: number): [number, number, number] {
        const m = this.at;
        const i = POSE * b;
        return [
            m[i] * x + m[i + 3] * y + m[i + 6] * z + m[i + 9],
            m[i + 1] * x + m[i + 4] * y + m[i + 7] * z + m[i + 10],
            m[i + 2] * x + m[i + 5] * y + m[i + 8] * z + m[i + 11],
        ];
    }
}

/** Position and quaternion w, x, y, z as a pose. */
export function writePose(
    p: ArrayLike<number>,
    pi: number,
    q: ArrayLike<number>,
    qi: number,
    out: Float64Array,
    at: number,
): void {
    const w = q[qi];
    const x = q[qi + 1];
    const y = q[qi + 2];
    const z = q[qi + 3];
    out[at] = 1 - 2 * (y * y + z * z);
    out[at + 1] = 2 * (x * y + w * z);
    out[at + 2] = 2 * (x * z - w * y);
    out[at + 3] = 2 * (x * y - w * z);
    out[at + 4] = 1 - 2 * (x * x + z * z);
    out[at + 5] = 2 * (y * z + w * x);
    out[at + 6] = 2 * (x * z + w * y);
    out[at + 7] = 2 * (y * z - w * x);
    out[at + 8] = 1 - 2 * (x * x + y * y);
    out[at + 9] = p[pi];
    out[at + 10] = p[pi + 1];
    out[at + 11] = p[pi + 2];
}

/** out = pose * local; local and out are 4 x 4 in columns. Written out: it runs per part and frame. */
export function multiplyPose(
    m: Float64Array,
    i: number,
    a: Float64Array,
    j: number,
    out: Float32Array,
    k: number,
): void {
    for (let c = 0; c < 4; ++c) {
        const x = a[j + 4 * c];
        const y = a[j + 4 * c + 1];
        const z = a[j + 4 * c + 2];
        const w = c === 3 ? 1 : 0;
        out[k + 4 * c] = m[i] * x + m[i + 3] * y + m[i + 6] * z + w * m[i + 9];
        out[k + 4 * c + 1] = m[i + 1] * x + m[i + 4] * y + m[i + 7] * z + w * m[i + 10];
        out[k + 4 * c + 2] = m[i + 2] * x + m[i + 5] * y + m[i + 8] * z + w * m[i + 11];
        out[k + 4 * c + 3] = w;
    }
}
