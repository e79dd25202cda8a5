// The motion: kept rows of positions and orientations, and what lies between them. Positions are
// interpolated linearly, quaternions by slerp; the writer dropped rows only where that is enough.
import type { Block } from "./block.ts";
import { place, type Place } from "./lookup.ts";

export interface FlexibleMotion {
    nodes: Block;
    strain: Block | null;
    stress: Block | null;
}

/** Interpolates quaternions w, x, y, z number `index` of two rows along the shorter arc. */
export function slerp(
    a: Float64Array,
    b: Float64Array,
    at: number,
    part: number,
    out: Float64Array,
): void {
    let dot = 0;
    for (let k = 0; k < 4; ++k) {
        dot += a[at + k] * b[at + k];
    }
    const sign = dot < 0 ? -1 : 1;
    const angle = Math.acos(Math.min(1, sign * dot));
    const sine = Math.sin(angle);
    // nearly the same orientation: the chord is the arc to rounding
    const near = sine < 1e-6;
    const wa = near ? 1 - part : Math.sin((1 - part) * angle) / sine;
    const wb = sign * (near ? part : Math.sin(part * angle) / sine);
    let square = 0;
    for (let k = 0; k < 4; ++k) {
        out[at + k] = wa * a[at + k] + wb * b[at + k];
        square += out[at + k] * out[at + k];
    }
    const norm = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let k = 0; k < 4; ++k) {
        out[at + k] *= norm;
    }
}

/** Row `p.row` and `p.next` of a block mixed linearly. */
export function mixRow(block: Block, p: Place, out: Float64Array, spare: Float64Array): void {
    block.row(p.row, out);
    if (p.part === 0 || p.next === p.row) {
        return;
    }
    block.row(p.next, spare);
    for (let i = 0; i < block.rowLength; ++i) {
        out[i] += p.part * (spare[i] - out[i]);
    }
}

/** Poses of all bodies (ground left out) at one time, and what is needed to compute them. */
export class Motion {
    readonly position: Float64Array;
    readonly orientation: Float64Array;
    private readonly before: Float64Array;
    private readonly after: Float64Array;

    constructor(
        readonly times: Float64Array,
        readonly positions: Block | null,
        readonly orientations: Block | null,
        readonly reactions: Block | null,
        readonly flexible: FlexibleMotion[],
        readonly contacts: Block | null = null,
        readonly modal: Block[] = [],
    ) {
        const bodies = positions?.shape[1] ?? 0;
        this.position = new Float64Array(3 * bodies);
        this.orientation = new Float64Array(4 * bodies);
        this.before = new Float64Array(4 * bodies);
        this.after = new Float64Array(4 * bodies);
    }

    get bodies(): number {
        return this.position.length / 3;
    }

    get start(): number {
        return this.times[0] ?? 0;
    }

    get end(): number {
        return this.times[this.times.length - 1] ?? 0;
    }

    /** Fills position and orientation with those at t. */
    moveTo(t: number): void {
        const p = place(this.times, t);
        if (this.positions !== null) {
            mixRow(this.positions, p, this.position, this.after);
        }
        if (this.orientations !== null) {
            this.turnTo(this.orientations, p);
        }
    }

    /** Difference quotient of a body's positions around t: rows know no velocities. */
    velocity(body: number, t: number): [number, number, number] {
        const { row, next } = place(this.times, t);
        const width = this.times[next] - this.times[row];
        const out: [number, number, number] = [0, 0, 0];
        if (this.positions === null || !(width > 0)) {
            return out;
        }
        for (let k = 0; k < 3; ++k) {
            const i = 3 * body + k;
            out[k] = (this.positions.at(next, i) - this.positions.at(row, i)) / width;
        }
        return out;
    }

    private turnTo(orientations: Block, p: Place): void {
        if (p.part === 0 || p.next === p.row) {
            orientations.row(p.row, this.orientation);
            return;
        }
        orientations.row(p.row, this.before);
        orientations.row(p.next, this.after);
        for (let i = 0; i < this.orientation.length; i += 4) {
            slerp(this.before, this.after, i, p.part, this.orientation);
        }
    }
}
