// Interpolation of motion and channels, CSV, growth of a watched run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Block } from "../src/data/block.ts";
import { ChannelStore } from "../src/data/channels.ts";
import { readDataset } from "../src/data/dataset.ts";
import { extendDataset } from "../src/data/extend.ts";
import { slerp } from "../src/data/frames.ts";
import { nearestRow, place, rowBefore } from "../src/data/lookup.ts";
import { csvText } from "../src/plot/csv.ts";
import { makeSurface, placeCorners } from "../src/scene/flex_surface.ts";
import { linearTicks, logTicks } from "../src/plot/ticks.ts";
import { flexible, pendulum, piece, times } from "./fixture.ts";

const ROUNDING = 1e-14; // a few operations on numbers of size 1

test("rows around a time", () => {
    const t = [0, 1, 1.5, 4];
    assert.deepEqual([-1, 0, 0.9, 1, 1.6, 4, 9].map((x) => rowBefore(t, x)), [0, 0, 0, 1, 2, 3, 3]);
    assert.deepEqual([0.4, 0.6, 2.7, 2.8].map((x) => nearestRow(t, x)), [0, 1, 2, 3]);
    assert.deepEqual(place(t, 1.25), { row: 1, next: 2, part: 0.5 });
    assert.equal(place(t, 9).part, 0);
    assert.deepEqual(place([3], 5), { row: 0, next: 0, part: 0 });
});

test("slerp turns at constant speed, along the shorter way", () => {
    const half = (angle: number) => Float64Array.of(Math.cos(angle / 2), 0, 0, Math.sin(angle / 2));
    const out = new Float64Array(4);
    for (const part of [0, 0.25, 0.5, 1]) {
        slerp(half(0.2), half(1.4), 0, part, out);
        const wanted = half(0.2 + 1.2 * part);
        wanted.forEach((x, k) => assert.ok(Math.abs(out[k] - x) < ROUNDING));
    }
    slerp(half(0), half(1).map((x) => -x), 0, 0.5, out);
    assert.ok(Math.abs(Math.abs(out[0]) - Math.cos(0.25)) < ROUNDING);
    slerp(half(0.3), half(0.3), 0, 0.5, out);
    assert.ok(Math.abs(out[3] - Math.sin(0.15)) < ROUNDING);
});

test("at kept rows the motion is that of the file, between them it is mixed", async () => {
    const fixture = pendulum();
    const { motion } = await readDataset(fixture.bytes);
    for (const row of [0, 17, 300]) {
        motion.moveTo(fixture.times[row]);
        assert.deepEqual(Array.from(motion.position), fixture.poses(row, 0).position);
    }
    const [a, b] = [fixture.poses(10, 0), fixture.poses(11, 0)];
    motion.moveTo((fixture.times[10] + fixture.times[11]) / 2);
    // the middle of two times is not exact in binary: a part of 1e-15 of the way, plus the sum
    motion.position.forEach((x, k) => assert.ok(Math.abs(x - (a.position[k] + b.position[k]) / 2) < ROUNDING));
});

test("the motion ends where its rows end", async () => {
    const fixture = pendulum();
    const { motion } = await readDataset(fixture.bytes);
    motion.moveTo(1e9);
    assert.deepEqual(Array.from(motion.position), fixture.poses(300, 0).position);
});

function store(): ChannelStore {
    return new ChannelStore([
        { time: Float64Array.of(0, 1, 2), values: new Block(Float64Array.of(0, 5, 10, 6, 30, 7), [3, 2]), items: [{ name: "a", unit: "m" }, { name: 'b, "quoted"' }] },
        { time: Float64Array.of(0, 0.5, 2), values: new Block(Float64Array.of(1, 2, 3), [3, 1]), items: [{ name: "a" }] },
    ]);
}

test("channels: values at rows, on lines between, nothing outside; equal names are told apart", () => {
    const channels = store();
    assert.deepEqual(channels.list.map(({ name }) => name), ["a", 'b, "quoted"', "a (2)"]);
    const a = channels.get("a");
    assert.deepEqual([0, 0.5, 1, 1.25, 2].map((t) => a?.at(t)), [0, 5, 10, 15, 30]);
    assert.ok(Number.isNaN(a?.at(2.1)));
});

test("csv: names in quotes, all times of all tables", () => {
    const channels = store();
    assert.equal(csvText(channels.pick(["a"])), "time [s],a [m]\r\n0,0\r\n1,10\r\n2,30\r\n");
    assert.equal(csvText(channels.pick(['b, "quoted"', "a (2)"])), 'time [s],"b, ""quoted""",a (2)\r\n0,5,1\r\n0.5,5.5,2\r\n1,6,2.3333333333333335\r\n2,7,3\r\n');
});

test("ticks", () => {
    assert.deepEqual(linearTicks(0, 6, 6), [0, 1, 2, 3, 4, 5, 6]);
    assert.deepEqual(linearTicks(-0.3, 0.31, 4), [-0.2, 0, 0.2]);
    assert.deepEqual(logTicks(2e-5, 3e-2, 5), [1e-4, 1e-3, 1e-2]);
});

test("a watched run grows", async () => {
    const rows = times(11, 1);
    const head = await readDataset(piece(rows, 0, 6));
    const nothing = extendDataset(head, await readDataset(piece(rows, 6, 6)));
    const all = extendDataset(nothing, await readDataset(piece(rows, 6, 11)));
    assert.deepEqual(Array.from(all.motion.times), Array.from(rows));
    all.motion.moveTo(0.95);
    assert.ok(Math.abs(all.motion.position[1] - 1.9) < ROUNDING);
    assert.equal(all.channels.get("x")?.values.length, 11);
    assert.equal(all.header.status, "done");
    const again = await readDataset(piece(rows, 0, 11));
    assert.equal(extendDataset(head, again), again);
});

test("the surface of a flexible body goes through its nodes, with the section around them", async () => {
    const data = await readDataset(flexible().bytes);
    const [beam, , , cable] = data.flexible;
    const { nodes } = data.motion.flexible[0];
    const row = new Float64Array(nodes.rowLength);
    nodes.row(20, row);
    const surface = makeSurface(beam, nodes);
    const at = new Float32Array(3 * surface.corners);
    placeCorners(surface, beam, 4, row, at);
    // four corners at the start of element 3: node 3 and half a thickness along y and z
    const per = surface.corners / beam.elements.rows;
    const single = 1e-6; // positions are single precision of size 1
    [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([y, z], k) => {
        const corner = 3 * (3 * per + k);
        const node = 3 * 4 * 3;
        assert.ok(Math.abs(at[corner] - row[node]) < single);
        assert.ok(Math.abs(at[corner + 1] - (row[node + 1] + 0.05 * y)) < single);
        assert.ok(Math.abs(at[corner + 2] - (row[node + 2] + 0.05 * z)) < single);
    });
    assert.equal(surface.tube, false);
    assert.equal(makeSurface(cable, data.motion.flexible[3].nodes).tube, true);
});

test("a plate has a rim where its mesh ends and none inside", async () => {
    const data = await readDataset(flexible().bytes);
    const plate = data.flexible[4];
    const surface = makeSurface(plate, data.motion.flexible[4].nodes);
    const steps = 4; // 24 elements
    const sides = 2 * 24 * steps * steps * 2;
    const rim = 2 * (6 + 4) * steps * 2; // 6 x 4 elements
    assert.equal(surface.index.length / 3, sides + rim);
});
