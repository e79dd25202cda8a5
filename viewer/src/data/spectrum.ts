// Amplitudes over frequency of a curve: the discrete Fourier transform of evenly spaced values,
// weighted by a window. A sine of amplitude A shows as a peak of height A: amplitudes are divided by
// the sum of the window, and zeros behind the values draw the curve finely between the lines that
// the length of the record alone would give.
import { place } from "./lookup.ts";
import { rowsInside } from "./statistics.ts";

export type WindowName = "hann" | "flat top" | "none";
export const WINDOWS: WindowName[] = ["hann", "flat top", "none"];

export interface Spectrum {
    frequency: Float64Array; // Hz
    amplitude: Float64Array; // of the curve's unit
    step: number; // s, between the values that were transformed
    samples: number;
    resolution: number; // Hz: peaks closer than this are one
    even: boolean; // false: rows were interpolated, which dampens what is fast
}

const MOST = 1 << 17; // values that are transformed
const LEAST = 8; // rows
const FINE = 4; // points between two lines, at least

// Cosine sums: Hann's window, and the flat top of ISO 18431-2, which keeps the height of peaks
// between lines. The last number is the width of a peak in lines.
const COSINES: Record<WindowName, { terms: number[]; width: number }> = {
    hann: { terms: [1, -1], width: 2 },
    "flat top": { terms: [1, -1.933, 1.286, -0.388, 0.0322], width: 4 },
    none: { terms: [1], width: 1 },
};

function windowValue(terms: number[], i: number, n: number): number {
    return terms.reduce((sum, term, k) => sum + term * Math.cos((2 * Math.PI * k * i) / n), 0);
}

/** Fast Fourier transform in place; the length is a power of two. */
export function fft(re: Float64Array, im: Float64Array): void {
    const n = re.length;
    for (let i = 1, j = 0; i < n; ++i) {
        let bit = n >> 1;
        for (; (j & bit) !== 0; bit >>= 1) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            [re[i], re[j]] = [re[j], re[i]];
            [im[i], im[j]] = [im[j], im[i]];
        }
    }
    for (let size = 2; size <= n; size *= 2) {
        const half = size / 2;
        for (let k = 0; k < half; ++k) {
            const c = Math.cos((-2 * Math.PI * k) / size);
            const s = Math.sin((-2 * Math.PI * k) / size);
            for (let a = k; a < n; a += size) {
                const b = a + half;
                const x = c * re[b] - s * im[b];
                const y = c * im[b] + s * re[b];
                re[b] = re[a] - x;
                im[b] = im[a] - y;
                re[a] += x;
                im[a] += y;
            }
        }
    }
}

// Rows at equal distances are taken as they are; others are put on a grid as fine as nine of ten of
// their distances.
function evenValues(x: Float64Array, y: Float64Array): { values: Float64Array; step: number; even: boolean } {
    const n = x.length;
    const span = x[n - 1] - x[0];
    const step = span / (n - 1);
    const even = x.every((t, i) => Math.abs(t - x[0] - i * step) < 1e-3 * step);
    if (even && n <= MOST) {
        return { values: y, step, even };
    }
    const distances = Float64Array.from({ length: n - 1 }, (_, i) => x[i + 1] - x[i]).filter((h) => h > 0).sort();
    const fine = distances[Math.floor(0.1 * distances.length)] ?? span;
    const count = Math.min(MOST, Math.max(2, Math.round(span / fine) + 1));
    const grid = span / (count - 1);
    const values = Float64Array.from({ length: count }, (_, i) => {
        const p = place(x, x[0] + i * grid);
        return y[p.row] + p.part * (y[p.next] - y[p.row]);
    });
    return { values, step: grid, even: false };
}

/** Of the part of a curve inside a span, its mean taken away; null: fewer than eight rows. */
export function spectrum(time: Float64Array, y: ArrayLike<number>, from: number, to: number, window: WindowName): Spectrum | null {
    const [first, last] = rowsInside(time, from, to);
    const rows = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => y[first + i]);
    if (rows.length < LEAST || !rows.every(Number.isFinite) || !(time[last] > time[first])) {
        return null;
    }
    const { values, step, even } = evenValues(time.subarray(first, last + 1), rows);
    const n = values.length;
    const length = 2 ** Math.ceil(Math.log2(FINE * n));
    const { terms, width } = COSINES[window];
    const re = new Float64Array(length);
    const im = new Float64Array(length);
    let weight = 0;
    let mean = 0;
    for (let i = 0; i < n; ++i) {
        const w = windowValue(terms, i, n);
        weight += w;
        mean += w * values[i];
    }
    mean /= weight; // weighted, so that nothing of it is left at zero frequency
    for (let i = 0; i < n; ++i) {
        re[i] = windowValue(terms, i, n) * (values[i] - mean);
    }
    fft(re, im);
    const half = length / 2;
    const frequency = Float64Array.from({ length: half + 1 }, (_, k) => k / (length * step));
    // a sine has half its height at its frequency and half at the negative one
    const amplitude = Float64Array.from({ length: half + 1 }, (_, k) => ((k === 0 || k === half ? 1 : 2) * Math.hypot(re[k], im[k])) / weight);
    return { frequency, amplitude, step, samples: n, resolution: width / (n * step), even };
}
