// Watching a run: rows that arrived later are put after those already here.
import type { Block } from "./block.ts";
import { ChannelStore, type ChannelTable } from "./channels.ts";
import type { Dataset } from "./dataset.ts";
import { Motion } from "./frames.ts";
import { extendHistory } from "./history.ts";

function joinTimes(a: Float64Array, b: Float64Array): Float64Array {
    const out = new Float64Array(a.length + b.length);
    out.set(a);
    out.set(b, a.length);
    return out;
}

function joinBlocks(a: Block | null, b: Block | null): Block | null {
    return a === null || b === null ? null : a.append(b);
}

function extendMotion(known: Motion, next: Motion): Motion {
    if (known.times.length === 0) {
        return next;
    }
    return new Motion(
        joinTimes(known.times, next.times),
        joinBlocks(known.positions, next.positions),
        joinBlocks(known.orientations, next.orientations),
        joinBlocks(known.reactions, next.reactions),
        known.flexible.map((one, k) => ({
            nodes: one.nodes.append(next.flexible[k].nodes),
            strain: joinBlocks(one.strain, next.flexible[k].strain),
            stress: joinBlocks(one.stress, next.flexible[k].stress),
        })),
        joinBlocks(known.contacts, next.contacts),
        known.modal.map((one, k) => one.append(next.modal[k])),
    );
}

function extendTable(known: ChannelTable, next: ChannelTable | undefined): ChannelTable {
    if (next === undefined) {
        return known;
    }
    return {
        items: known.items,
        time: joinTimes(known.time, next.time),
        values: known.values.append(next.values),
    };
}

/** What is known and what came; a container that starts at row 0 replaces all. */
export function extendDataset(known: Dataset, next: Dataset): Dataset {
    if ((next.header.run?.first ?? 0) === 0) {
        return next;
    }
    const tables = known.channels.tables.map((table, k) =>
        extendTable(table, next.channels.tables[k]),
    );
    return {
        ...known,
        header: next.header,
        motion: next.motion.times.length > 0 ? extendMotion(known.motion, next.motion) : known.motion,
        channels: new ChannelStore(tables),
        history: extendHistory(known.history, next.history),
        size: known.size + next.size,
    };
}
