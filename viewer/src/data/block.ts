// Blocks of numbers: stored bytes -> inflate -> undo the shuffle -> values -> sum up differences.
// Scale and offset are applied on reading, so that quantised frames stay small in memory.
import { DataError } from "./container.ts";
import type { BlockInfo, ScalarType } from "./header.ts";

export type Values = Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array;

const SIZE: Record<ScalarType, number> = { f64: 8, f32: 4, i32: 4, u16: 2, u8: 1 };

async function inflate(stored: Uint8Array, size: number): Promise<Uint8Array> {
    const stream = new Blob([stored as BlobPart]).stream();
    const out = new Uint8Array(size);
    let at = 0;
    const reader = stream.pipeThrough(new DecompressionStream("deflate")).getReader();
    for (;;) {
        const { done, value } = await reader.read();
        if (done) {
            break;
        }
        if (at + value.length > size) {
            throw new DataError(`A block unpacks to more than its ${size} bytes: damaged data.`);
        }
        out.set(value, at);
        at += value.length;
    }
    if (at !== size) {
        throw new DataError(`A block unpacks to ${at} bytes instead of ${size}: damaged data.`);
    }
    return out;
}

// All first bytes of the values, then all second bytes, ... back to value after value.
function unshuffle(bytes: Uint8Array, size: number): Uint8Array {
    const n = bytes.length / size;
    const out = new Uint8Array(bytes.length);
    for (let k = 0; k < size; ++k) {
        const plane = bytes.subarray(k * n, (k + 1) * n);
        for (let i = 0; i < n; ++i) {
            out[i * size + k] = plane[i];
        }
    }
    return out;
}

function asValues(bytes: Uint8Array, type: ScalarType): Values {
    // typed arrays need aligned storage of their own
    const own = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
    const n = own.length / SIZE[type];
    switch (type) {
        case "f64":
            return new Float64Array(own.buffer, own.byteOffset, n);
        case "f32":
            return new Float32Array(own.buffer, own.byteOffset, n);
        case "i32":
            return new Int32Array(own.buffer, own.byteOffset, n);
        case "u16":
            return new Uint16Array(own.buffer, own.byteOffset, n);
        case "u8":
            return own;
    }
}

// Differences to the row before; the arithmetic of the array's own type wraps as the writer's did.
function sumUp(values: Values, stride: number): void {
    for (let i = stride; i < values.length; ++i) {
        values[i] += values[i - stride];
    }
}

function product(shape: number[]): number {
    return shape.reduce((n, k) => n * k, 1);
}

function checkInfo(info: BlockInfo, available: number): void {
    if (!(info.type in SIZE) || !Array.isArray(info.shape)) {
        throw new DataError("A block of the report has no known type: the header is damaged.");
    }
    if (!info.shape.every((n) => Number.isInteger(n) && n >= 0)) {
        throw new DataError("A block of the report has an impossible shape.");
    }
    if (!(info.at >= 0 && info.bytes >= 0 && info.at + info.bytes <= available)) {
        throw new DataError(
            `A block ends at byte ${info.at + info.bytes}, the data at ${available}: ` +
                "the report is cut off.",
        );
    }
}

/** Numbers in rows along the first axis. */
export class Block {
    readonly rowLength: number;
    private readonly scales: number[] | null;
    private readonly offsets: number[] | null;

    constructor(
        readonly values: Values,
        readonly shape: number[],
        scale: number | number[] = 1,
        offset: number | number[] = 0,
    ) {
        this.rowLength = product(shape.slice(1));
        const plain = scale === 1 && offset === 0;
        this.scales = plain ? null : this.perColumn(scale);
        this.offsets = plain ? null : this.perColumn(offset);
    }

    get rows(): number {
        return this.shape[0] ?? 0;
    }

    at(row: number, column = 0): number {
        const value = this.values[row * this.rowLength + column];
        if (this.scales === null || this.offsets === null) {
            return value;
        }
        return value * this.scales[column] + this.offsets[column];
    }

    /** Row into out, which has room for rowLength numbers. */
    row(row: number, out: Float64Array | Float32Array): void {
        const n = this.rowLength;
        const first = row * n;
        const { values, scales, offsets } = this;
        if (scales === null || offsets === null) {
            for (let i = 0; i < n; ++i) {
                out[i] = values[first + i];
            }
            return;
        }
        for (let i = 0; i < n; ++i) {
            out[i] = values[first + i] * scales[i] + offsets[i];
        }
    }

    column(column: number): Float64Array {
        return Float64Array.from({ length: this.rows }, (_, row) => this.at(row, column));
    }

    /** This block with the rows of another one of the same kind after it. */
    append(next: Block): Block {
        const rows = this.rows + next.rows;
        const values = new Float64Array(rows * this.rowLength);
        const row = new Float64Array(this.rowLength);
        for (let i = 0; i < rows; ++i) {
            if (i < this.rows) {
                this.row(i, row);
            } else {
                next.row(i - this.rows, row);
            }
            values.set(row, i * this.rowLength);
        }
        return new Block(values, [rows, ...this.shape.slice(1)]);
    }

    // One number for each of the rowLength columns; lists shorter than a row repeat.
    private perColumn(given: number | number[]): number[] {
        const list = typeof given === "number" ? [given] : given;
        return Array.from({ length: this.rowLength }, (_, i) => list[i % list.length]);
    }
}

export async function readBlock(bytes: Uint8Array, info: BlockInfo): Promise<Block> {
    checkInfo(info, bytes.length);
    const size = SIZE[info.type];
    const length = product(info.shape) * size;
    let data = bytes.subarray(info.at, info.at + info.bytes);
    if (info.codec === "deflate") {
        try {
            data = await inflate(data, length);
        } catch (cause) {
            if (cause instanceof DataError) {
                throw cause;
            }
            throw new DataError("A packed block cannot be unpacked: the data are damaged.", {
                cause,
            });
        }
    } else if (info.codec !== undefined && info.codec !== "raw") {
        throw new DataError(`A block is packed in an unknown way (${String(info.codec)}).`);
    }
    if (data.length !== length) {
        throw new DataError(`A block has ${data.length} bytes instead of ${length}: damaged data.`);
    }
    if (info.shuffle === true && size > 1) {
        data = unshuffle(data, size);
    }
    let values = asValues(data, info.type);
    if (info.delta === true) {
        values = values.slice() as Values; // the container itself stays as it is
        sumUp(values, product(info.shape.slice(1)));
    }
    return new Block(values, info.shape, info.scale, info.offset);
}
