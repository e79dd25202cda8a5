// The list of modes beside the picture: frequency, damping, who carries them; how far they are drawn.
import type { ModeInfo } from "../data/header.ts";
import type { Session } from "../state/session.ts";
import { el } from "../ui/dom.ts";
import { number } from "../ui/format.ts";

const STEPS = 100; // of the slider
const LARGEST = 0.3; // displacement over the size of the mechanism

/** "12.3 Hz", or that it does not oscillate. */
export function frequencyText({ frequency, imag, real }: ModeInfo): string {
    return imag > 0 ? `${number(frequency, 5)} Hz` : real === 0 ? "free" : "aperiodic";
}

function dampingText({ damping_ratio: ratio, time_constant: constant, imag, real }: ModeInfo): string {
    if (imag > 0) {
        // below this a real part is rounding beside the oscillation
        return Math.abs(real) <= 1e-10 * imag ? "undamped" : real > 0 ? `grows, ζ ${number(ratio, 3)}` : `ζ ${number(ratio, 3)}`;
    }
    return real === 0 ? "" : `${real > 0 ? "grows" : "decays"} in ${number(Math.abs(constant ?? 1 / real), 3)} s`;
}

export class ModesBox {
    readonly element: HTMLElement;
    private readonly rows: HTMLElement[];

    constructor(private readonly session: Session) {
        const list = session.data.value.modes?.list ?? [];
        this.rows = list.map((info, k) => this.row(info, k));
        this.element = el("section", { class: "modes", "aria-label": "modes" },
            el("h2", {}, "Modes", el("span", { class: "count" }, ` ${list.length}`)),
            el("div", { class: "mode-list", role: "listbox", "aria-label": "modes" }, ...this.rows),
            this.amplitude());
        session.mode.watch((mode) => {
            this.rows.forEach((row, k) => row.setAttribute("aria-selected", String(k === mode)));
            this.rows[mode]?.scrollIntoView({ block: "nearest" });
        });
    }

    private row(info: ModeInfo, k: number): HTMLElement {
        const carriers = (info.energy ?? []).slice(0, 3).map(([name, share]) => `${name} ${number(100 * share, 2)} %`).join(", ");
        const row = el("button", { type: "button", role: "option", class: "mode-row", title: `${number(info.real, 6)} ± ${number(info.imag, 6)} i 1/s` },
            el("span", { class: "mode-number" }, String(k + 1)),
            el("span", { class: "mode-frequency" }, frequencyText(info)),
            el("span", { class: "mode-damping" }, dampingText(info)),
            carriers === "" ? null : el("span", { class: "mode-carriers" }, carriers),
            info.remark ? el("span", { class: "mode-carriers" }, info.remark) : null);
        row.addEventListener("click", () => {
            this.session.mode.value = k;
            this.session.playing.value = true;
        });
        return row;
    }

    private amplitude(): HTMLElement {
        const { session } = this;
        const slider = el("input", { type: "range", min: 0, max: STEPS, step: 1, "aria-label": "amplitude" });
        slider.addEventListener("input", () => (session.amplitude.value = LARGEST * (Number(slider.value) / STEPS) ** 2));
        session.amplitude.watch((size) => (slider.value = String(Math.round(STEPS * Math.sqrt(size / LARGEST)))));
        return el("label", { class: "row mode-amplitude" }, el("span", {}, "amplitude"), slider);
    }
}
