// Channels: named columns of numbers over time, in groups that share their rows.
import type { Block } from "./block.ts";
import type { ChannelItem } from "./header.ts";
import { place } from "./lookup.ts";

export class Channel {
    private cache: Float64Array | null = null;

    constructor(
        readonly name: string,
        readonly item: ChannelItem,
        readonly group: number, // index of the table that holds it
        readonly time: Float64Array,
        private readonly block: Block,
        private readonly column: number,
    ) {}

    get unit(): string {
        return this.item.unit ?? "";
    }

    get title(): string {
        return this.item.label ?? this.item.name;
    }

    get values(): Float64Array {
        this.cache ??= this.block.column(this.column);
        return this.cache;
    }

    /** Value at t, linear between kept rows; not a number outside them. */
    at(t: number): number {
        const n = this.time.length;
        if (n === 0 || t < this.time[0] || t > this.time[n - 1]) {
            return Number.NaN;
        }
        const p = place(this.time, t);
        const a = this.block.at(p.row, this.column);
        // at a row its own number, untouched by arithmetic
        if (p.part === 0) {
            return a;
        }
        const b = this.block.at(p.next, this.column);
        return p.part === 1 ? b : a + p.part * (b - a);
    }
}

export interface ChannelTable {
    time: Float64Array;
    values: Block;
    items: ChannelItem[];
}

/** All channels of a report by name. */
export class ChannelStore {
    readonly list: Channel[] = [];
    private readonly index = new Map<string, Channel>();

    constructor(readonly tables: ChannelTable[]) {
        tables.forEach((table, group) => {
            table.items.forEach((item, column) => this.add(table, group, item, column));
        });
    }

    get(name: string): Channel | undefined {
        return this.index.get(name);
    }

    /** Channels of these names, unknown ones left out. */
    pick(names: readonly string[]): Channel[] {
        return names.flatMap((name) => this.index.get(name) ?? []);
    }

    ofKind(kind: string): Channel[] {
        return this.list.filter((channel) => channel.item.kind === kind);
    }

    private add(table: ChannelTable, group: number, item: ChannelItem, column: number): void {
        // two channels may bear one name (an output called as a reaction): the later gets a mark
        let name = item.name;
        for (let k = 2; this.index.has(name); ++k) {
            name = `${item.name} (${k})`;
        }
        const channel = new Channel(name, item, group, table.time, table.values, column);
        this.index.set(name, channel);
        this.list.push(channel);
    }
}
