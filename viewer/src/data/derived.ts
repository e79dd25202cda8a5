// Curves that the frames tell: how long springs are, and how far flexible bodies are strained.
import { Block } from "./block.ts";
import type { ChannelTable } from "./channels.ts";
import type { Motion } from "./frames.ts";
import type { ChannelItem, Header, LinkInfo } from "./header.ts";

const MOST = 300; // force elements; a list of more is no use to anybody

/** Global position of one end of a link in a row of the frames; null: nobody knows. */
function endAt(link: LinkInfo, side: number, motion: Motion, row: number): number[] | null {
    const tied = link.places?.[side];
    if (tied) {
        const nodes = motion.flexible[tied.flexible]?.nodes;
        const vectors = nodes?.shape[2] ?? 1;
        return nodes === undefined ? null : [0, 1, 2].map((c) => tied.weights.reduce((sum, weight, k) =>
            sum + weight * nodes.at(row, 3 * (tied.nodes[Math.floor(k / vectors)] * vectors + (k % vectors)) + c), 0));
    }
    const body = link.bodies?.[side] ?? -1;
    const frame = link.frames?.[side];
    if (!frame || body < 0 || body > motion.bodies) {
        return null;
    }
    const [x, y, z] = frame;
    if (body === 0 || motion.positions === null || motion.orientations === null) {
        return body === 0 ? [x, y, z] : null;
    }
    const b = body - 1;
    const [w, i, j, k] = [0, 1, 2, 3].map((c) => (motion.orientations as Block).at(row, 4 * b + c));
    // v + 2 q x (q x v + w v)
    const u = [j * z - k * y + w * x, k * x - i * z + w * y, i * y - j * x + w * z];
    const turned = [x + 2 * (j * u[2] - k * u[1]), y + 2 * (k * u[0] - i * u[2]), z + 2 * (i * u[1] - j * u[0])];
    return turned.map((value, c) => value + (motion.positions as Block).at(row, 3 * b + c));
}

// A force on one body has a ground end too, where the body was at first: no length of anything.
const STRETCHING = new Set(["spring", "rope", "damper", "bushing"]);

function lengthTable(header: Header, motion: Motion): ChannelTable[] {
    const forces = (header.scene?.forces ?? []).filter((force) => STRETCHING.has(force.type)).slice(0, MOST);
    const rows = motion.times.length;
    if (forces.length === 0) {
        return [];
    }
    const values = new Float64Array(rows * forces.length);
    for (let row = 0; row < rows; ++row) {
        forces.forEach((force, k) => {
            const [a, b] = [endAt(force, 0, motion, row), endAt(force, 1, motion, row)];
            values[row * forces.length + k] = a && b ? Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) : Number.NaN;
        });
    }
    const items = forces.map(({ name }): ChannelItem => ({ name: `length(${name})`, unit: "m", kind: "force", group: `force ${name}`, label: "length" }));
    return [{ time: motion.times, values: new Block(values, [rows, forces.length]), items }];
}

/** Smallest and largest value of a row, for each of the columns that take turns in it. */
function extremes(block: Block, columns: number): Block {
    const values = new Float64Array(block.rows * 2 * columns);
    const row = new Float64Array(block.rowLength);
    for (let r = 0; r < block.rows; ++r) {
        block.row(r, row);
        for (let c = 0; c < columns; ++c) {
            let [low, high] = [Infinity, -Infinity];
            for (let i = c; i < row.length; i += columns) {
                low = Math.min(low, row[i]);
                high = Math.max(high, row[i]);
            }
            values[(r * columns + c) * 2] = low;
            values[(r * columns + c) * 2 + 1] = high;
        }
    }
    return new Block(values, [block.rows, 2 * columns]);
}

function strainTables(header: Header, motion: Motion): ChannelTable[] {
    return (header.scene?.flexible ?? []).flatMap((info, k) => {
        const own = motion.flexible[k];
        const strains = info.strains ?? own?.strain?.shape[3] ?? 0;
        const parts: [Block | null | undefined, number][] = [[own?.strain, 0], [own?.stress, strains]];
        return parts.flatMap(([block, first]) => {
            const columns = block?.shape[3] ?? 0;
            if (!block || columns === 0 || block.rows !== motion.times.length) {
                return [];
            }
            const items = info.columns.slice(first, first + columns).flatMap((column, c): ChannelItem[] => ["min", "max"].map((which) => ({
                name: `${which}(${info.name}.${column})`, unit: info.units[first + c] ?? "", kind: "flexible", group: `flexible ${info.name}`, label: `${which} ${column}`,
            })));
            return items.length === 2 * columns ? [{ time: motion.times, values: extremes(block, columns), items }] : [];
        });
    });
}

/** Tables of what only the frames tell. */
export function derivedTables(header: Header, motion: Motion): ChannelTable[] {
    return [...lengthTable(header, motion), ...strainTables(header, motion)];
}
