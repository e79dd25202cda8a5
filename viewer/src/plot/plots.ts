// The plots of the chosen channels: one panel a unit, files of what is shown.
import type { Channel } from "../data/channels.ts";
import type { Session } from "../state/session.ts";
import { button, download, el, fileName } from "../ui/dom.ts";
import { icon } from "../ui/icons.ts";
import { seriesColor, seriesDash } from "../ui/palette.ts";
import { chart, PAPER, svgText, type ChartPanel } from "./chart.ts";
import { csvText } from "./csv.ts";
import { Panel, type Curve } from "./panel.ts";

/** The chosen channels by unit, in the order of choice. */
function byUnit(channels: Channel[]): Map<string, { channel: Channel; color: number }[]> {
    const units = new Map<string, { channel: Channel; color: number }[]>();
    channels.forEach((channel) => {
        const list = units.get(channel.unit) ?? [];
        list.push({ channel, color: list.length });
        units.set(channel.unit, list);
    });
    return units;
}

export class Plots {
    readonly element: HTMLElement;
    private readonly panels = el("div", { class: "panels" });
    private readonly empty = el("p", { class: "empty" }, "Choose channels to plot.");
    private shown: Panel[] = [];

    constructor(private readonly session: Session) {
        const bar = el(
            "div",
            { class: "plot-bar" },
            this.zoomButton(),
            el("span", { class: "spacer" }),
            button("Remove all", () => (session.plotted.value = []), { class: "quiet" }),
            button("Save as CSV", () => this.saveCsv(), { class: "quiet" }, icon("save"), "CSV"),
            button("Save as SVG", () => this.saveSvg(), { class: "quiet" }, icon("save"), "SVG"),
        );
        this.element = el("div", { class: "plots" }, bar, this.panels);
        session.plotted.watch(() => this.render());
        session.data.on(() => this.extend());
    }

    csv(names: readonly string[] = this.session.plotted.value): string {
        return csvText(this.channels(names));
    }

    svg(): string {
        const { header } = this.session.data.value;
        const { from, to } = this.session.shownSpan;
        const panels: ChartPanel[] = [...byUnit(this.channels())].map(([unit, list]) => ({
            title: "",
            x: { label: "time [s]", log: false, min: from, max: to },
            y: { label: unit === "" ? "value" : unit, log: false },
            series: list.map(({ channel, color }) => ({
                label: curveLabel(channel),
                color: seriesColor(color, false),
                dash: seriesDash(color),
                mark: -1,
                line: true,
                ...inside(channel, from, to),
            })),
        }));
        return svgText(chart(header.title ?? "", panels, 900, 280, 1, PAPER));
    }

    private channels(names: readonly string[] = this.session.plotted.value): Channel[] {
        return this.session.data.value.channels.pick(names);
    }

    private zoomButton(): HTMLElement {
        const { session } = this;
        const reset = button("Show the whole run", () => session.setWindow(null), { class: "quiet" }, icon("zoom"), "Whole run");
        const hint = el("span", { class: "hint" }, "drag to zoom, click to go there");
        session.window.watch((window) => {
            reset.hidden = window === null;
            hint.hidden = window !== null;
        });
        return el("span", { class: "zoom" }, reset, hint);
    }

    private render(): void {
        for (const panel of this.shown) {
            panel.destroy();
        }
        const units = byUnit(this.channels());
        this.shown = [...units].map(([unit, list]) => {
            const panel = new Panel(this.session, { label: unit === "" ? "–" : unit });
            this.panels.append(panel.element);
            panel.setCurves(this.curves(list));
            return panel;
        });
        if (this.shown.length === 0) {
            this.panels.append(this.empty);
        } else {
            this.empty.remove();
        }
    }

    // New rows of a watched run: the panels are those of before.
    private extend(): void {
        const units = [...byUnit(this.channels()).values()];
        this.shown.forEach((panel, k) => panel.extend(this.curves(units[k] ?? [])));
    }

    private curves(list: { channel: Channel; color: number }[]): Curve[] {
        return list.map(({ channel, color }) => ({
            label: curveLabel(channel),
            detail: channel.name,
            x: channel.time,
            y: channel.values,
            color,
            at: (t: number) => channel.at(t),
            remove: () => this.session.togglePlot(channel.name),
        }));
    }

    private saveCsv(): void {
        const { header } = this.session.data.value;
        download(fileName(header.title ?? "", ".csv"), this.csv(), "text/csv");
    }

    private saveSvg(): void {
        const { header } = this.session.data.value;
        download(fileName(header.title ?? "", ".svg"), this.svg(), "image/svg+xml");
    }
}

// In the picker fx stands below its joint; in a plot the joint must be told too.
function curveLabel(channel: Channel): string {
    return channel.item.kind === "body" || channel.item.kind === "reaction" ? channel.name : channel.title;
}

// Rows of the window and one on either side, so that lines reach the edges.
function inside(channel: Channel, from: number, to: number): { x: Float64Array; y: Float64Array } {
    const { time, values } = channel;
    let a = 0;
    let b = time.length;
    while (a + 1 < b && time[a + 1] < from) {
        ++a;
    }
    while (b - 2 > a && time[b - 2] > to) {
        --b;
    }
    return { x: time.subarray(a, b), y: values.subarray(a, b) };
}
