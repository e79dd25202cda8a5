// What the page says when there is nothing to show.
import { el } from "./dom.ts";

export function showProblem(host: HTMLElement, title: string, text: string, advice: string): void {
    host.replaceChildren(
        el("main", { class: "problem", role: "alert" }, el("h1", {}, title), el("p", { class: "problem-text" }, text), el("p", { class: "hint" }, advice)),
    );
}

/** A page without data: asks for a file. */
export function askForFile(host: HTMLElement, open: (bytes: Uint8Array) => void): void {
    const input = el("input", { type: "file", "aria-label": "report data" });
    const read = async (file: File | undefined) => {
        if (file !== undefined) {
            open(new Uint8Array(await file.arrayBuffer()));
        }
    };
    input.addEventListener("change", () => void read(input.files?.[0]));
    const zone = el(
        "main",
        { class: "problem drop" },
        el("h1", {}, "No data"),
        el("p", { class: "problem-text" }, "This is the empty viewer. Reports with data inside are written by “trammel run MODEL --report out.html” and “trammel report results.h5 -o out.html”."),
        el("p", {}, "A report written that way, or its data alone, can be opened here: ", input),
    );
    zone.addEventListener("dragover", (event) => event.preventDefault());
    zone.addEventListener("drop", (event) => {
        event.preventDefault();
        void read(event.dataTransfer?.files[0]);
    });
    host.replaceChildren(zone);
}
