// Everything that can be picked, under one numbering: ground is 0, then bodies, flexible bodies,
// joints, forces.
import type { Channel } from "../data/channels.ts";
import type { Dataset } from "../data/dataset.ts";
import { mixRow } from "../data/frames.ts";
import type { Header, LinkInfo } from "../data/header.ts";
import { place } from "../data/lookup.ts";

export type EntityKind = "body" | "flexible" | "joint" | "force";

export interface Entity {
    kind: EntityKind;
    index: number; // in the scene's list of its kind
    name: string;
    link: LinkInfo | null; // of joints and forces
}

const known = new WeakMap<object, Entity[]>();

export function entitiesOf(header: Header): Entity[] {
    const { scene } = header;
    if (scene === undefined) {
        return [];
    }
    let list = known.get(scene);
    if (list === undefined) {
        const links = (kind: EntityKind, all: LinkInfo[] = []): Entity[] => all.map((link, index) => ({ kind, index, name: link.name, link }));
        list = [
            ...scene.bodies.map(({ name }, index): Entity => ({ kind: "body", index, name, link: null })),
            ...(scene.flexible ?? []).map(({ name }, index): Entity => ({ kind: "flexible", index, name, link: null })),
            ...links("joint", scene.joints),
            ...links("force", scene.forces),
        ];
        known.set(scene, list);
    }
    return list;
}

/** Names of bodies and flexible bodies, ground first. */
export function bodyNames(header: Header): string[] {
    return entitiesOf(header).filter(({ kind }) => kind === "body" || kind === "flexible").map(({ name }) => name);
}

export function bodyCount(header: Header): number {
    return header.scene?.bodies.length ?? 0;
}

/** Number of an entity by its name, or by its kind and name ("joint pin"); -1: none. */
export function entityOf(header: Header, name: string | null): number {
    const list = name === null ? [] : entitiesOf(header);
    const plain = list.findIndex((entity) => entity.name === name);
    return plain >= 0 ? plain : list.findIndex((entity) => `${entity.kind} ${entity.name}` === name);
}

/** Velocity of a body: of the results where the report has it, else the slope between frames. */
export function bodyVelocity(data: Dataset, entity: number, t: number): [number, number, number] {
    const name = entitiesOf(data.header)[entity]?.name;
    const own = ["vx", "vy", "vz"].map((column) => data.channels.get(`${name}.${column}`));
    const [x, y, z] = own.map((channel) => (channel?.item.kind === "body" ? channel.at(t) : Number.NaN));
    return [x, y, z].every(Number.isFinite) ? [x, y, z] : data.motion.velocity(entity - 1, t);
}

/** Force and torque of a joint on its second body; null: the report has none. */
export function jointReaction({ motion }: Dataset, joint: number, t: number): Float64Array | null {
    const { reactions, times } = motion;
    if (reactions === null || times.length === 0 || 6 * (joint + 1) > reactions.rowLength) {
        return null;
    }
    const row = new Float64Array(reactions.rowLength);
    mixRow(reactions, place(times, t), row, new Float64Array(reactions.rowLength));
    return row.slice(6 * joint, 6 * joint + 6);
}

// The lines of an output in the model's text: from its name to the next line that is indented as
// little.
function outputText(model: string, name: string): string {
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const start = new RegExp(`^(\\s+)["']?${escaped}["']?\\s*:.*$`, "m").exec(model);
    if (start === null) {
        return "";
    }
    const rest = model.slice(start.index + start[0].length).split("\n").slice(1);
    const end = rest.findIndex((line) => line.trim() !== "" && !line.startsWith(`${start[1]} `));
    return [start[0], ...rest.slice(0, end < 0 ? rest.length : end)].join("\n");
}

const MOST = 300; // outputs that are searched for a name: each is looked up in the whole text

/** Outputs of the model whose expressions name something. */
function outputsAbout(data: Dataset, name: string): Channel[] {
    const model = data.header.run?.model ?? "";
    if (data.channels.ofKind("output").length > MOST) {
        return [];
    }
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const about = new RegExp(`[(,]\\s*${escaped}\\s*[),.]`);
    return data.channels.ofKind("output").filter((channel) => about.test(outputText(model, channel.name)));
}

/** Channels that tell of an entity: its own, then outputs that name it. */
export function channelsAbout(data: Dataset, entity: number): Channel[] {
    const one = entitiesOf(data.header)[entity];
    if (one === undefined || entity === 0) {
        return [];
    }
    const group = `${one.kind} ${one.name}`;
    const own = data.channels.list.filter(({ item }) => item.group === group && item.kind !== "output");
    return [...own, ...outputsAbout(data, one.name)];
}
