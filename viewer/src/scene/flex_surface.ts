// The surface of a flexible body as sums: each corner of the drawn surface is a sum of sample points
// of its element, and these are sums of the vectors of the element's nodes. Samples are three along
// an edge, so that between them parabolas are drawn.
import type { Block } from "../data/block.ts";
import type { FlexibleMesh } from "../data/dataset.ts";

/** One corner: its element and the weights of that element's sample points. */
interface Corner {
    element: number;
    samples: Map<number, number>;
    side: number; // -1, 0, 1: in the plane of a plane beam, or before or behind it
}

export interface Surface {
    corners: number;
    element: Int32Array; // of each corner
    samples: Float32Array; // corners x points: weights of sample points
    weights: Float32Array; // corners x vectors: weights of the vectors of the element's nodes
    index: number[];
    tube: boolean; // corners are on the axis; the wall around it is made when it is drawn
    side: Float32Array | null; // of a plane beam: before or behind its plane, times `half`
    half: number; // half the thickness of the section; 0: nobody knows
}

const STATIONS = 3;

// Parabolas through the values at 0, 1/2, 1.
function parabola(x: number): [number, number, number] {
    return [(2 * x - 1) * (x - 1), 4 * x * (1 - x), x * (2 * x - 1)];
}

function add(samples: Map<number, number>, sample: number, weight: number): void {
    if (weight !== 0) {
        samples.set(sample, (samples.get(sample) ?? 0) + weight);
    }
}

/** A corner of a line's section: the weights of its fibres. */
interface Outline {
    fibres: Map<number, number>;
    side: number;
}

// Nodes of cables know the direction of the axis only: all fibres are where the axis is.
function onAxis(mesh: FlexibleMesh): boolean {
    if (mesh.info.fibres < 2) {
        return true;
    }
    const n = mesh.weights.rowLength / mesh.points.rows;
    return Array.from({ length: n }, (_, k) => k).every((k) => mesh.weights.at(0, k) === mesh.weights.at(0, n + k));
}

function outline(mesh: FlexibleMesh): Outline[] {
    const corner = (fibre: number, side = 0) => ({ fibres: new Map([[fibre, 1]]), side });
    if (onAxis(mesh)) {
        return [corner(0)];
    }
    if (mesh.info.fibres < 5) {
        return [corner(1, -1), corner(2, -1), corner(2, 1), corner(1, 1)];
    }
    // corners of a rectangle have both y and z; ends of diameters of a circle only one of them
    const round = mesh.points.at(1, 2) === 0;
    if (!round) {
        return [1, 2, 3, 4].map((k) => corner(k));
    }
    const sides = 16;
    return Array.from({ length: sides }, (_, k) => {
        const c = 0.5 * Math.cos((2 * Math.PI * k) / sides);
        const s = 0.5 * Math.sin((2 * Math.PI * k) / sides);
        return { fibres: new Map([[0, 1], [1, -c], [3, c], [2, -s], [4, s]]), side: 0 };
    });
}

/** Half the thickness of a line's section: the fibre that is furthest from the axis. */
function halfThickness(mesh: FlexibleMesh): number {
    let half = 0;
    for (let k = 0; k < mesh.points.rows; ++k) {
        half = Math.max(half, Math.abs(mesh.points.at(k, 1)), Math.abs(mesh.points.at(k, 2)));
    }
    return half;
}

function lineCorners(mesh: FlexibleMesh, steps: number): { corners: Corner[]; around: number } {
    const section = outline(mesh);
    const corners: Corner[] = [];
    for (let element = 0; element < mesh.elements.rows; ++element) {
        for (let i = 0; i <= steps; ++i) {
            const along = parabola(i / steps);
            for (const { fibres, side } of section) {
                const samples = new Map<number, number>();
                for (let s = 0; s < STATIONS; ++s) {
                    for (const [fibre, weight] of fibres) {
                        add(samples, s * mesh.info.fibres + fibre, along[s] * weight);
                    }
                }
                corners.push({ element, samples, side });
            }
        }
    }
    return { corners, around: section.length };
}

function quad(index: number[], a: number, b: number, c: number, d: number): void {
    index.push(a, b, c, a, c, d);
}

function lineIndex(elements: number, steps: number, around: number): number[] {
    const index: number[] = [];
    const ringSize = around;
    for (let e = 0; e < elements; ++e) {
        for (let i = 0; i < steps; ++i) {
            const first = (e * (steps + 1) + i) * ringSize;
            for (let k = 0; k < around; ++k) {
                const next = (k + 1) % around;
                quad(index, first + k, first + next, first + ringSize + next, first + ringSize + k);
            }
        }
    }
    const last = (elements * (steps + 1) - 1) * ringSize;
    for (let k = 1; k + 1 < around; ++k) {
        index.push(0, k + 1, k, last, last + k, last + k + 1);
    }
    return index;
}

function patchCorners(mesh: FlexibleMesh, steps: number): Corner[] {
    const corners: Corner[] = [];
    for (let element = 0; element < mesh.elements.rows; ++element) {
        for (let side = 0; side < 2; ++side) {
            for (let j = 0; j <= steps; ++j) {
                for (let i = 0; i <= steps; ++i) {
                    const u = parabola(i / steps);
                    const v = parabola(j / steps);
                    const samples = new Map<number, number>();
                    for (let k = 0; k < 9; ++k) {
                        add(samples, 9 * side + k, u[k % 3] * v[Math.floor(k / 3)]);
                    }
                    corners.push({ element, samples, side: 0 });
                }
            }
        }
    }
    return corners;
}

// The node at a corner of an element: the one whose position has the largest weight there.
function nodeAt(mesh: FlexibleMesh, element: number, sample: number, vectors: number): number {
    const nodes = mesh.elements.rowLength;
    const n = nodes * vectors;
    let best = 0;
    for (let k = 1; k < nodes; ++k) {
        const weight = (node: number) => mesh.weights.at(element, sample * n + node * vectors);
        best = weight(k) > weight(best) ? k : best;
    }
    return mesh.elements.at(element, best);
}

// Edges of a patch in turn, as the two samples at their ends.
const EDGES = [[0, 2], [2, 8], [8, 6], [6, 0]];

function edgeKey(mesh: FlexibleMesh, e: number, edge: number[], vectors: number): string {
    const ends = edge.map((sample) => nodeAt(mesh, e, sample, vectors));
    return ends.sort((a, b) => a - b).join(" ");
}

/** Edges that belong to one element only: there the plate has a rim. */
function rims(mesh: FlexibleMesh, vectors: number): [number, number][] {
    const count = new Map<string, number>();
    for (let e = 0; e < mesh.elements.rows; ++e) {
        for (const edge of EDGES) {
            const key = edgeKey(mesh, e, edge, vectors);
            count.set(key, (count.get(key) ?? 0) + 1);
        }
    }
    const out: [number, number][] = [];
    for (let e = 0; e < mesh.elements.rows; ++e) {
        EDGES.forEach((edge, k) => {
            if (count.get(edgeKey(mesh, e, edge, vectors)) === 1) {
                out.push([e, k]);
            }
        });
    }
    return out;
}

function patchIndex(mesh: FlexibleMesh, steps: number, vectors: number): number[] {
    const index: number[] = [];
    const row = steps + 1;
    const side = row * row;
    for (let e = 0; e < mesh.elements.rows; ++e) {
        for (let j = 0; j < steps; ++j) {
            for (let i = 0; i < steps; ++i) {
                const a = 2 * side * e + row * j + i;
                const b = a + side;
                quad(index, a, a + row, a + row + 1, a + 1);
                quad(index, b, b + 1, b + row + 1, b + row);
            }
        }
    }
    for (const [e, k] of rims(mesh, vectors)) {
        for (let i = 0; i < steps; ++i) {
            const places = [i, steps * 1 + i * row, side - 1 - i, steps * row - i * row];
            const nexts = [i + 1, steps + (i + 1) * row, side - 2 - i, steps * row - (i + 1) * row];
            const a = 2 * side * e + places[k];
            const b = 2 * side * e + nexts[k];
            quad(index, a, b, b + side, a + side);
        }
    }
    return index;
}

// Weights of the vectors of the element's nodes: those of the samples, summed.
function pack(mesh: FlexibleMesh, corners: Corner[], index: number[], tube: boolean): Surface {
    const points = mesh.points.rows;
    const n = mesh.weights.rowLength / points;
    const surface: Surface = {
        corners: corners.length,
        element: Int32Array.from(corners, (corner) => corner.element),
        samples: new Float32Array(corners.length * points),
        weights: new Float32Array(corners.length * n),
        index,
        tube,
        side: corners.some(({ side }) => side !== 0) ? Float32Array.from(corners, ({ side }) => side) : null,
        half: mesh.info.topology === "line" ? halfThickness(mesh) : 0,
    };
    corners.forEach((corner, c) => {
        for (const [sample, weight] of corner.samples) {
            surface.samples[c * points + sample] = weight;
            for (let k = 0; k < n; ++k) {
                surface.weights[c * n + k] +=
                    weight * mesh.weights.at(corner.element, sample * n + k);
            }
        }
    });
    return surface;
}

/** Corners and triangles of a flexible body; nodes tell how many vectors a node has. */
export function makeSurface(mesh: FlexibleMesh, nodes: Block): Surface {
    const vectors = nodes.shape[2] ?? 1;
    const steps = mesh.elements.rows > 150 ? 2 : mesh.elements.rows > 20 ? 4 : 8;
    if (mesh.info.topology === "patch") {
        return pack(mesh, patchCorners(mesh, steps), patchIndex(mesh, steps, vectors), false);
    }
    const { corners, around } = lineCorners(mesh, steps);
    const tube = around === 1;
    const index = tube ? [] : lineIndex(mesh.elements.rows, steps, around);
    return pack(mesh, corners, index, tube);
}

/** Positions of all corners from one row of node vectors. */
export function placeCorners(
    s: Surface,
    mesh: FlexibleMesh,
    vectors: number,
    nodes: Float64Array,
    out: Float32Array,
): void {
    const perElement = mesh.elements.rowLength;
    const n = perElement * vectors;
    for (let c = 0; c < s.corners; ++c) {
        let x = 0;
        let y = 0;
        let z = 0;
        for (let k = 0; k < n; ++k) {
            const w = s.weights[c * n + k];
            const node = mesh.elements.values[s.element[c] * perElement + Math.floor(k / vectors)];
            const at = 3 * (node * vectors + (k % vectors));
            x += w * nodes[at];
            y += w * nodes[at + 1];
            z += w * nodes[at + 2];
        }
        out[3 * c] = x;
        out[3 * c + 1] = y;
        out[3 * c + 2] = z;
    }
}

/** Moves the corners of a plane beam off its plane, so that it is as thick as it is high. */
export function thicken(s: Surface, out: Float32Array): void {
    if (s.side === null || s.corners < 8) {
        return;
    }
    // the normal of the plane: along the axis, then across
    const at = (c: number, k: number) => out[3 * c + k];
    const a = [0, 1, 2].map((k) => at(4, k) - at(0, k));
    const b = [0, 1, 2].map((k) => at(1, k) - at(0, k));
    const n = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const scale = s.half / (Math.hypot(...n) || 1);
    for (let c = 0; c < s.corners; ++c) {
        for (let k = 0; k < 3; ++k) {
            out[3 * c + k] += s.side[c] * scale * n[k];
        }
    }
}
