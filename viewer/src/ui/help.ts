// The list of keys.
import { button, el } from "./dom.ts";
import { icon } from "./icons.ts";
import type { KeyAction } from "./keys.ts";

export function helpDialog(actions: KeyAction[]): HTMLDialogElement {
    const rows = actions.map(({ shown, text }) =>
        el("tr", {}, el("th", { scope: "row" }, ...shown.split(" ").map((key) => el("kbd", {}, key))), el("td", {}, text)),
    );
    const dialog: HTMLDialogElement = el(
        "dialog",
        { class: "help", "aria-label": "keys" },
        el("div", { class: "dialog-head" }, el("h2", {}, "Keys and pointer"), button("Close", () => dialog.close(), { class: "icon-button" }, icon("close"))),
        el("table", {}, el("tbody", {}, ...rows)),
        el("p", { class: "hint" }, "In the picture: drag turns, right button or two fingers move, wheel or pinch zooms, a click picks a body. In plots: drag zooms, a click goes to that time, a double click shows the whole run."),
    );
    dialog.addEventListener("click", (event) => {
        if (event.target === dialog) {
            dialog.close();
        }
    });
    return dialog;
}
