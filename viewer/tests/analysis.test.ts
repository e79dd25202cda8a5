// Statistics, spectra and ticks against numbers that are known.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fft, spectrum, WINDOWS } from "../src/data/spectrum.ts";
import { rowsWithin, statistics } from "../src/data/statistics.ts";
import { linearTicks } from "../src/plot/ticks.ts";
import { cureFor } from "../src/ui/banner.ts";

function near(a: number | undefined, b: number, bound: number): void {
    assert.ok(a !== undefined && Math.abs(a - b) <= bound, `${a} is not ${b} within ${bound}`);
}

test("statistics of straight lines are those of the lines, wherever rows are", () => {
    // 0 to 4 in 2 s, then 4 for 1 s: mean (4 + 4) / 3, mean of squares (32 / 3 + 16) / 3
    const all = statistics(Float64Array.of(0, 2, 3), [0, 4, 4], 0, 3);
    assert.deepEqual([all?.min, all?.minAt, all?.max, all?.maxAt], [0, 0, 4, 2]);
    near(all?.mean, 8 / 3, 1e-15);
    near(all?.rms, Math.sqrt((32 / 3 + 16) / 3), 1e-15);
    // many rows on the first line change nothing: it is no mean of rows
    const dense = Float64Array.from([...Array.from({ length: 101 }, (_, i) => i / 50), 3]);
    const same = statistics(dense, Array.from(dense, (t) => Math.min(4, 2 * t)), 0, 3);
    near(same?.mean, 8 / 3, 1e-14); // a hundred additions
    near(same?.rms, all?.rms ?? 0, 1e-14);
});

test("statistics of a part of the run: the line is cut where the part begins and ends", () => {
    const part = statistics(Float64Array.of(0, 2, 3), [0, 4, 4], 0.5, 1.5);
    assert.deepEqual([part?.from, part?.to, part?.min, part?.max], [0.5, 1.5, 1, 3]);
    near(part?.mean, 2, 1e-15);
    near(part?.rms, Math.sqrt(13 / 3), 1e-15); // squares from 1 to 3: (27 - 1) / 3 / 2
    assert.equal(statistics(Float64Array.of(0, 1), [1, 2], 2, 3), null);
    const one = statistics(Float64Array.of(1), [-7], 0, 3);
    assert.deepEqual([one?.min, one?.max, one?.mean, one?.rms], [-7, -7, -7, 7]);
    const hole = statistics(Float64Array.of(0, 1, 2, 3), [2, Number.NaN, 4, 4], 0, 3);
    assert.deepEqual([hole?.min, hole?.max, hole?.mean], [2, 4, 4]);
    const jump = rowsWithin(Float64Array.of(0, 1, 1, 2), [0, 0, 5, 5], 1, 2);
    assert.deepEqual([Array.from(jump?.x ?? []), Array.from(jump?.y ?? [])], [[1, 1, 2], [0, 5, 5]]);
});

test("the transform is that of the definition", () => {
    const n = 16;
    const x = Float64Array.from({ length: n }, (_, i) => Math.sin(1.3 * i) + 0.2 * i);
    const [re, im] = [x.slice(), new Float64Array(n)];
    fft(re, im);
    for (let k = 0; k < n; ++k) {
        const sum = (f: (a: number) => number) => x.reduce((s, value, i) => s + value * f((2 * Math.PI * k * i) / n), 0);
        near(re[k], sum(Math.cos), 1e-12); // sixteen terms of size ten
        near(im[k], -sum(Math.sin), 1e-12);
    }
});

test("a sine shows its amplitude at its frequency, between lines too, whatever its mean", () => {
    // 7.3 Hz for 3.7 s: no whole number of periods
    const time = Float64Array.from({ length: 741 }, (_, i) => 2 + i * 0.005);
    const y = Array.from(time, (t) => 40 + 3 * Math.sin(2 * Math.PI * 7.3 * t + 0.4) + 0.5 * Math.cos(2 * Math.PI * 31 * t));
    // heights: with four points a line the next point is an eighth of a line away, where Hann's window
    // loses 1.1 percent, no window 2.6 percent (and some to the other sine), a flat top next to nothing
    const losses = { hann: 0.012, "flat top": 0.003, none: 0.04 };
    for (const window of WINDOWS) {
        const found = spectrum(time, y, 2, 5.7, window);
        assert.ok(found !== null && found.even);
        const peak = (from: number, to: number) => {
            const inside = Array.from(found.frequency.keys()).filter((k) => found.frequency[k] >= from && found.frequency[k] <= to);
            return inside.reduce((best, k) => (found.amplitude[k] > found.amplitude[best] ? k : best), inside[0]);
        };
        const [slow, fast] = [peak(2, 20), peak(25, 40)];
        // a flat top is flat: its highest point is anywhere within half a line
        const line = window === "flat top" ? 0.5 / 3.7 : found.frequency[1];
        near(found.frequency[slow], 7.3, line);
        near(found.amplitude[slow], 3, 3 * losses[window]);
        near(found.frequency[fast], 31, line);
        near(found.amplitude[fast], 0.5, 0.5 * losses[window] + (window === "none" ? 0.06 : 0));
        assert.ok(found.amplitude[0] < 1e-12, "the mean is gone");
        near(found.frequency[found.frequency.length - 1], 100, 1e-9);
    }
});

test("whole periods without a window: exact amplitudes; the span chooses what is transformed", () => {
    const time = Float64Array.from({ length: 2048 }, (_, i) => i / 1024);
    const y = Array.from(time, (t) => (t < 1 ? 2 * Math.sin(2 * Math.PI * 16 * t) : 5 * Math.sin(2 * Math.PI * 64 * t)));
    const at = (from: number, to: number, f: number) => {
        const found = spectrum(time, y, from, to, "none");
        const k = found?.frequency.findIndex((x) => Math.abs(x - f) < 1e-9) ?? -1;
        return found?.amplitude[k];
    };
    near(at(0, 1023 / 1024, 16), 2, 1e-12);
    near(at(0, 1023 / 1024, 64), 0, 1e-12);
    near(at(1, 2, 64), 5, 1e-12);
    near(at(1, 2, 16), 0, 1e-12);
});

test("rows at unequal distances are told of and keep the amplitude of what is slow; too few are refused", () => {
    const time = Float64Array.from({ length: 900 }, (_, i) => (i + 0.3 * Math.sin(i)) / 100);
    const found = spectrum(time, Array.from(time, (t) => 2 * Math.cos(2 * Math.PI * 1.5 * t)), 0, 9, "hann");
    assert.ok(found !== null && !found.even);
    // straight lines over a hundredth of a period lose less than a thousandth
    near(Math.max(...found.amplitude), 2, 0.012 * 2 + 0.002);
    assert.equal(spectrum(time, time, 0, 0.05, "hann"), null);
    assert.equal(spectrum(time, Array.from(time, () => Number.NaN), 0, 9, "hann"), null);
});

test("every axis has at least two ticks", () => {
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let k = 0; k < 2000; ++k) {
        const min = (random() - 0.5) * 10 ** Math.floor(8 * random() - 4);
        const max = min + random() * 10 ** Math.floor(8 * random() - 4);
        const n = 1 + 8 * random();
        const ticks = linearTicks(min, max, n);
        assert.ok(ticks.length >= 2 && ticks.length <= 2.6 * n + 3, `${min} ${max} ${n}: ${ticks}`);
        assert.ok(ticks.every((tick) => tick >= min - 1e-9 * (max - min) && tick <= max + 1e-9 * (max - min)));
    }
    assert.deepEqual(linearTicks(0.38, 0.72, 2), [0.4, 0.6000000000000001]);
});

test("endings have cures", () => {
    assert.match(cureFor("cancelled at t = 2 s"), /stopped/);
    assert.match(cureFor("the step size became too small at t = 0.1 s"), /--tol/);
    assert.match(cureFor("the drive 'm' is not finite at t = 1 s"), /no number/);
    assert.notEqual(cureFor("something new"), "");
});
