// Named positions of the camera. They are kept in the address of the page, behind the #, so that they
// travel with a link and work for a page from disk; and in the browser's storage where it has one.

export interface SavedView {
    name: string;
    eye: number[]; // position of the camera, m
    target: number[]; // what it looks at
}

const KEY = "views";

function tidy(x: number): number {
    return Number(x.toPrecision(6));
}

function isView(value: unknown): value is SavedView {
    const view = value as SavedView | null;
    const point = (p: unknown) => Array.isArray(p) && p.length === 3 && p.every((x) => typeof x === "number" && Number.isFinite(x));
    return typeof view === "object" && view !== null && typeof view.name === "string" && point(view.eye) && point(view.target);
}

/** Views of the part of an address behind the #; what is no list of views counts as none. */
export function viewsFromHash(hash: string): SavedView[] {
    try {
        const text = new URLSearchParams(hash.replace(/^#/, "")).get(KEY);
        const list: unknown = text === null ? [] : JSON.parse(text);
        return Array.isArray(list) ? list.filter(isView) : [];
    } catch {
        return [];
    }
}

export function viewsToHash(hash: string, views: SavedView[]): string {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    if (views.length === 0) {
        parts.delete(KEY);
    } else {
        parts.set(KEY, JSON.stringify(views.map(({ name, eye, target }) => ({ name, eye: eye.map(tidy), target: target.map(tidy) }))));
    }
    const text = parts.toString();
    return text === "" ? "" : `#${text}`;
}

/** Views of both places, those of the address first; a name stands for one view. */
export function mergeViews(first: SavedView[], second: SavedView[]): SavedView[] {
    const names = new Set<string>();
    return [...first, ...second].filter(({ name }) => !names.has(name) && names.add(name));
}

/** The browser's storage, which pages from disk or in private windows may lack. */
export class ViewStore {
    private readonly key: string;

    constructor(title: string) {
        this.key = `trammel-views:${title}`;
    }

    load(): SavedView[] {
        let stored: SavedView[] = [];
        try {
            const list: unknown = JSON.parse(localStorage.getItem(this.key) ?? "[]");
            stored = Array.isArray(list) ? list.filter(isView) : [];
        } catch {
            // no storage: the address alone keeps them
        }
        return mergeViews(viewsFromHash(location.hash), stored);
    }

    save(views: SavedView[]): void {
        try {
            localStorage.setItem(this.key, JSON.stringify(views));
        } catch {
            // as above
        }
        const hash = viewsToHash(location.hash, views);
        try {
            history.replaceState(null, "", hash === "" ? location.pathname + location.search : hash);
        } catch {
            location.hash = hash; // browsers that forbid the former for pages from disk
        }
    }
}
