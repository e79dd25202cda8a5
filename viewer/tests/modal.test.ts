// Modal bodies: sums of modes, von Mises stress, and what the page makes of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Block } from "../src/data/block.ts";
import type { ModalMesh } from "../src/data/dataset.ts";
import { Motion } from "../src/data/frames.ts";
import type { Header } from "../src/data/header.ts";
import { modeFactor, modeMotion, type Modes } from "../src/data/modes.ts";
import { ranges } from "../src/pages/model.ts";
import { addModes, pieces, vonMises } from "../src/scene/modal.ts";

test("displacements are sums of modes times coordinates", () => {
    // two nodes, two modes, three components
    const table = new Float32Array([1, 2, 3, 10, 20, 30, 4, 5, 6, 40, 50, 60]);
    const out = new Float32Array(6);
    addModes(table, 3, new Float64Array([2, -0.5]), out);
    assert.deepEqual([...out], [-3, -6, -9, -12, -15, -18]);
});

test("von Mises stress of simple states", () => {
    const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-12); // a few roundings
    near(vonMises([5, 0, 0, 0, 0, 0], 0), 5); // tension
    near(vonMises([3, 3, 3, 0, 0, 0], 0), 0); // pressure alone
    near(vonMises([9, 0, 0, 0, 1, 0, 0], 1), Math.sqrt(3)); // shear, at a later place
});

const block = (values: number[], shape: number[]) => new Block(Float64Array.from(values), shape);

/** One body at rest with coordinates (0.5, 0, 0), whose mode moves the second and, a quarter of a period later, the third. */
function bent(): { modes: Modes; mesh: ModalMesh } {
    const state = new Motion(Float64Array.of(0), block([0, 0, 0], [1, 1, 3]), block([1, 0, 0, 0], [1, 1, 4]), null, [], null, [block([0.5, 0, 0], [1, 3])]);
    const list = [{ real: 0, imag: 20 * Math.PI, frequency: 10, damping_ratio: 0 }];
    const modes: Modes = { list, translation: null, rotation: null, flexible: [], modal: [block([0, 2, 0, 0, 0, 3], [1, 2, 3])], state };
    // two nodes; modes 1 and 2 of three are here, along x and y
    const shapes = block([1, 0, 0, 0, 1, 0, 0.5, 0, 0, 0, 4, 0], [2, 2, 3]);
    const info = { name: "arm", body: 1, modes: 3, chosen: [1, 2] } as ModalMesh["info"];
    return { modes, mesh: { info, shapes, vertices: shapes, triangles: shapes, stress: null } };
}

test("the motion of a mode bends modal bodies", () => {
    const { modes } = bent();
    const motion = modeMotion(modes, 0, 0.1);
    const rows = motion.modal[0];
    assert.equal(rows.rows, 49);
    [0, 12, 24].forEach((row) => { // 0, a quarter, half a period
        const phi = (2 * Math.PI * row) / 48;
        const want = [0.5, 0.2 * Math.cos(phi), -0.3 * Math.sin(phi)];
        want.forEach((x, j) => assert.ok(Math.abs(rows.at(row, j) - x) < 1e-12)); // a few roundings
    });
});

test("the factor of a mode counts how far modal bodies bend", () => {
    const { modes, mesh } = bent();
    // the second node: (1, 0) and (0, 12) a quarter later: 12 at most
    assert.ok(Math.abs(modeFactor(modes, {} as Header, 0, 0.06, [mesh]) - 0.005) < 1e-12);
    assert.equal(modeFactor(modes, {} as Header, 0, 0.06), 0); // nothing else moves
});

test("numbers of modes are told as ranges", () => {
    assert.equal(ranges([1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
    assert.equal(ranges([4]), "4");
    assert.equal(ranges([]), "");
});

test("triangles with two corners in one place are lines", () => {
    assert.deepEqual(pieces([0, 1, 2, 3, 4, 4]), { triangles: [0, 1, 2], segments: [3, 4] });
});
