// Making elements. Names from models go through textContent and attributes only, never markup.

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined>;

export function el<K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined && value !== false) {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    append(element, children);
    return element;
}

export function append(parent: Element, children: Child[]): void {
    for (const child of children) {
        if (child !== null && child !== undefined && child !== false) {
            parent.append(child);
        }
    }
}

const SVG = "http://www.w3.org/2000/svg";

export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes: Attributes = {},
    ...children: Child[]
): SVGElementTagNameMap[K] {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined && value !== false) {
            element.setAttribute(name, String(value));
        }
    }
    append(element, children);
    return element;
}

export function button(
    label: string,
    action: () => void,
    attributes: Attributes = {},
    ...children: Child[]
): HTMLButtonElement {
    const element = el(
        "button",
        { type: "button", "aria-label": label, title: label, ...attributes },
        ...(children.length > 0 ? children : [label]),
    );
    element.addEventListener("click", action);
    return element;
}

/** Offers text as a file. */
export function download(name: string, text: string, type: string): void {
    downloadBlob(name, new Blob([text], { type }));
}

export function downloadBlob(name: string, blob: Blob): void {
    const url = URL.createObjectURL(blob);
    const link = el("a", { href: url, download: name });
    document.body.append(link);
    link.click();
    link.remove();
    // the browser reads the address when the click is handled: give it time
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** A name that every file system takes. */
export function fileName(title: string, ending: string): string {
    const plain = title.replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_+|_+$/g, "");
    return `${plain.slice(0, 60) || "trammel"}${ending}`;
}
