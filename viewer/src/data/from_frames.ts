// Curves that were left out of a large report can still be plotted from its frames: positions within
// the bound of the frames, reactions as they are at the frames.
import type { Block } from "./block.ts";
import type { ChannelTable } from "./channels.ts";
import type { Motion } from "./frames.ts";
import type { ChannelItem, Header } from "./header.ts";

const POSITION = ["x", "y", "z"];
const REACTION = ["fx", "fy", "fz", "tx", "ty", "tz"];

function table(
    time: Float64Array,
    values: Block | null,
    names: string[],
    item: (name: string, k: number) => ChannelItem[],
): ChannelTable[] {
    const items = names.flatMap(item);
    return values !== null && items.length > 0 && values.rowLength === items.length
        ? [{ time, values, items }]
        : [];
}

function has(tables: ChannelTable[], kind: string): boolean {
    return tables.some(({ items }) => items.some((item) => item.kind === kind));
}

/** Tables of what the channels lack and the frames have. */
export function tablesOfFrames(header: Header, motion: Motion, known: ChannelTable[]): ChannelTable[] {
    const { times, positions, reactions } = motion;
    const bodies = (header.scene?.bodies ?? []).slice(1).map(({ name }) => name);
    const joints = (header.scene?.joints ?? []).map(({ name }) => name);
    const out: ChannelTable[] = [];
    if (!has(known, "reaction")) {
        out.push(...table(times, reactions, joints, (name) =>
            REACTION.map((column) => ({ name: `reaction(${name}).${column}`, unit: column < "t" ? "N" : "N m", kind: "reaction", group: `joint ${name}`, label: column }))));
    }
    if (!has(known, "body")) {
        out.push(...table(times, positions, bodies, (name) =>
            POSITION.map((column) => ({ name: `${name}.${column}`, unit: "m", kind: "body", group: `body ${name}`, label: column }))));
    }
    return out;
}
