// Modes of a linearisation: complex shapes about one state, and the motion that one of them makes.
import { Block } from "./block.ts";
import { DataError } from "./container.ts";
import { Motion, type FlexibleMotion } from "./frames.ts";
import type { ModalMesh } from "./dataset.ts";
import type { BlockInfo, Header, ModeInfo, ShapeInfo } from "./header.ts";

export interface Modes {
    list: ModeInfo[];
    translation: Block | null; // mode, 2, body, 3
    rotation: Block | null;
    flexible: Block[]; // mode, 2, nodes * vectors, 3
    modal: (Block | null)[]; // mode, 2, coordinates
    state: Motion; // the one row that was linearised about
}

const ROWS = 48; // of a period: lines between them are off by a five hundredth of the amplitude
const LARGEST_TURN = 0.7; // rad: small rotations that are drawn larger look like nothing

export async function readModes(
    read: (info: BlockInfo) => Promise<Block>,
    header: Header,
    state: Motion,
): Promise<Modes | null> {
    const { modes } = header;
    if (modes === null || modes === undefined) {
        return null;
    }
    const n = modes.list.length;
    const block = async (info: BlockInfo | null | undefined, width: number, what: string) => {
        const found = info === null || info === undefined ? null : await read(info);
        if (found !== null && (found.rows !== n || found.rowLength !== width)) {
            throw new DataError(`The ${what} of the modes have the shape ${found.shape.join(" x ")}: damaged data.`);
        }
        return found;
    };
    if (state.times.length !== 1) {
        throw new DataError(`Modes stand beside one row of frames, not ${state.times.length}: damaged data.`);
    }
    const flexible: Block[] = [];
    for (const [k, info] of (modes.flexible ?? []).entries()) {
        const own = await block(info, 2 * (state.flexible[k]?.nodes.rowLength ?? 0), "nodes");
        if (own !== null) {
            flexible.push(own);
        }
    }
    const modal: (Block | null)[] = [];
    for (const [k, info] of (modes.modal ?? []).entries()) {
        modal.push(await block(info, 2 * (state.modal[k]?.rowLength ?? 0), "modal coordinates"));
    }
    return {
        list: modes.list,
        translation: await block(modes.translation, 6 * state.bodies, "translations"),
        rotation: await block(modes.rotation, 6 * state.bodies, "rotations"),
        flexible,
        modal,
        state,
    };
}

/** How far a shape reaches from its body's centre of mass. */
function shapeReach({ position, size, radius = 0, length = 0, from, to, semi_axes, points = [] }: ShapeInfo): number {
    const norm = (v: number[] | undefined) => Math.hypot(...(v ?? [0]));
    return norm(position) + Math.max(norm(size) / 2, radius + length / 2, radius + norm(from), radius + norm(to), ...(semi_axes ?? []), ...points.map(Math.abs));
}

/** How far bodies reach from their centres of mass, ground left out: what a rotation moves. */
function reaches(header: Header): number[] {
    const { scene } = header;
    const reach = (scene?.bodies ?? []).map(({ shapes }) => Math.max(0, ...(shapes ?? []).map(shapeReach)));
    for (const { bodies, frames } of [...(scene?.joints ?? []), ...(scene?.forces ?? [])]) {
        bodies?.forEach((body, side) => {
            const at = frames?.[side];
            if (at && body > 0) {
                reach[body] = Math.max(reach[body] ?? 0, Math.hypot(at[0], at[1], at[2]));
            }
        });
    }
    return reach.slice(1);
}

/** Longest axis of the ellipse re cos(phi) - im sin(phi). */
function longest(re: number[], im: number[]): number {
    const dot = (a: number[], b: number[]) => a.reduce((sum, x, k) => sum + x * b[k], 0);
    const [a, b, c] = [dot(re, re), dot(im, im), dot(re, im)];
    return Math.sqrt((a + b) / 2 + Math.hypot((a - b) / 2, c));
}

function vectorOf(block: Block, mode: number, part: number, item: number): number[] {
    const half = block.rowLength / 2;
    return [0, 1, 2].map((k) => block.at(mode, part * half + 3 * item + k));
}

/** The largest displacement of the surface of a modal body by its coordinates alone. */
function bend(mesh: ModalMesh, coordinates: Block, mode: number): number {
    const chosen = mesh.info.chosen ?? Array.from({ length: mesh.info.modes }, (_, j) => j);
    const half = coordinates.rowLength / 2;
    const { shapes } = mesh;
    let far = 0;
    for (let node = 0; node < shapes.rows; ++node) {
        const moved = [0, half].map((part) => [0, 1, 2].map((c) =>
            chosen.reduce((sum, j, k) => sum + shapes.at(node, 3 * k + c) * coordinates.at(mode, part + j), 0)));
        far = Math.max(far, longest(moved[0], moved[1]));
    }
    return far;
}

/** Factor on a mode's shape that makes its largest displacement so many metres. */
export function modeFactor({ translation, rotation, flexible, modal, state }: Modes, header: Header, mode: number, displacement: number, meshes: ModalMesh[] = []): number {
    const reach = reaches(header);
    let [far, turn] = [0, 0];
    const size = (block: Block | null, item: number) => (block === null ? 0 : longest(vectorOf(block, mode, 0, item), vectorOf(block, mode, 1, item)));
    for (let b = 0; b < state.bodies; ++b) {
        const angle = size(rotation, b);
        far = Math.max(far, size(translation, b) + angle * (reach[b] ?? 0));
        turn = Math.max(turn, angle);
    }
    flexible.forEach((block, k) => {
        const vectors = state.flexible[k].nodes.shape[2] ?? 1;
        for (let item = 0; item < block.rowLength / 6; item += vectors) {
            far = Math.max(far, size(block, item));
        }
    });
    meshes.forEach((mesh, k) => {
        const coordinates = modal[k] ?? null;
        far = Math.max(far, coordinates === null ? 0 : bend(mesh, coordinates, mode));
    });
    // a mode that moves nothing has no factor: none of its parts are bodies
    return far > 0 ? Math.min(displacement / far, turn > 0 ? LARGEST_TURN / turn : Infinity) : 0;
}

/** Length of one period as it is played; modes that do not oscillate take a second. */
export function modePeriod({ frequency }: ModeInfo): number {
    return frequency > 0 ? 1 / frequency : 1;
}

// exp(v) * q, with v in global axes
function turned(v: number[], q: number[]): number[] {
    const angle = Math.hypot(...v);
    const s = angle > 1e-12 ? Math.sin(angle / 2) / angle : 0.5;
    const [w, x, y, z] = [Math.cos(angle / 2), s * v[0], s * v[1], s * v[2]];
    return [
        w * q[0] - x * q[1] - y * q[2] - z * q[3],
        w * q[1] + x * q[0] + y * q[3] - z * q[2],
        w * q[2] - x * q[3] + y * q[0] + z * q[1],
        w * q[3] + x * q[2] - y * q[1] + z * q[0],
    ];
}

/** One period of a mode as a motion of its own: state + factor * Re(shape * e^(i phi)). */
export function modeMotion(modes: Modes, mode: number, factor: number): Motion {
    const { state, translation, rotation, flexible, modal, list } = modes;
    const period = modePeriod(list[mode]);
    const n = state.bodies;
    const times = Float64Array.from({ length: ROWS + 1 }, (_, i) => period * (i / ROWS));
    const position = new Float64Array((ROWS + 1) * 3 * n);
    const orientation = new Float64Array((ROWS + 1) * 4 * n);
    const at = (block: Block | null, item: number, phase: number) => {
        const [c, s] = [factor * Math.cos(phase), factor * Math.sin(phase)];
        const [re, im] = block === null ? [[0, 0, 0], [0, 0, 0]] : [vectorOf(block, mode, 0, item), vectorOf(block, mode, 1, item)];
        return re.map((x, k) => c * x - s * im[k]);
    };
    times.forEach((_, i) => {
        const phase = (2 * Math.PI * i) / ROWS;
        for (let b = 0; b < n; ++b) {
            const moved = at(translation, b, phase).map((x, k) => x + (state.positions?.at(0, 3 * b + k) ?? 0));
            const q = [0, 1, 2, 3].map((k) => state.orientations?.at(0, 4 * b + k) ?? (k === 0 ? 1 : 0));
            position.set(moved, 3 * (i * n + b));
            orientation.set(turned(at(rotation, b, phase), q), 4 * (i * n + b));
        }
    });
    const soft = state.flexible.map(({ nodes }, k): FlexibleMotion => {
        const row = nodes.rowLength;
        const values = new Float64Array((ROWS + 1) * row);
        times.forEach((_, i) => {
            for (let item = 0; item < row / 3; ++item) {
                const move = at(flexible[k] ?? null, item, (2 * Math.PI * i) / ROWS);
                move.forEach((x, c) => (values[i * row + 3 * item + c] = nodes.at(0, 3 * item + c) + x));
            }
        });
        return { nodes: new Block(values, [ROWS + 1, ...nodes.shape.slice(1)]), strain: null, stress: null };
    });
    const bent = state.modal.map((rest, k) => {
        const m = rest.rowLength;
        const values = new Float64Array((ROWS + 1) * m);
        const shape = modal[k] ?? null;
        times.forEach((_, i) => {
            const phase = (2 * Math.PI * i) / ROWS;
            const [c, s] = [factor * Math.cos(phase), factor * Math.sin(phase)];
            for (let j = 0; j < m; ++j) {
                values[i * m + j] = rest.at(0, j) + (shape === null ? 0 : c * shape.at(mode, j) - s * shape.at(mode, m + j));
            }
        });
        return new Block(values, [ROWS + 1, m]);
    });
    return new Motion(times, new Block(position, [ROWS + 1, n, 3]), new Block(orientation, [ROWS + 1, n, 4]), null, soft, null, bent);
}
