// Reports made up for tests: motions in closed form, every shape, every symbol, flexible bodies.
import type { BlockInfo, BodyInfo, ChannelItem, FlexibleInfo, Header, LinkInfo, Quat, ShapeInfo, Vec3 } from "../src/data/header.ts";
import { ContainerWriter } from "./writer.ts";

export interface Pose {
    position: Vec3;
    orientation: Quat;
}

export interface Fixture {
    bytes: Uint8Array;
    header: Header;
    times: Float64Array;
    poses: (row: number, body: number) => Pose; // body 0 is the first after ground
}

export function times(n: number, end: number): Float64Array {
    return Float64Array.from({ length: n }, (_, i) => (end * i) / (n - 1));
}

function about(axis: "x" | "y" | "z", angle: number): Quat {
    const c = Math.cos(angle / 2);
    const s = Math.sin(angle / 2);
    return axis === "x" ? [c, s, 0, 0] : axis === "y" ? [c, 0, s, 0] : [c, 0, 0, s];
}

export interface Parts {
    title: string;
    bodies: BodyInfo[];
    joints?: LinkInfo[];
    forces?: LinkInfo[];
    up?: Vec3;
    time: Float64Array;
    pose: (t: number, body: number) => Pose;
    reactions?: (t: number, joint: number) => number[];
    contacts?: (t: number) => { point: number[]; force: number[] }[]; // the same number at all times
    outputs?: { item: ChannelItem; value: (t: number) => number }[];
    model?: string;
    quantised?: boolean;
    status?: string;
    first?: number; // row, of a run that is watched
    rows?: number;
    flexible?: (w: ContainerWriter, time: Float64Array) => { info: FlexibleInfo; frames: { nodes: BlockInfo; strain: BlockInfo; stress: null } }[];
    prepare?: (w: ContainerWriter) => void;
    finish?: (w: ContainerWriter, header: Header) => void;
}

function motionBlocks(w: ContainerWriter, p: Parts): { position: BlockInfo; orientation: BlockInfo } {
    const n = p.bodies.length - 1;
    const position: number[] = [];
    const orientation: number[] = [];
    for (const t of p.time) {
        for (let b = 0; b < n; ++b) {
            const pose = p.pose(t, b);
            position.push(...pose.position);
            orientation.push(...pose.orientation);
        }
    }
    const m = p.time.length;
    if (p.quantised !== true) {
        return { position: w.add(position, [m, n, 3]), orientation: w.add(orientation, [m, n, 4], { type: "f32", deflate: true, shuffle: true }) };
    }
    const scale = 1e-6;
    const steps = position.map((x) => Math.round(x / scale));
    return {
        position: w.add(steps, [m, n, 3], { type: "i32", deflate: true, shuffle: true, delta: true, scale, offset: 0 }),
        orientation: w.add(orientation.map((x) => Math.round((x + 1) * 32767)), [m, n, 4], { type: "u16", deflate: true, shuffle: true, delta: true, scale: 1 / 32767, offset: -1 }),
    };
}

function certificates(): { item: ChannelItem; value: (t: number) => number }[] {
    const item = (name: string, kind: string, unit: string, group: string): ChannelItem => ({ name, kind, unit, group });
    return [
        { item: item("kinetic", "energy", "J", "energy"), value: (t) => 5 + 5 * Math.cos(6 * t) },
        { item: item("potential", "energy", "J", "energy"), value: (t) => 5 - 5 * Math.cos(6 * t) },
        { item: item("energy balance", "energy", "J", "energy"), value: (t) => 1e-7 * Math.sin(3 * t) },
        { item: item("phi", "certificate", "m", "constraint violation"), value: (t) => 1e-12 * (1.5 + Math.sin(9 * t)) },
        { item: item("phi_dot", "certificate", "m/s", "constraint violation"), value: (t) => 1e-10 * (1.5 + Math.sin(7 * t)) },
        { item: item("phi_ddot", "certificate", "m/s^2", "constraint violation"), value: (t) => 1e-8 * (1.5 + Math.sin(5 * t)) },
    ];
}

function solverBlocks(w: ContainerWriter, end: number): NonNullable<Header["solver"]> {
    const n = 240;
    const t = Array.from({ length: n }, (_, i) => (end * i) / n);
    const rejected = t.map((_, i) => i % 23 === 7);
    return {
        t: w.add(t, [n]),
        h: w.add(t.map((x, i) => 1e-3 * (1.2 + Math.sin(4 * x)) * (rejected[i] ? 2 : 1)), [n]),
        error: w.add(t.map((x, i) => (rejected[i] ? 2.5 : 0.4 + 0.3 * Math.cos(5 * x))), [n]),
        accepted: w.add(rejected.map((r) => (r ? 0 : 1)), [n], { type: "i32" }),
        iterations: w.add(t.map((_, i) => 2 + (i % 3)), [n], { type: "i32" }),
        order: w.add(t.map((_, i) => (i < 20 ? 3 : i < 160 ? 5 : 7)), [n], { type: "i32" }),
        cause: w.add(rejected.map((r, i) => (r ? 1 + (i % 2) : 0)), [n], { type: "i32" }),
        causes: ["accepted", "error too large", "no convergence"],
        kept: n,
        of: 2 * n,
    };
}

const STATISTICS = {
    steps: 470, rejected: 10, rejected_error: 6, rejected_newton: 4, iterations: 1400, residuals: 2300, jacobians: 130,
    factorizations: 140, seconds_total: 0.012, seconds_setup: 0.001, seconds_residual: 0.004, seconds_jacobian: 0.002,
    seconds_factor: 0.0025, seconds_solve: 0.0012, seconds_output: 0.0008,
};

function contactBlock(w: ContainerWriter, p: Parts): { contacts?: BlockInfo } {
    const { contacts } = p;
    if (contacts === undefined) {
        return {};
    }
    const values = Array.from(p.time).flatMap((t) => [...contacts(t).flatMap(({ point }) => point), ...contacts(t).flatMap(({ force }) => force)]);
    return { contacts: w.add(values, [p.time.length, 2, contacts(p.time[0]).length, 3], { type: "f32", deflate: true }) };
}

export function makeReport(p: Parts): Fixture {
    const w = new ContainerWriter();
    p.prepare?.(w);
    const n = p.bodies.length - 1;
    const m = p.time.length;
    const end = p.time[m - 1] ?? 0;
    const soft = p.flexible?.(w, p.time) ?? [];
    const joints = p.joints ?? [];
    const items = [...(p.outputs ?? []), ...certificates()];
    const values = Array.from(p.time).flatMap((t) => items.map(({ value }) => value(t)));
    const reactions = p.reactions;
    const header: Header = {
        format: 1,
        trammel: "0.4.0",
        title: p.title,
        status: p.status ?? "done",
        run: {
            integrator: "radau", choice: "auto: stiff, closed loops", tolerance: 1e-7, end_time: end, output_step: end / (m - 1),
            options: { max_order: "9" }, notes: ["assembly moved nothing"], model_file: "model.yaml", model: p.model ?? "trammel: 1\n",
            statistics: STATISTICS, rows: p.rows ?? m, first: p.first ?? 0, command: "trammel run model.yaml -o model.h5 --report model.html",
        },
        counts: { bodies: n, joints: joints.length, forces: p.forces?.length ?? 0, flexible: soft.length, coordinates: 7 * n, dof: 1, redundant: [], warnings: [] },
        scene: { up: p.up ?? [0, 0, 1], gravity: [0, 0, -9.81], size: 2, bodies: p.bodies, joints, forces: p.forces ?? [], flexible: soft.map(({ info }) => info) },
        frames: {
            time: w.add(p.time, [m]),
            error_bound: { position: 1e-5, angle: 1e-5 },
            kept: m,
            of: m,
            ...motionBlocks(w, p),
            ...(reactions === undefined ? {} : { reactions: w.add(Array.from(p.time).flatMap((t) => joints.flatMap((_, j) => reactions(t, j))), [m, joints.length, 6], { type: "f32", deflate: true }) }),
            ...contactBlock(w, p),
            flexible: soft.map(({ frames }) => frames),
        },
        channels: { groups: [{ time: w.add(p.time, [m], { deflate: true, shuffle: true }), error_bound: 0, items: items.map(({ item }) => item), values: w.add(values, [m, items.length], { deflate: true, shuffle: true }) }] },
        solver: solverBlocks(w, end),
        compare: null,
    };
    p.finish?.(w, header);
    return { bytes: w.finish(header), header, times: p.time, poses: (row, body) => p.pose(p.time[row], body) };
}

const AT_ORIGIN = [0, 0, 0, 1, 0, 0, 0];
/** z of the joint along y: a quarter turn about x. */
const ALONG_Y = [Math.SQRT1_2, -Math.SQRT1_2, 0, 0];

/** A pendulum in the x-z plane about y, with the default link of a body without shapes. */
export function pendulum(name = "rod", title = "Pendulum"): Fixture {
    const length = 1;
    const angle = (t: number) => 1.2 * Math.cos(3 * t);
    const pose = (t: number): Pose => {
        const a = angle(t);
        return { position: [(length / 2) * Math.sin(a), 0, (-length / 2) * Math.cos(a)], orientation: about("y", -a) };
    };
    return makeReport({
        title,
        time: times(301, 6),
        bodies: [{ name: "ground" }, { name, shapes: [{ kind: "link", from: [0, 0, -length / 2], to: [0, 0, length / 2], radius: 0.03, color: null }], default: true }],
        joints: [{ name: `pin of ${name}`, type: "revolute", bodies: [0, 1], frames: [[0, 0, 0, ...ALONG_Y], [0, 0, length / 2, ...ALONG_Y]] }],
        pose,
        reactions: (t) => [20 * Math.sin(angle(t)), 0, 30 * Math.cos(angle(t)), 0, 0, 0],
        outputs: [
            { item: { name: `angle of ${name}`, unit: "rad", kind: "output", group: "outputs" }, value: angle },
            { item: { name: `height of ${name}`, unit: "m", kind: "output", group: "outputs" }, value: (t) => pose(t).position[2] },
            { item: { name: `pin of ${name}.fx`, unit: "N", kind: "reaction", group: `joint pin of ${name}`, label: "fx" }, value: (t) => 20 * Math.sin(angle(t)) },
        ],
        model: `trammel: 1\ntitle: ${title}\nbodies:\n  ${JSON.stringify(name)}: {mass: 1, inertia: [0.1, 0.1, 0.01]}\n`,
    });
}

/** All kinds of shapes in a row, each turning about z. */
export function shapes(): Fixture {
    const kinds: ShapeInfo[] = [
        { kind: "box", size: [0.5, 0.3, 0.2], color: "#5a6b7b" },
        { kind: "cylinder", radius: 0.15, length: 0.5, axis: [1, 0, 0], color: null },
        { kind: "sphere", radius: 0.22, color: "#3a7bd5" },
        { kind: "capsule", radius: 0.12, length: 0.3, axis: [0, 1, 0], color: null },
        { kind: "link", from: [-0.3, 0, -0.1], to: [0.3, 0, 0.1], radius: 0.05, color: "#c98a2b" },
        { kind: "mesh", color: "#7a9e7e", position: [0, 0, 0], orientation: [1, 0, 0, 0] },
    ];
    return makeReport({
        title: "All shapes",
        time: times(101, 5),
        bodies: [{ name: "ground" }, ...kinds.map((shape) => ({ name: `the ${shape.kind}`, shapes: [shape] }))],
        pose: (t, b) => ({ position: [0.8 * b, 0.2 * Math.sin(t + b), 0.3], orientation: about("z", 0.5 * t) }),
        quantised: true,
        prepare: (w) => {
            const mesh = kinds[5];
            mesh.vertices = w.add([0.3, 0, -0.2, -0.2, 0.25, -0.2, -0.2, -0.25, -0.2, 0, 0, 0.3], [4, 3], { type: "f32" });
            mesh.triangles = w.add([0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3], [4, 3], { type: "i32" });
        },
    });
}

export const JOINT_TYPES = [
    "revolute", "spherical", "translational", "cylindrical", "universal", "planar", "fixed", "distance", "revolute_spherical",
    "point_on_line", "point_on_curve", "point_in_plane", "parallel_axes", "perpendicular_axes", "orientation", "screw",
    "rack_pinion", "gear", "coupler", "motion", "rolling_disc", "unheard_of",
];
export const FORCE_TYPES = ["spring", "rotational_spring", "bushing", "force", "torque", "friction"];

/** Every joint and force type once, each between ground and a small body that moves up and down. */
export function symbols(): Fixture {
    const types = [...JOINT_TYPES, ...FORCE_TYPES];
    const at = (k: number): Vec3 => [1.2 * (k % 7), 1.4 * Math.floor(k / 7), 0];
    const link = (type: string, k: number): LinkInfo => ({
        name: `a ${type}`,
        type,
        bodies: [0, k + 1],
        frames: [[...at(k), 1, 0, 0, 0], AT_ORIGIN],
    });
    return makeReport({
        title: "All symbols",
        time: times(101, 5),
        bodies: [{ name: "ground" }, ...types.map((type) => ({ name: type, shapes: [{ kind: "box", size: [0.9, 0.06, 0.06] as Vec3, color: null }] }))],
        joints: JOINT_TYPES.map(link),
        forces: FORCE_TYPES.map((type, k) => link(type, JOINT_TYPES.length + k)),
        pose: (t, b) => {
            const [x, y, z] = at(b);
            return { position: [x, y, z + 0.5 + 0.3 * Math.sin(t + b)], orientation: about("z", 0.3 * t) };
        },
    });
}

// Cubic lines (position and slope at either end), sampled at three stations of some fibres.
function hermite(x: number, length: number): number[] {
    return [1 - 3 * x ** 2 + 2 * x ** 3, length * (x - 2 * x ** 2 + x ** 3), 3 * x ** 2 - 2 * x ** 3, length * (x ** 3 - x ** 2)];
}

function lineBody(w: ContainerWriter, time: Float64Array, y: number, fibres: number, round: boolean, name: string) {
    const elements = 8;
    const le = 0.25;
    const half = 0.05;
    const corner = round ? [[0, 0], [-1, 0], [0, -1], [1, 0], [0, 1]] : [[0, 0], [-1, -1], [1, -1], [1, 1], [-1, 1]];
    const list = fibres === 3 ? [[0, 0], [-1, 0], [1, 0]] : corner.slice(0, fibres);
    const points = [0, 0.5, 1].flatMap((x) => list.map(([a, b]) => [x, a * half, b * half]));
    // vectors of a node: position, r_x, r_y, r_z; fibres are off the axis by linear r_y and r_z
    const weights: number[] = [];
    for (let e = 0; e < elements; ++e) {
        for (const [x, a, b] of points) {
            const h = hermite(x, le);
            weights.push(h[0], h[1], a * (1 - x), b * (1 - x), h[2], h[3], a * x, b * x);
        }
    }
    const nodes: number[] = [];
    const strain: number[] = [];
    for (const t of time) {
        const s = 0.25 * Math.sin(2 * t);
        for (let k = 0; k <= elements; ++k) {
            const x = k * le;
            nodes.push(x, y, s * x * x, 1, 0, 2 * s * x, 0, 1, 0, 0, 0, 1);
        }
        for (let e = 0; e < elements; ++e) {
            for (const [x, , b] of points) {
                strain.push(-b * 2 * s, Math.abs(s) * (e + x));
            }
        }
    }
    const m = time.length;
    const info: FlexibleInfo = {
        name, topology: "line", nodes: elements + 1,
        elements: w.add(Array.from({ length: elements }, (_, e) => [e, e + 1]).flat(), [elements, 2], { type: "i32" }),
        weights: w.add(weights, [elements, points.length, 8], { type: "f32" }),
        points: w.add(points.flat(), [points.length, 3], { type: "f32" }),
        fibres, stations: 3, columns: ["exx", "curvature"], units: ["", "1/m"],
    };
    return {
        info,
        frames: {
            nodes: w.add(nodes, [m, elements + 1, 4, 3], { type: "f32", deflate: true, shuffle: true }),
            strain: w.add(strain, [m, elements, points.length, 2], { type: "f32", deflate: true, shuffle: true }),
            stress: null,
        },
    };
}

// A plate of nx x ny elements that swings; bilinear, with one gradient across.
function patchBody(w: ContainerWriter, time: Float64Array, y0: number) {
    const nx = 6;
    const ny = 4;
    const size = 0.3;
    const node = (i: number, j: number) => j * (nx + 1) + i;
    const elements: number[] = [];
    for (let j = 0; j < ny; ++j) {
        for (let i = 0; i < nx; ++i) {
            elements.push(node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1));
        }
    }
    const points = Array.from({ length: 18 }, (_, k) => [0.5 * (k % 3), 0.5 * Math.floor((k % 9) / 3), k < 9 ? -0.02 : 0.02]);
    const weights = Array.from({ length: nx * ny }, () => points.flatMap(([u, v, z]) => [(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v].flatMap((s) => [s, s * z]))).flat();
    const nodes: number[] = [];
    const strain: number[] = [];
    for (const t of time) {
        const a = 0.15 * Math.sin(2 * t);
        for (let j = 0; j <= ny; ++j) {
            for (let i = 0; i <= nx; ++i) {
                nodes.push(size * i, y0 + size * j, a * Math.sin(1.2 * size * i) * (1 + 0.5 * j), 0, 0, 1);
            }
        }
        for (let e = 0; e < nx * ny; ++e) {
            for (const [u, v, z] of points) {
                strain.push(z * a * (1 + (e % nx) + u + v), Math.abs(a) * (1 + v));
            }
        }
    }
    const m = time.length;
    const count = (nx + 1) * (ny + 1);
    const info: FlexibleInfo = {
        name: "plate", topology: "patch", nodes: count,
        elements: w.add(elements, [nx * ny, 4], { type: "i32" }),
        weights: w.add(weights, [nx * ny, 18, 8], { type: "f32" }),
        points: w.add(points.flat(), [18, 3], { type: "f32" }),
        fibres: 9, stations: 2, columns: ["exx", "curvature"], units: ["", "1/m"],
    };
    return {
        info,
        frames: {
            nodes: w.add(nodes, [m, count, 2, 3], { type: "f32", deflate: true }),
            strain: w.add(strain, [m, nx * ny, 18, 2], { type: "f32", deflate: true }),
            stress: null,
        },
    };
}

export function flexible(): Fixture {
    return makeReport({
        title: "Flexible bodies",
        time: times(81, 4),
        bodies: [{ name: "ground" }],
        pose: () => ({ position: [0, 0, 0], orientation: [1, 0, 0, 0] }),
        flexible: (w, time) => [
            lineBody(w, time, 0, 5, false, "beam"),
            lineBody(w, time, 0.4, 5, true, "shaft"),
            lineBody(w, time, 0.8, 3, false, "strip"),
            lineBody(w, time, 1.2, 1, false, "cable"),
            patchBody(w, time, 1.6),
        ],
    });
}

/** n links of a swinging chain. */
export function chain(n: number, rows = 200): Fixture {
    const bend = (t: number, b: number) => 0.6 * Math.sin(1.3 * t + 0.012 * b) * Math.cos(0.2 * t);
    const link = 0.2;
    // ends of the links by summing up; computed per time once
    const cache = new Map<number, Float64Array>();
    const ends = (t: number): Float64Array => {
        let list = cache.get(t);
        if (list === undefined) {
            list = new Float64Array(2 * (n + 1));
            for (let b = 0; b < n; ++b) {
                list[2 * b + 2] = list[2 * b] + link * Math.sin(bend(t, b));
                list[2 * b + 3] = list[2 * b + 1] - link * Math.cos(bend(t, b));
            }
            cache.clear();
            cache.set(t, list);
        }
        return list;
    };
    return makeReport({
        title: `Chain of ${n} links`,
        time: times(rows, 10),
        bodies: [{ name: "ground" }, ...Array.from({ length: n }, (_, b) => ({ name: `link${b + 1}`, default: true, shapes: [{ kind: "link", from: [0, 0, -link / 2] as Vec3, to: [0, 0, link / 2] as Vec3, radius: 0.02, color: null }] }))],
        joints: Array.from({ length: n }, (_, b) => ({ name: `pin${b + 1}`, type: "revolute", bodies: [b, b + 1], frames: [b === 0 ? [0, 0, 0, ...ALONG_Y] : [0, 0, -link / 2, ...ALONG_Y], [0, 0, link / 2, ...ALONG_Y]] })),
        pose: (t, b) => {
            const e = ends(t);
            return { position: [(e[2 * b] + e[2 * b + 2]) / 2, 0, (e[2 * b + 1] + e[2 * b + 3]) / 2], orientation: about("y", -bend(t, b)) };
        },
        reactions: (t, j) => [Math.sin(t), 0, n - j, 0, 0, 0],
        outputs: [{ item: { name: "tip", unit: "m", kind: "output", group: "outputs" }, value: (t) => ends(t)[2 * n] }],
        quantised: true,
    });
}

/** n pendulums in rows, all of them large enough to be seen: the costly way to fill a picture. */
export function field(n: number): Fixture {
    const wide = Math.ceil(Math.sqrt(1.6 * n));
    const at = (b: number): Vec3 => [0.5 * (b % wide), 0, -0.5 * Math.floor(b / wide)];
    const angle = (t: number, b: number) => Math.sin(2 * t + 0.1 * b);
    return makeReport({
        title: `${n} pendulums`,
        time: times(200, 10),
        bodies: [{ name: "ground" }, ...Array.from({ length: n }, (_, b) => ({ name: `rod${b + 1}`, shapes: [{ kind: "link", from: [0, 0, -0.2] as Vec3, to: [0, 0, 0.2] as Vec3, radius: 0.04, color: null }] }))],
        joints: Array.from({ length: n }, (_, b) => ({ name: `pin${b + 1}`, type: "revolute", bodies: [0, b + 1], frames: [[...at(b), ...ALONG_Y], [0, 0, 0.2, ...ALONG_Y]] })),
        pose: (t, b) => {
            const [x, y, z] = at(b);
            const a = angle(t, b);
            return { position: [x + 0.2 * Math.sin(a), y, z - 0.2 * Math.cos(a)], orientation: about("y", -a) };
        },
        quantised: true,
    });
}

/** Modes of a body at (1, 2, 3), turned a quarter about z, and of a beam: one that oscillates along a
 * circle and turns, one that bends the beam, one that only decays. */
export function modes(): Fixture {
    const soft: { nodes: number } = { nodes: 0 };
    const made = makeReport({
        title: "Modes", time: Float64Array.of(0),
        bodies: [{ name: "ground" }, { name: "bar", shapes: [{ kind: "box", size: [0.8, 0.2, 0.1] }] }],
        pose: () => ({ position: [1, 2, 3], orientation: about("z", Math.PI / 2) }),
        flexible: (w, time) => {
            const beam = lineBody(w, time, 0, 5, false, "beam");
            soft.nodes = 3 * 4 * beam.info.nodes;
            return [beam];
        },
        finish: (w, header) => {
            const wave = (k: number) => Array.from({ length: soft.nodes }, (_, i) => (k === 1 && i % 12 === 2 ? 0.5 * Math.floor(i / 12) ** 2 : 0));
            const zero = new Array<number>(soft.nodes).fill(0);
            header.modes = {
                time: 0, notes: [],
                list: [
                    { real: -0.5, imag: 20 * Math.PI, frequency: 10, damping_ratio: 0.00796, time_constant: 2, energy: [["bar", 1]] },
                    { real: 0, imag: 2 * Math.PI * 33, frequency: 33, damping_ratio: 0, time_constant: null, energy: [["beam", 0.97], ["bar", 0.03]] },
                    { real: -4, imag: 0, frequency: 0, damping_ratio: 1, time_constant: 0.25, energy: [["bar", 1]] },
                ],
                translation: w.add([2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0], [3, 2, 1, 3]),
                rotation: w.add([0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [3, 2, 1, 3]),
                flexible: [w.add([0, 1, 2].flatMap((k) => [...wave(k), ...zero]), [3, 2, soft.nodes / 3, 3])],
            };
        },
    });
    return made;
}

/** The table of a comparison, without frames. */
export function comparison(): Fixture {
    const row = (method: string, k: number, rate: number, cost: number) => ({
        method, tolerance: 10 ** -k, error: 10 ** (-rate * k), steps: 100 * 2 ** k, evaluations: Math.round(cost * 300 * 1.8 ** k), factorisations: 20 * k, seconds: cost * 1e-3 * 1.8 ** k, status: "TML_OK", message: "",
    });
    const rows = ["hht", "radau", "rosenbrock"].flatMap((method, i) => [3, 4, 5, 6].map((k) => row(method, k, 0.7 + 0.2 * i, 1 + 0.5 * i)));
    const w = new ContainerWriter();
    const header: Header = {
        format: 1, trammel: "0.4.0", title: "Stiff double pendulum", status: "done",
        run: { model_file: "double_pendulum.yaml", model: "trammel: 1\n", command: "trammel compare double_pendulum.yaml", statistics: null },
        compare: { rows: [...rows, { method: "adams", tolerance: 1e-3, error: null, status: "TML_E_STEP", message: "step too small at t = 0.1 s" }], reference: "radau at 1e-10", model: "double_pendulum.yaml" },
    };
    return { bytes: w.finish(header), header, times: new Float64Array(0), poses: () => ({ position: [0, 0, 0], orientation: [1, 0, 0, 0] }) };
}

/** Rows [first, last) of a run as a watching page gets them. */
export function piece(all: Float64Array, first: number, last: number): Uint8Array {
    const rows = Math.max(first, last);
    return makeReport({
        title: "Watched",
        time: all.slice(first, rows),
        bodies: [{ name: "ground" }, { name: "ball", shapes: [{ kind: "sphere", radius: 0.2, color: "steelblue" }] }],
        pose: (t) => ({ position: [t, 2 * t, 0], orientation: [1, 0, 0, 0] }),
        outputs: [{ item: { name: "x", unit: "m", kind: "output" }, value: (t) => t }],
        status: rows < all.length ? "running" : "done",
        first,
        rows,
    }).bytes;
}
