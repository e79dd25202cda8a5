// The solver's history: one row per attempted step that the writer kept.
import type { Block } from "./block.ts";
import type { BlockInfo, SolverInfo } from "./header.ts";

export interface History {
    t: Float64Array;
    h: Float64Array;
    error: Float64Array;
    accepted: Float64Array;
    iterations: Float64Array;
    order: Float64Array;
    cause: Float64Array;
    causes: string[];
    of: number; // attempts of the run, kept or not
}

const COLUMNS = ["t", "h", "error", "accepted", "iterations", "order", "cause"] as const;
type Column = (typeof COLUMNS)[number];

export async function readHistory(
    read: (info: BlockInfo) => Promise<Block>,
    info: SolverInfo | null | undefined,
): Promise<History | null> {
    if (info === null || info === undefined) {
        return null;
    }
    const n = (await read(info.t)).rows;
    const columns = {} as Record<Column, Float64Array>;
    for (const name of COLUMNS) {
        const block = info[name];
        columns[name] =
            block === undefined
                ? new Float64Array(n).fill(name === "accepted" ? 1 : Number.NaN)
                : (await read(block)).column(0);
    }
    return { ...columns, causes: info.causes ?? [], of: info.of ?? n };
}

function select(history: History, keep: (i: number) => boolean): History {
    const rows = Array.from(history.t.keys()).filter(keep);
    const out = { ...history };
    for (const name of COLUMNS) {
        out[name] = Float64Array.from(rows, (i) => history[name][i]);
    }
    return out;
}

function join(a: Float64Array, b: Float64Array): Float64Array {
    const out = new Float64Array(a.length + b.length);
    out.set(a);
    out.set(b, a.length);
    return out;
}

/** History with what a later container tells; one that begins anew replaces it. */
export function extendHistory(known: History | null, next: History | null): History | null {
    if (known === null || next === null || known.t.length === 0) {
        return next ?? known;
    }
    if (next.t.length === 0 || next.t[0] <= known.t[0]) {
        return next.t.length === 0 ? { ...known, of: Math.max(known.of, next.of) } : next;
    }
    const last = known.t[known.t.length - 1];
    const fresh = select(next, (i) => next.t[i] > last);
    const out: History = { ...known, causes: next.causes, of: Math.max(known.of, next.of) };
    for (const name of COLUMNS) {
        out[name] = join(known[name], fresh[name]);
    }
    return out;
}
