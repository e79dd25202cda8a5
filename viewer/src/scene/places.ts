// Places on flexible bodies to which joints and forces are tied: their position is a sum of node
// vectors. They get poses after those of the bodies, so that symbols need not tell them apart.
import type { Motion } from "../data/frames.ts";
import { mixRow } from "../data/frames.ts";
import type { LinkInfo, PlaceInfo, SceneInfo } from "../data/header.ts";
import { place } from "../data/lookup.ts";
import { POSE, writePose, type Poses } from "./poses.ts";

interface Tied {
    pose: number;
    info: PlaceInfo;
    like: { body: number; frame: number[] } | null; // the other end, whose axes are taken over
}

function otherEnd(link: LinkInfo, side: number): Tied["like"] {
    const body = link.bodies?.[1 - side] ?? -1;
    const frame = link.frames?.[1 - side];
    return body >= 0 && frame ? { body, frame } : null;
}

const NONE = [0, 0, 0];

export class Places {
    /** Joints and forces whose ends are all bodies, places counted as such. */
    readonly joints: LinkInfo[];
    readonly forces: LinkInfo[];
    private readonly tied: Tied[] = [];
    private next: number;

    constructor(scene: SceneInfo) {
        this.next = scene.bodies.length;
        this.joints = (scene.joints ?? []).map((link) => this.tie(link));
        this.forces = (scene.forces ?? []).map((link) => this.tie(link));
    }

    /** Bodies and places. */
    get count(): number {
        return this.next;
    }

    update(motion: Motion, t: number, poses: Poses): void {
        if (this.tied.length === 0) {
            return;
        }
        const at = place(motion.times, t);
        const rows = motion.flexible.map(({ nodes }) => {
            const row = new Float64Array(nodes.rowLength);
            mixRow(nodes, at, row, new Float64Array(nodes.rowLength));
            return row;
        });
        for (const one of this.tied) {
            const nodes = motion.flexible[one.info.flexible]?.nodes;
            if (nodes !== undefined) {
                this.put(one, rows[one.info.flexible], nodes.shape[2] ?? 1, poses);
            }
        }
    }

    private tie(link: LinkInfo): LinkInfo {
        if (link.places === undefined) {
            return link;
        }
        const bodies = [...(link.bodies ?? [])];
        const frames = [...(link.frames ?? [])];
        link.places.forEach((info, side) => {
            if (info) {
                this.tied.push({ pose: this.next, info, like: otherEnd(link, side) });
                bodies[side] = this.next++;
                frames[side] = [0, 0, 0, 1, 0, 0, 0];
            }
        });
        return { ...link, bodies, frames };
    }

    private put({ pose, info, like }: Tied, nodes: Float64Array, vectors: number, poses: Poses): void {
        const position = [0, 0, 0];
        info.weights.forEach((weight, k) => {
            const node = info.nodes[Math.floor(k / vectors)];
            for (let c = 0; c < 3; ++c) {
                position[c] += weight * nodes[3 * (node * vectors + (k % vectors)) + c];
            }
        });
        const out = poses.at;
        if (like === null) {
            writePose(position, 0, [1, 0, 0, 0], 0, out, POSE * pose);
            return;
        }
        const own = new Float64Array(POSE);
        writePose(NONE, 0, like.frame, 3, own, 0);
        const origin = poses.point(like.body, 0, 0, 0);
        for (let column = 0; column < 3; ++column) {
            const [x, y, z] = own.subarray(3 * column, 3 * column + 3);
            poses.point(like.body, x, y, z).forEach((value, c) => {
                out[POSE * pose + 3 * column + c] = value - origin[c];
            });
        }
        out.set(position, POSE * pose + 9);
    }
}
