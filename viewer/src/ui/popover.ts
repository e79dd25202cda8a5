// A button in the tools of the picture that opens a small panel beside them.
import { button, el } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";

export class Popover {
    readonly button: HTMLButtonElement;
    readonly panel: HTMLElement;
    private static open: Popover | null = null; // one at a time

    constructor(label: string, name: IconName, ...content: (HTMLElement | null)[]) {
        this.button = button(label, () => this.toggle(), { class: "icon-button", "aria-expanded": "false" }, icon(name));
        this.panel = el("div", { class: "popover", role: "dialog", "aria-label": label, hidden: true }, el("h2", {}, label.replace(/ \(.*/, "")), ...content);
        // clicks outside close it, those in the picture too
        document.addEventListener("pointerdown", (event) => {
            if (Popover.open === this && event.target instanceof Node && !this.panel.contains(event.target) && !this.button.contains(event.target)) {
                this.close();
            }
        });
    }

    toggle(): void {
        if (!this.panel.hidden) {
            this.close();
            return;
        }
        Popover.open?.close();
        Popover.open = this;
        this.panel.hidden = false;
        this.button.setAttribute("aria-expanded", "true");
    }

    close(): void {
        this.panel.hidden = true;
        this.button.setAttribute("aria-expanded", "false");
        Popover.open = Popover.open === this ? null : Popover.open;
    }

    /** Closes what is open; whether there was something. */
    static closeOpen(): boolean {
        const open = Popover.open;
        open?.close();
        return open !== null;
    }
}
