// The decoder: every way of packing gives back the numbers, damaged data are named as such.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Block, readBlock } from "../src/data/block.ts";
import { DataError, openContainer } from "../src/data/container.ts";
import { readDataset } from "../src/data/dataset.ts";
import type { Header } from "../src/data/header.ts";
import { pendulum, shapes } from "./fixture.ts";
import { ContainerWriter, type Packing } from "./writer.ts";

const HEADER: Header = { format: 1 };

async function there(values: number[], shape: number[], how: Packing): Promise<Block> {
    const w = new ContainerWriter();
    w.add([1, 2, 3], [3], { type: "u8" }); // so that the block does not come first
    const info = w.add(values, shape, how);
    return readBlock(w.finish({ ...HEADER }), info);
}

const WAYS: Packing[] = [
    { type: "f64" }, { type: "f64", deflate: true }, { type: "f64", shuffle: true }, { type: "f64", deflate: true, shuffle: true },
    { type: "f32", deflate: true, shuffle: true }, { type: "i32" }, { type: "i32", delta: true }, { type: "i32", delta: true, shuffle: true, deflate: true },
    { type: "u16", delta: true, shuffle: true }, { type: "u8", deflate: true, delta: true },
];

for (const how of WAYS) {
    test(`block ${JSON.stringify(how)}`, async () => {
        // whole numbers that fit every type and go up and down, so that differences are negative
        const values = Array.from({ length: 24 }, (_, i) => (37 * i * i) % 251);
        const block = await there(values, [4, 3, 2], how);
        assert.deepEqual(Array.from(block.values), values);
        assert.equal(block.rowLength, 6);
        assert.equal(block.at(2, 5), values[17]);
        assert.deepEqual(Array.from(block.column(1)), [values[1], values[7], values[13], values[19]]);
    });
}

test("doubles come back bit for bit", async () => {
    const values = [Math.PI, -1e-300, 5e-324, -0, 1e300, Number.NaN];
    const block = await there(values, [6], { type: "f64", deflate: true, shuffle: true });
    for (let i = 0; i < values.length; ++i) {
        assert.ok(Object.is(block.at(i), values[i]), `${values[i]}`);
    }
});

test("scale and offset, one and per column", async () => {
    const one = await there([0, 1, 2, 3], [2, 2], { type: "i32", scale: 0.5, offset: 10 });
    assert.deepEqual([one.at(0, 0), one.at(0, 1), one.at(1, 0), one.at(1, 1)], [10, 10.5, 11, 11.5]);
    const each = await there([0, 1, 2, 3], [2, 2], { type: "u16", scale: 2, offset: [100, -100] });
    const row = new Float64Array(2);
    each.row(1, row);
    assert.deepEqual(Array.from(row), [104, -94]);
    // frames x bodies x 3 with an offset per coordinate: the list repeats
    const cyclic = await there([1, 1, 1, 1, 1, 1], [1, 2, 3], { type: "u8", offset: [10, 20, 30] });
    assert.deepEqual([0, 1, 2, 3, 4, 5].map((k) => cyclic.at(0, k)), [11, 21, 31, 11, 21, 31]);
});

test("appended rows", () => {
    const a = new Block(Float64Array.of(1, 2), [1, 2]);
    const b = new Block(Int32Array.of(3, 4, 5, 6), [2, 2], 10, 1);
    const both = a.append(b);
    assert.deepEqual([both.rows, ...Array.from(both.values)], [3, 1, 2, 31, 41, 51, 61]);
});

test("a whole report", async () => {
    const fixture = pendulum();
    const data = await readDataset(fixture.bytes);
    assert.equal(data.header.title, "Pendulum");
    assert.deepEqual(data.motion.times, fixture.times);
    assert.equal(data.channels.list.length, 9 + 3); // and the position from the frames
    assert.equal(data.history?.t.length, 240);
    const boxed = await readDataset(shapes().bytes);
    assert.equal(boxed.meshes.size, 1);
});

const damaged: [string, (bytes: Uint8Array) => Uint8Array, RegExp][] = [
    ["empty", () => new Uint8Array(0), /cut off/],
    ["cut in the header", (bytes) => bytes.slice(0, 100), /cut off/],
    ["cut in the blocks", (bytes) => bytes.slice(0, bytes.length - 4000), /cut off/],
    ["another file", () => new TextEncoder().encode("\u0089HDF\r\n\u001a\n and more of it"), /not a Trammel report/],
    ["header overwritten", (bytes) => bytes.fill(0xff, 20, 40), /header/],
    ["another format", (bytes) => bytes.map((b, i) => (i === 16 + 10 ? 0x39 : b)), /format 9/],
];

for (const [what, damage, message] of damaged) {
    test(`damaged: ${what}`, async () => {
        await assert.rejects(readDataset(damage(pendulum().bytes.slice())), (error: Error) => {
            assert.ok(error instanceof DataError, String(error));
            assert.match(error.message, message);
            return true;
        });
    });
}

test("a bit flipped in packed data is found or gives numbers, never hangs", async () => {
    const { bytes, header } = pendulum();
    const block = header.frames?.orientation;
    assert.ok(block);
    const bent = bytes.slice();
    bent[block.at + 20] ^= 0xff;
    await assert.rejects(readDataset(bent), DataError);
});

test("openContainer leaves the bytes alone", () => {
    const { bytes } = pendulum();
    const copy = bytes.slice();
    openContainer(bytes);
    assert.deepEqual(bytes, copy);
});
