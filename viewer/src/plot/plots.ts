// The plots of the chosen channels: over time, over another channel, or over frequency; one panel a
// unit, numbers about the part that is shown, files of what is shown.
import type { Channel } from "../data/channels.ts";
import { spectrum, WINDOWS, type Spectrum, type WindowName } from "../data/spectrum.ts";
import { rowsInside } from "../data/statistics.ts";
import type { PlotMode, Session } from "../state/session.ts";
import { button, download, el, fileName } from "../ui/dom.ts";
import { number } from "../ui/format.ts";
import { icon } from "../ui/icons.ts";
import { seriesColor } from "../ui/palette.ts";
import { dark } from "../ui/theme.ts";
import { chart, PAPER, svgText, type ChartPanel, type ChartSeries } from "./chart.ts";
import { channelsNamed, chosenByUnit, type Chosen } from "./chosen.ts";
import { csvText, tableText } from "./csv.ts";
import { Graph, type GraphCurve } from "./graph.ts";
import { Panel, type Curve } from "./panel.ts";
import { statsTable } from "./stats_table.ts";

const MODES: [PlotMode, string, string][] = [
    ["time", "Time", "Curves over time"],
    ["xy", "x–y", "Curves over another channel"],
    ["spectrum", "Spectrum", "Amplitudes over frequency"],
];

interface Shown {
    panel: Panel | Graph;
    curves: Chosen[];
}

/** "force [N]" */
function withUnit(name: string, unit: string): string {
    return unit === "" ? name : `${name} [${unit}]`;
}

export class Plots {
    readonly element: HTMLElement;
    private readonly panels = el("div", { class: "panels" });
    private readonly empty = el("p", { class: "empty" }, "Choose channels to plot.");
    private readonly note = el("p", { class: "plot-note hint", hidden: true });
    private shown: Shown[] = [];

    constructor(private readonly session: Session) {
        const bar = el(
            "div",
            { class: "plot-bar" },
            this.modeButtons(),
            this.xChoice(),
            this.spectrumChoice(),
            this.statsButton(),
            this.zoomButton(),
            el("span", { class: "spacer" }),
            button("Remove all", () => (session.plotted.value = []), { class: "quiet" }),
            button("Save as CSV", () => this.saveCsv(), { class: "quiet" }, icon("save"), "CSV"),
            button("Save as SVG", () => this.saveSvg(), { class: "quiet" }, icon("save"), "SVG"),
        );
        this.element = el("div", { class: "plots" }, bar, this.panels, this.note);
        session.plotted.watch(() => this.render());
        for (const signal of [session.plotMode, session.xChannel, session.spectrumWindow, session.spectrumLog]) {
            (signal as { on: (listener: () => void) => void }).on(() => this.render());
        }
        session.statistics.on(() => this.updateStats());
        session.window.on(() => (session.plotMode.value === "time" ? this.updateStats() : this.render()));
        session.reading.on(() => this.shown.forEach(({ panel }) => panel instanceof Graph && panel.update()));
        session.data.on(() => this.extend());
        dark.on(() => this.updateStats());
    }

    /** Over time or over a channel: all rows. Of spectra: frequencies and amplitudes. */
    csv(names: readonly string[] = this.session.plotted.value): string {
        const { session } = this;
        if (session.plotMode.value === "spectrum") {
            return this.spectrumCsv(names);
        }
        const x = session.plotMode.value === "xy" ? session.xChannel.value : null;
        const all = x === null || names.includes(x) ? names : [x, ...names];
        const found = all.flatMap((name) => channelsNamed(session, name));
        const tags = session.runs.length > 1 ? found.map(({ run }) => `${session.runTag(run)} `) : [];
        return csvText(found.map(({ channel }) => channel), tags);
    }

    svg(): string {
        const { header } = this.session.data.value;
        return svgText(chart(header.title ?? "", this.chartPanels(), 900, 280, 1, PAPER));
    }

    /** Spectra of the chosen channels over the shown part of the run, by label. */
    spectra(): Record<string, Spectrum> {
        const { from, to } = this.session.shownSpan;
        return Object.fromEntries([...this.byUnit().values()].flat().flatMap(({ channel, label }) => {
            const found = spectrum(channel.time, channel.values, from, to, this.session.spectrumWindow.value);
            return found === null ? [] : [[label, found]];
        }));
    }

    private byUnit(names = this.session.plotted.value): Map<string, Chosen[]> {
        return chosenByUnit(this.session, names);
    }

    /* --- the bar ------------------------------------------------------------------------------ */

    private modeButtons(): HTMLElement {
        const { session } = this;
        return el("span", { class: "segments", role: "group", "aria-label": "x axis" }, ...MODES.map(([mode, title, label]) => {
            const one = button(label, () => (session.plotMode.value = mode), { class: "segment" }, title);
            session.plotMode.watch((now) => one.setAttribute("aria-pressed", String(now === mode)));
            return one;
        }));
    }

    private xChoice(): HTMLElement {
        const { session } = this;
        const select = el("select", { "aria-label": "channel of the x axis" });
        const fill = () => {
            const names = [...new Set([...(session.xChannel.value === null ? [] : [session.xChannel.value]), ...session.plotted.value, ...session.channelNames("output")])];
            select.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
            select.value = session.xChannel.value ?? "";
        };
        select.addEventListener("change", () => (session.xChannel.value = select.value));
        session.plotted.watch(fill);
        session.xChannel.on(fill);
        const box = el("label", { class: "bar-choice", title: "others: the x beside a channel in the list" }, "x", select);
        session.plotMode.watch((mode) => {
            box.hidden = mode !== "xy";
            if (mode === "xy" && session.xChannel.value === null) {
                session.xChannel.value = session.plotted.value[0] ?? session.channelNames("output")[0] ?? null;
            }
        });
        return box;
    }

    private spectrumChoice(): HTMLElement {
        const { session } = this;
        const select = el("select", { "aria-label": "window of the spectrum" }, ...WINDOWS.map((name) => el("option", { value: name }, name === "none" ? "no window" : name)));
        select.addEventListener("change", () => (session.spectrumWindow.value = select.value as WindowName));
        session.spectrumWindow.watch((name) => (select.value = name));
        const log = button("Logarithmic amplitudes", () => (session.spectrumLog.value = !session.spectrumLog.value), { class: "small" }, "log");
        session.spectrumLog.watch((on) => log.setAttribute("aria-pressed", String(on)));
        const box = el("span", { class: "bar-choice" }, select, log);
        session.plotMode.watch((mode) => (box.hidden = mode !== "spectrum"));
        return box;
    }

    private statsButton(): HTMLElement {
        const { session } = this;
        const stats = button("Min, max, mean and RMS of what is shown", () => (session.statistics.value = !session.statistics.value), { class: "quiet" }, icon("sum"), "Statistics");
        session.statistics.watch((on) => stats.setAttribute("aria-pressed", String(on)));
        session.plotMode.watch((mode) => (stats.hidden = mode !== "time"));
        return stats;
    }

    private zoomButton(): HTMLElement {
        const { session } = this;
        const reset = button("Show the whole run", () => session.setWindow(null), { class: "quiet" }, icon("zoom"), "Whole run");
        const hint = el("span", { class: "hint" });
        const update = () => {
            const window = session.window.value;
            reset.hidden = window === null;
            hint.textContent = window !== null ? "" : session.plotMode.value === "time" ? "drag to zoom, click to go there" : "drag a box to zoom";
        };
        session.window.watch(update);
        session.plotMode.watch(update);
        return el("span", { class: "zoom" }, reset, hint);
    }

    /* --- panels ------------------------------------------------------------------------------- */

    private render(): void {
        this.shown.forEach(({ panel }) => panel.destroy());
        this.note.hidden = true;
        const mode = this.session.plotMode.value;
        this.shown = [...this.byUnit()].flatMap(([unit, curves]) => {
            const panel = mode === "time" ? this.timePanel(unit) : mode === "xy" ? this.xyPanel(unit, curves) : this.spectrumPanel(unit, curves);
            if (panel !== null) {
                this.panels.append(panel.element);
                if (panel instanceof Panel) {
                    panel.setCurves(this.curves(curves));
                }
            }
            return panel === null ? [] : [{ panel, curves }];
        });
        if (this.shown.length === 0) {
            this.panels.append(this.empty);
        } else {
            this.empty.remove();
        }
        this.empty.textContent = this.session.plotted.value.length === 0 ? "Choose channels to plot." : "The shown part of the run has too few rows for this.";
        this.updateStats();
    }

    private timePanel(unit: string): Panel {
        return new Panel(this.session, { label: unit === "" ? "–" : unit });
    }

    private xyPanel(unit: string, curves: Chosen[]): Graph | null {
        const { session } = this;
        const name = session.xChannel.value ?? "";
        const drawn = this.xyCurves(curves);
        const x = channelsNamed(session, name)[0]?.channel;
        return drawn.length === 0 || x === undefined ? null : new Graph(drawn, { xLabel: withUnit(name, x.unit), yLabel: unit === "" ? "–" : unit });
    }

    // Points of both channels at all rows of either, inside the part that is shown.
    private xyCurves(curves: Chosen[]): GraphCurve[] {
        const { session } = this;
        const { from, to } = session.shownSpan;
        const xs = channelsNamed(session, session.xChannel.value ?? "");
        return curves.flatMap(({ channel, run, color, dash, label }) => {
            const across = xs.find((one) => one.run === run)?.channel;
            if (across === undefined || across.name === channel.name) {
                return [];
            }
            const times = commonTimes(channel, across, from, to);
            return [{
                label, color, dash,
                detail: `${channel.name} over ${across.name}`,
                x: times.map((t) => across.at(t)),
                y: times.map((t) => channel.at(t)),
                now: () => [across.at(session.time.value), channel.at(session.time.value)] as [number, number],
                remove: () => session.togglePlot(channel.name),
            }];
        });
    }

    private spectrumPanel(unit: string, curves: Chosen[]): Graph | null {
        const { session } = this;
        const { from, to } = session.shownSpan;
        const found = curves.flatMap((curve) => {
            const one = spectrum(curve.channel.time, curve.channel.values, from, to, session.spectrumWindow.value);
            return one === null ? [] : [{ ...curve, one }];
        });
        if (found.length === 0) {
            return null;
        }
        this.tellSpectrum(found.map(({ one }) => one));
        const drawn = found.map(({ channel, label, color, dash, one }): GraphCurve => ({
            label, color, dash, detail: channel.name, x: one.frequency, y: one.amplitude, remove: () => session.togglePlot(channel.name),
        }));
        return new Graph(drawn, { xLabel: "frequency [Hz]", yLabel: unit === "" ? "–" : unit, sorted: true, log: session.spectrumLog.value, decades: 6 });
    }

    private tellSpectrum(list: Spectrum[]): void {
        const { from, to } = this.session.shownSpan;
        const { samples, step, resolution } = list[0];
        const uneven = list.some(({ even }) => !even) ? " Rows are not at equal distances: they were interpolated, which dampens what is fast." : "";
        this.note.textContent = `Amplitudes from t = ${number(from, 5)} to ${number(to, 5)} s (zoom over time to choose another part), mean taken away: ${samples} values ${number(step, 4)} s apart, peaks wider than ${number(resolution, 3)} Hz.${uneven}`;
        this.note.hidden = false;
    }

    private updateStats(): void {
        const { statistics, plotMode, shownSpan } = this.session;
        for (const { panel, curves } of this.shown) {
            if (panel instanceof Panel) {
                const on = statistics.value && plotMode.value === "time";
                panel.slot.replaceChildren(...(on ? [statsTable(curves, shownSpan)] : []));
            }
        }
    }

    // New rows of a watched run: the panels are those of before.
    private extend(): void {
        if (this.session.plotMode.value !== "time") {
            this.render();
            return;
        }
        const units = [...this.byUnit().values()];
        this.shown.forEach((one, k) => {
            one.curves = units[k] ?? [];
            if (one.panel instanceof Panel) {
                one.panel.extend(this.curves(one.curves));
            }
        });
        this.updateStats();
    }

    private curves(list: Chosen[]): Curve[] {
        return list.map(({ channel, color, dash, label, run }) => ({
            label,
            detail: this.session.runs.length > 1 ? `${channel.name} of ${this.session.runName(run)}` : channel.name,
            x: channel.time,
            y: channel.values,
            color,
            dash,
            at: (t: number) => channel.at(t),
            remove: () => this.session.togglePlot(channel.name),
        }));
    }

    /* --- files -------------------------------------------------------------------------------- */

    private chartPanels(): ChartPanel[] {
        const { session } = this;
        const { from, to } = session.shownSpan;
        const mode = session.plotMode.value;
        const look = (color: number, dash: number[], label: string) => ({ label, color: seriesColor(color, false), dash, mark: -1, line: true });
        return [...this.byUnit()].map(([unit, list]) => {
            const y = { label: unit === "" ? "value" : unit, log: mode === "spectrum" && session.spectrumLog.value };
            if (mode === "time") {
                const series = list.map(({ channel, color, dash, label }): ChartSeries => ({ ...look(color, dash, label), ...inside(channel, from, to) }));
                return { title: "", x: { label: "time [s]", log: false, min: from, max: to }, y, series };
            }
            if (mode === "xy") {
                const x = channelsNamed(session, session.xChannel.value ?? "")[0]?.channel;
                const series = this.xyCurves(list).map((curve): ChartSeries => ({ ...look(curve.color, curve.dash, curve.label), x: curve.x, y: curve.y }));
                return { title: "", x: { label: withUnit(x?.name ?? "", x?.unit ?? ""), log: false }, y, series };
            }
            const series = list.flatMap(({ channel, color, dash, label }): ChartSeries[] => {
                const one = spectrum(channel.time, channel.values, from, to, session.spectrumWindow.value);
                return one === null ? [] : [{ ...look(color, dash, label), x: one.frequency, y: one.amplitude }];
            });
            return { title: "", x: { label: "frequency [Hz]", log: false }, y, series };
        }).filter(({ series }) => series.length > 0);
    }

    private spectrumCsv(names: readonly string[]): string {
        const { from, to } = this.session.shownSpan;
        const columns = [...this.byUnit(names).values()].flat().flatMap(({ channel, label, run }) => {
            const one = spectrum(channel.time, channel.values, from, to, this.session.spectrumWindow.value);
            const name = this.session.runs.length > 1 ? `${this.session.runTag(run)} ${channel.name}` : channel.name;
            return one === null ? [] : [{ name: "frequency [Hz]", values: one.frequency }, { name: withUnit(name || label, channel.unit), values: one.amplitude }];
        });
        return tableText(columns);
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

// Rows of the window and one on either side, so that lines reach the edges.
function inside(channel: Channel, from: number, to: number): { x: Float64Array; y: Float64Array } {
    const { time, values } = channel;
    const [first, last] = rowsInside(time, from, to);
    const [a, b] = [Math.max(0, first - 1), Math.min(time.length, last + 2)];
    return { x: time.subarray(a, b), y: values.subarray(a, b) };
}

function commonTimes(a: Channel, b: Channel, from: number, to: number): Float64Array {
    const lists = a.time === b.time ? [a.time] : [a.time, b.time];
    const parts = lists.map((time) => {
        const [first, last] = rowsInside(time, from, to);
        return time.subarray(first, last + 1);
    });
    return parts.length === 1 ? parts[0] : Float64Array.from(parts.flatMap((part) => Array.from(part))).sort();
}
