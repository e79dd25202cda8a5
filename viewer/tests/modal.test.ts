// Modal bodies: sums of modes, von Mises stress, and what the page makes of them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addModes, vonMises } from "../src/scene/modal.ts";

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
