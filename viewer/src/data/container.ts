// The container of a report: 16 bytes of head, the header as JSON, then blocks of numbers.
import type { Header } from "./header.ts";

/** Something is wrong with the data; the message is meant for the person at the screen. */
export class DataError extends Error {}

export interface Container {
    header: Header;
    bytes: Uint8Array;
}

const MAGIC = "TMLREP01";
const HEAD = 16;
const FORMAT = 1;

function text(bytes: Uint8Array): string {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

function readMagic(bytes: Uint8Array): string {
    return String.fromCharCode(...bytes.subarray(0, MAGIC.length));
}

function parseHeader(bytes: Uint8Array): Header {
    let header: unknown;
    try {
        header = JSON.parse(text(bytes));
    } catch (cause) {
        throw new DataError("The header of the report cannot be read: the data are damaged.", {
            cause,
        });
    }
    if (typeof header !== "object" || header === null || !("format" in header)) {
        throw new DataError("The header of the report has no format number.");
    }
    if (header.format !== FORMAT) {
        throw new DataError(
            `The report has format ${String(header.format)}; this page reads format ${FORMAT}.`,
        );
    }
    return header as Header;
}

/** Head and header of a container; blocks are read one by one with readBlock. */
export function openContainer(bytes: Uint8Array): Container {
    if (bytes.length < HEAD) {
        throw new DataError(`The report data have ${bytes.length} bytes: they are cut off.`);
    }
    if (readMagic(bytes) !== MAGIC) {
        throw new DataError(`The data do not begin with ${MAGIC}: this is not a Trammel report.`);
    }
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8, true);
    if (HEAD + length > bytes.length) {
        throw new DataError(
            `The header should have ${length} bytes, the data end after ${bytes.length}: ` +
                "they are cut off.",
        );
    }
    return { header: parseHeader(bytes.subarray(HEAD, HEAD + length)), bytes };
}
