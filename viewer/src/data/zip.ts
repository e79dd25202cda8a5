// A ZIP archive of files that are packed already: stored as they are (APPNOTE 6.3.3).

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; ++k) {
        c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    }
    return c >>> 0;
});

export function crc32(bytes: Uint8Array): number {
    let c = 0xffffffff;
    for (const byte of bytes) {
        c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
    }
    return (c ^ 0xffffffff) >>> 0;
}

// Fields of 2 and 4 bytes one after the other.
function fields(list: [2 | 4, number][]): Uint8Array {
    const out = new Uint8Array(list.reduce((n, [size]) => n + size, 0));
    const view = new DataView(out.buffer);
    let at = 0;
    for (const [size, value] of list) {
        if (size === 2) {
            view.setUint16(at, value, true);
        } else {
            view.setUint32(at, value, true);
        }
        at += size;
    }
    return out;
}

const NO_DATE = 33; // 1 January 1980, the first day that the format knows

export function zip(files: { name: string; bytes: Uint8Array }[]): Uint8Array[] {
    const parts: Uint8Array[] = [];
    const directory: Uint8Array[] = [];
    let at = 0;
    const push = (part: Uint8Array) => {
        parts.push(part);
        at += part.length;
    };
    for (const { name, bytes } of files) {
        const text = new TextEncoder().encode(name);
        const common: [2 | 4, number][] = [[2, 20], [2, 0x800], [2, 0], [2, 0], [2, NO_DATE], [4, crc32(bytes)], [4, bytes.length], [4, bytes.length], [2, text.length], [2, 0]];
        directory.push(fields([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]), text);
        push(fields([[4, 0x04034b50], ...common]));
        push(text);
        push(bytes);
    }
    const start = at;
    directory.forEach(push);
    parts.push(fields([[4, 0x06054b50], [2, 0], [2, 0], [2, files.length], [2, files.length], [4, at - start], [4, start], [2, 0]]));
    return parts;
}
