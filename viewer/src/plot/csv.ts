// Channels as CSV (RFC 4180), numbers with all their digits.
import type { Channel } from "../data/channels.ts";

function quoted(text: string): string {
    return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

// The shortest text that reads back to the same bits; nothing for what is no number.
function digits(x: number | undefined): string {
    return x === undefined || !Number.isFinite(x) ? "" : Object.is(x, -0) ? "-0" : String(x);
}

/** All times at which one of the channels has a row. */
export function unionTimes(channels: readonly Channel[]): Float64Array {
    const tables = [...new Set(channels.map((channel) => channel.time))];
    if (tables.length === 1) {
        return tables[0];
    }
    const all = Float64Array.from(tables.flatMap((times) => Array.from(times))).sort();
    return all.filter((t, i) => i === 0 || t !== all[i - 1]);
}

/** One row a time; a channel without a row at a time has the value on the line between its rows.
 * Tags of runs, where there are two, stand before the names. */
export function csvText(channels: readonly Channel[], tags: readonly string[] = []): string {
    const heads = channels.map(({ name, unit }, k) => `${tags[k] ?? ""}${unit === "" ? name : `${name} [${unit}]`}`);
    const lines = [["time [s]", ...heads].map(quoted).join(",")];
    for (const t of unionTimes(channels)) {
        const values = channels.map((channel) => channel.at(t));
        lines.push([t, ...values].map(digits).join(","));
    }
    return `${lines.join("\r\n")}\r\n`;
}

/** Columns side by side, each as long as it is. */
export function tableText(columns: { name: string; values: Float64Array }[]): string {
    const rows = Math.max(0, ...columns.map(({ values }) => values.length));
    const lines = [columns.map(({ name }) => quoted(name)).join(",")];
    for (let i = 0; i < rows; ++i) {
        lines.push(columns.map(({ values }) => digits(values[i])).join(","));
    }
    return `${lines.join("\r\n")}\r\n`;
}
