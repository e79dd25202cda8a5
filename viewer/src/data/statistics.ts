// Smallest, largest, mean and root mean square of a curve over a span of time. Curves are straight
// lines between their rows, however far apart these are, so all four are those of the lines: they do
// not depend on where rows happen to be close together.
import { place, rowBefore } from "./lookup.ts";

export interface Statistics {
    from: number; // s, of what the curve has of the span
    to: number;
    min: number;
    minAt: number; // s
    max: number;
    maxAt: number;
    mean: number;
    rms: number;
}

export interface Points {
    x: Float64Array;
    y: Float64Array;
}

function valueAt(time: Float64Array, values: ArrayLike<number>, t: number): number {
    const { row, next, part } = place(time, t);
    return part === 0 ? values[row] : values[row] + part * (values[next] - values[row]);
}

/** First and last row inside a span; the last one is before the first when there is none. */
export function rowsInside(time: Float64Array, from: number, to: number): [number, number] {
    if (time.length === 0 || time[0] > to) {
        return [0, -1];
    }
    let first = rowBefore(time, from);
    first += time[first] < from ? 1 : 0;
    while (first > 0 && time[first - 1] >= from) {
        --first; // events have two rows at one time
    }
    return [first, rowBefore(time, to)];
}

/** Rows of a curve inside a span, with points of the line at its ends; null: the curve is not there. */
export function rowsWithin(time: Float64Array, values: ArrayLike<number>, from: number, to: number): Points | null {
    const n = time.length;
    if (n === 0 || !(to >= from) || time[0] > to || time[n - 1] < from) {
        return null;
    }
    const a = Math.max(from, time[0]);
    const b = Math.min(to, time[n - 1]);
    const [first, last] = rowsInside(time, a, b);
    const whole = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const x = whole.map((i) => time[i]);
    const y = whole.map((i) => values[i]);
    if (x.length === 0 || x[0] > a) {
        x.unshift(a);
        y.unshift(valueAt(time, values, a));
    }
    if (x[x.length - 1] < b) {
        x.push(b);
        y.push(valueAt(time, values, b));
    }
    return { x: Float64Array.from(x), y: Float64Array.from(y) };
}

/** null: the curve has no value in the span. */
export function statistics(time: Float64Array, values: ArrayLike<number>, from: number, to: number): Statistics | null {
    const inside = rowsWithin(time, values, from, to);
    if (inside === null) {
        return null;
    }
    const { x, y } = inside;
    const out: Statistics = { from: x[0], to: x[x.length - 1], min: Infinity, minAt: x[0], max: -Infinity, maxAt: x[0], mean: 0, rms: 0 };
    let [length, sum, squares] = [0, 0, 0];
    for (let i = 0; i < x.length; ++i) {
        if (!Number.isFinite(y[i])) {
            continue; // numbers that are none count as rows that are not there
        }
        if (y[i] < out.min) {
            [out.min, out.minAt] = [y[i], x[i]];
        }
        if (y[i] > out.max) {
            [out.max, out.maxAt] = [y[i], x[i]];
        }
        if (i > 0 && Number.isFinite(y[i - 1])) {
            const [h, a, b] = [x[i] - x[i - 1], y[i - 1], y[i]];
            length += h;
            sum += (h * (a + b)) / 2;
            squares += (h * (a * a + a * b + b * b)) / 3;
        }
    }
    if (out.min > out.max) {
        return null;
    }
    // one moment has no length: its value is all there is
    out.mean = length > 0 ? sum / length : out.min;
    out.rms = length > 0 ? Math.sqrt(squares / length) : Math.abs(out.min);
    return out;
}
