// Smallest, largest, mean and RMS of the curves of a panel over the part of the run that is shown.
import { statistics } from "../data/statistics.ts";
import type { Span } from "../state/session.ts";
import { el } from "../ui/dom.ts";
import { number, timeText } from "../ui/format.ts";
import { seriesColor } from "../ui/palette.ts";
import { dark } from "../ui/theme.ts";
import type { Chosen } from "./chosen.ts";

const DIGITS = 6;

export function statsTable(curves: Chosen[], { from, to }: Span): HTMLElement {
    const head = ["", "min", "max", "mean", "RMS"].map((title) => el("th", { scope: "col" }, title));
    const rows = curves.map(({ channel, color, dash, label }) => {
        const found = statistics(channel.time, channel.values, from, to);
        const swatch = el("span", { class: dash.length > 0 ? "swatch dashed" : "swatch" });
        swatch.style.color = seriesColor(color, dark.value);
        const cell = (value: number | undefined, title = "") => el("td", { class: "number", title }, number(value, DIGITS));
        const at = (t: number | undefined) => (t === undefined ? "" : `at t = ${timeText(t, to - from)} s`);
        const row = el("tr", {}, el("th", { scope: "row", title: channel.name }, swatch, label),
            cell(found?.min, at(found?.minAt)), cell(found?.max, at(found?.maxAt)), cell(found?.mean), cell(found?.rms));
        row.dataset["channel"] = channel.name;
        return row;
    });
    return el("table", { class: "stats" }, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}
