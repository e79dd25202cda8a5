// Where the data of this page are: inside it, at the server that watches a run, or nowhere yet.
import { DataError } from "./container.ts";

export interface WatchInfo {
    data: string;
    poll: number; // ms
}

export type Source =
    | { kind: "embedded"; texts: string[] } // of one run or two
    | { kind: "watch"; watch: WatchInfo }
    | { kind: "none" };

export function findSource(page: Document): Source {
    const texts = ["trammel-data", "trammel-data-2"].flatMap((id) => {
        const data = page.getElementById(id);
        const text = data?.textContent ?? "";
        if (data !== null) {
            data.textContent = ""; // megabytes of text that nobody needs twice
        }
        return data === null ? [] : [text];
    });
    if (texts.length > 0) {
        return { kind: "embedded", texts };
    }
    const watch = page.getElementById("trammel-watch");
    if (watch !== null) {
        try {
            const info = JSON.parse(watch.textContent ?? "") as Partial<WatchInfo>;
            return { kind: "watch", watch: { data: info.data ?? "data", poll: info.poll ?? 500 } };
        } catch (cause) {
            throw new DataError("The page does not say where the run can be watched.", { cause });
        }
    }
    return { kind: "none" };
}

export function decodeBase64(text: string): Uint8Array {
    let binary: string;
    try {
        binary = atob(text.trim());
    } catch (cause) {
        throw new DataError("The data inside this page are damaged (not base64).", { cause });
    }
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; ++i) {
        bytes[i] = binary.charCodeAt(i);
    }
    return bytes;
}

/** Rows from number `from` on, of the run that is watched. */
export async function fetchRows(watch: WatchInfo, from: number): Promise<Uint8Array> {
    const response = await fetch(`${watch.data}?from=${from}`, { cache: "no-store" });
    if (!response.ok) {
        throw new DataError(`The server answers ${response.status} ${response.statusText}.`);
    }
    return new Uint8Array(await response.arrayBuffer());
}

/** Data of a file that was opened by hand: a container, or a report with one or two inside. */
export function reportData(bytes: Uint8Array): Uint8Array[] {
    if (bytes[0] !== 0x3c) {
        return [bytes]; // no markup
    }
    const page = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "text/html");
    const source = findSource(page);
    if (source.kind !== "embedded") {
        throw new DataError("The file is a page without report data.");
    }
    return source.texts.map(decodeBase64);
}
