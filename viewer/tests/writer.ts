// Writes report containers as the engine does, for tests: blocks with every way of packing.
import { deflateSync } from "node:zlib";
import type { BlockInfo, Header, ScalarType } from "../src/data/header.ts";

export interface Packing {
    type?: ScalarType;
    deflate?: boolean;
    shuffle?: boolean;
    delta?: boolean;
    scale?: number | number[];
    offset?: number | number[];
}

const SIZE: Record<ScalarType, number> = { f64: 8, f32: 4, i32: 4, u16: 2, u8: 1 };

function typed(values: ArrayLike<number>, type: ScalarType): Float64Array | Float32Array | Int32Array | Uint16Array | Uint8Array {
    switch (type) {
        case "f64":
            return Float64Array.from(values);
        case "f32":
            return Float32Array.from(values);
        case "i32":
            return Int32Array.from(values);
        case "u16":
            return Uint16Array.from(values);
        case "u8":
            return Uint8Array.from(values);
    }
}

function shuffled(bytes: Uint8Array, size: number): Uint8Array {
    const n = bytes.length / size;
    const out = new Uint8Array(bytes.length);
    for (let i = 0; i < n; ++i) {
        for (let k = 0; k < size; ++k) {
            out[k * n + i] = bytes[i * size + k];
        }
    }
    return out;
}

/** Collects blocks; offsets are final when the header is known, so they are shifted at the end. */
export class ContainerWriter {
    private readonly blocks: { info: BlockInfo; bytes: Uint8Array }[] = [];

    add(values: ArrayLike<number>, shape: number[], how: Packing = {}): BlockInfo {
        const type = how.type ?? "f64";
        let data = typed(values, type);
        if (how.delta === true) {
            const stride = shape.slice(1).reduce((n, k) => n * k, 1);
            const differences = data.slice();
            for (let i = stride; i < data.length; ++i) {
                differences[i] = data[i] - data[i - stride];
            }
            data = differences;
        }
        let bytes: Uint8Array = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        if (how.shuffle === true) {
            bytes = shuffled(bytes, SIZE[type]);
        }
        if (how.deflate === true) {
            bytes = deflateSync(bytes);
        }
        const info: BlockInfo = { at: 0, bytes: bytes.length, type, shape };
        if (how.deflate === true) {
            info.codec = "deflate";
        }
        if (how.shuffle === true) {
            info.shuffle = true;
        }
        if (how.delta === true) {
            info.delta = true;
        }
        if (how.scale !== undefined) {
            info.scale = how.scale;
        }
        if (how.offset !== undefined) {
            info.offset = how.offset;
        }
        this.blocks.push({ info, bytes: bytes.slice() });
        return info;
    }

    finish(header: Header): Uint8Array {
        // the length of the header depends on the offsets in it: repeat until it no longer changes
        let length = 0;
        let text = new Uint8Array(0);
        for (;;) {
            this.layOut(length);
            text = new TextEncoder().encode(JSON.stringify(header));
            if (text.length === length) {
                break;
            }
            length = text.length;
        }
        return this.assemble(text);
    }

    private layOut(headerLength: number): void {
        let at = Math.ceil((16 + headerLength) / 8) * 8;
        for (const { info, bytes } of this.blocks) {
            info.at = at;
            at = Math.ceil((at + bytes.length) / 8) * 8;
        }
    }

    private assemble(text: Uint8Array): Uint8Array {
        const last = this.blocks[this.blocks.length - 1];
        const end = last === undefined ? 16 + text.length : last.info.at + last.bytes.length;
        const out = new Uint8Array(Math.ceil(end / 8) * 8);
        out.set(new TextEncoder().encode("TMLREP01"));
        new DataView(out.buffer).setUint32(8, text.length, true);
        out.set(text, 16);
        for (const { info, bytes } of this.blocks) {
            out.set(bytes, info.at);
        }
        return out;
    }
}
