// One panel of curves over time (uPlot), tied to the session: zoom, pointer and shown time are the
// same in all panels.
import uPlot from "uplot";
import type { Session } from "../state/session.ts";
import { el } from "../ui/dom.ts";
import { fixed, number, timeText } from "../ui/format.ts";
import { seriesColor, seriesDash } from "../ui/palette.ts";
import { dark, themeColor } from "../ui/theme.ts";
import { linearTicks, logTicks } from "./ticks.ts";

export interface Curve {
    label: string;
    detail?: string; // shown when the pointer rests on the label
    unit?: string;
    x: Float64Array;
    y: ArrayLike<number>;
    color: number; // index into the palette
    dash?: number[]; // instead of that of the colour
    points?: boolean; // marks instead of a line
    steps?: boolean;
    at?: (t: number) => number; // read-out; without it the nearest row
    remove?: () => void;
}

export interface PanelOptions {
    label: string; // of the y axis
    xLabel?: string; // of the x axis; time
    log?: boolean;
    whole?: boolean; // y has whole numbers
}

const NOTHING = 1e-25; // on a logarithmic axis: as good as zero, which it cannot show
const SYNC = "trammel-time";

function unionOf(curves: Curve[]): Float64Array {
    const tables = [...new Set(curves.map((curve) => curve.x))];
    if (tables.length === 1) {
        return tables[0];
    }
    const all = Float64Array.from(tables.flatMap((times) => Array.from(times))).sort();
    return all.filter((t, i) => i === 0 || t !== all[i - 1]);
}

// Values at the times of the panel; null where the curve has no row, the line goes straight on.
function align(curve: Curve, times: Float64Array, log: boolean): (number | null)[] {
    const clean = (y: number) => (Number.isFinite(y) && (!log || y > NOTHING) ? y : null);
    if (curve.x === times) {
        return Array.from(curve.y, clean);
    }
    const out: (number | null | undefined)[] = [];
    let i = 0;
    for (const t of times) {
        while (i < curve.x.length && curve.x[i] < t) {
            ++i;
        }
        out.push(i < curve.x.length && curve.x[i] === t ? clean(curve.y[i]) : null);
    }
    return out as (number | null)[];
}

export class Panel {
    readonly element: HTMLElement;
    private readonly body = el("div", { class: "panel-plot" });
    private readonly legend = el("div", { class: "panel-legend" });
    /** Place for more between the names and the curves. */
    readonly slot = el("div", { class: "panel-slot" });
    private readonly marker = el("div", { class: "time-marker" });
    private readonly stamp = el("span", { class: "panel-time" });
    private readonly values: HTMLElement[] = [];
    private plot: uPlot | null = null;
    private curves: Curve[] = [];
    private readonly observer: ResizeObserver;
    private readonly ends: (() => void)[] = [];

    constructor(private readonly session: Session, private readonly options: PanelOptions) {
        this.element = el("section", { class: "panel", "aria-label": options.label }, this.legend, this.slot, this.body);
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(this.body);
        this.ends.push(
            session.reading.on(() => this.moveMarker()),
            session.hover.on(() => this.readOut()),
            session.window.on(() => this.applyWindow()),
            dark.on(() => this.build()),
        );
    }

    setCurves(curves: Curve[]): void {
        this.curves = curves;
        this.build();
    }

    /** The same curves with more rows: the panel stays, and the pointer in it. */
    extend(curves: Curve[]): void {
        this.curves = curves;
        this.plot?.setData(this.data(), false);
        this.applyWindow();
        this.readOut();
    }

    private data(): uPlot.AlignedData {
        const times = unionOf(this.curves);
        const log = this.options.log === true;
        return [times, ...this.curves.map((curve) => align(curve, times, log))] as uPlot.AlignedData;
    }

    destroy(): void {
        this.observer.disconnect();
        this.ends.forEach((end) => end());
        this.plot?.destroy();
        this.element.remove();
    }

    private build(): void {
        this.plot?.destroy();
        this.buildLegend();
        this.plot = new uPlot(this.plotOptions(), this.data(), this.body);
        this.plot.over.append(this.marker);
        this.plot.over.addEventListener("click", (event) => this.click(event));
        this.plot.over.addEventListener("pointermove", (event) => this.drag(event));
        this.applyWindow();
        this.moveMarker();
        this.readOut();
    }

    private plotOptions(): uPlot.Options {
        const text = themeColor("text-2");
        const line = themeColor("grid");
        const font = "11px system-ui, sans-serif";
        const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1, size: 4 } };
        const { width, height } = this.size();
        return {
            width,
            height,
            legend: { show: false },
            pxAlign: 0, // smooth curves instead of corners on whole pixels
            padding: [10, 12, 0, 0],
            scales: {
                x: { time: false, range: () => this.xRange() },
                y: { ...(this.options.log === true ? { distr: 3 as const } : {}), range: (_u, min, max) => this.yRange(min, max) },
            },
            axes: [
                { ...axis, size: 26, gap: 3, label: this.options.xLabel ?? "time [s]", labelFont: font, labelSize: 15, labelGap: -2, values: (_u, ticks) => ticks.map((t) => number(t, 6)) },
                { ...axis, size: 62, gap: 4, filter: (_u, ticks) => ticks, splits: (u, _axis, min, max) => this.yTicks(u, min, max), values: (_u, ticks) => ticks.map((y) => (y === null ? "" : number(y, 5))) },
            ],
            cursor: {
                sync: { key: SYNC, setSeries: false },
                drag: { x: true, y: false, setScale: false },
                focus: { prox: -1 },
                points: { size: 6 },
                bind: { dblclick: () => () => this.zoomOut() },
            },
            series: [{}, ...this.curves.map((curve) => this.seriesOptions(curve))],
            hooks: {
                setSelect: [(u) => this.zoom(u)],
                setCursor: [(u) => this.hover(u)],
                setScale: [() => this.moveMarker()],
            },
        };
    }

    // A little room around the curves; curves that do not move are in the middle.
    private yRange(min: number | null, max: number | null): [number, number] {
        if (min === null || max === null || !Number.isFinite(min) || !Number.isFinite(max)) {
            return this.options.log === true ? [0.1, 10] : [0, 1];
        }
        if (this.options.log === true) {
            const room = max > min ? (max / min) ** 0.06 : 3;
            return [min / room, max * room];
        }
        const still = this.options.whole === true ? 1 : Math.abs(max) * 0.1 || 1;
        const room = max > min ? 0.06 * (max - min) : still;
        return [min - room, max + room];
    }

    private yTicks(u: uPlot, min: number, max: number): number[] {
        // the element has no height yet when the first ticks are asked for
        const room = Math.max(2, u.bbox.height / (window.devicePixelRatio || 1) / 24);
        if (this.options.log === true) {
            return logTicks(min, max, room);
        }
        const ticks = linearTicks(min, max, room);
        this.body.dataset["ticks"] = String(ticks.length);
        return this.options.whole === true ? ticks.filter(Number.isInteger) : ticks;
    }

    private seriesOptions(curve: Curve): uPlot.Series {
        const stroke = seriesColor(curve.color, dark.value);
        if (curve.points === true) {
            return { stroke, paths: () => null, points: { show: true, size: 5, fill: stroke, stroke } };
        }
        const stepped = curve.steps === true ? uPlot.paths.stepped?.({ align: 1 }) : undefined;
        return {
            stroke,
            width: 1.5,
            dash: curve.dash ?? seriesDash(curve.color),
            spanGaps: true,
            points: { show: false },
            ...(stepped === undefined ? {} : { paths: stepped }),
        };
    }

    private buildLegend(): void {
        this.values.length = 0;
        const items = this.curves.map((curve) => {
            const swatch = el("span", { class: curve.points === true ? "swatch dot" : "swatch" });
            swatch.style.color = seriesColor(curve.color, dark.value);
            if ((curve.dash ?? seriesDash(curve.color)).length > 0) {
                swatch.classList.add("dashed");
            }
            const value = el("output", { class: "value" });
            this.values.push(value);
            const item = el("span", { class: "legend-item", title: curve.detail ?? curve.label }, swatch, el("span", { class: "legend-name" }, curve.label), value);
            if (curve.unit !== undefined && curve.unit !== "") {
                item.append(el("span", { class: "unit" }, curve.unit));
            }
            if (curve.remove !== undefined) {
                const remove = el("button", { type: "button", class: "legend-remove", "aria-label": `remove ${curve.label}`, title: "remove" }, "×");
                remove.addEventListener("click", curve.remove);
                item.append(remove);
            }
            return item;
        });
        this.legend.replaceChildren(el("span", { class: "panel-label" }, this.options.label), ...items, this.stamp);
    }

    private size(): { width: number; height: number } {
        return { width: Math.max(80, this.body.clientWidth), height: Math.max(60, this.body.clientHeight) };
    }

    private resize(): void {
        if (this.plot !== null && this.body.clientWidth > 0) {
            this.plot.setSize(this.size());
            this.moveMarker();
        }
    }

    private xRange(): [number, number] {
        const { from, to } = this.session.shownSpan;
        return to > from ? [from, to] : [from - 0.5, from + 0.5];
    }

    private applyWindow(): void {
        const [min, max] = this.xRange();
        this.plot?.setScale("x", { min, max });
        this.moveMarker();
    }

    private zoom(u: uPlot): void {
        if (u.select.width < 4) {
            return;
        }
        const from = u.posToVal(u.select.left, "x");
        const to = u.posToVal(u.select.left + u.select.width, "x");
        u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
        this.session.setWindow({ from, to });
    }

    private zoomOut(): null {
        this.session.setWindow(null);
        return null;
    }

    private hover(u: uPlot): void {
        // pointers in other panels arrive here too, without an event: one of them is enough
        if (u.cursor.event === null || u.cursor.event === undefined) {
            return;
        }
        const { idx, left } = u.cursor;
        const inside = idx !== null && idx !== undefined && left !== undefined && left >= 0;
        this.session.hover.value = inside ? u.data[0][idx] : null;
    }

    private click(event: MouseEvent): void {
        if (this.plot !== null && event.detail < 2) {
            this.session.playing.value = false;
            this.session.live.value = false;
            this.session.setTime(this.session.hover.value ?? this.plot.posToVal(event.offsetX, "x"));
        }
    }

    // A finger has no hover: it moves the time along with it.
    private drag(event: PointerEvent): void {
        if (this.plot !== null && event.pointerType === "touch") {
            const { left } = this.plot.over.getBoundingClientRect();
            this.session.playing.value = false;
            this.session.live.value = false;
            this.session.setTime(this.plot.posToVal(event.clientX - left, "x"));
        }
    }

    private moveMarker(): void {
        if (this.plot === null) {
            return;
        }
        const t = this.session.time.value;
        const { from, to } = this.session.shownSpan;
        this.marker.hidden = t < from || t > to;
        this.marker.style.transform = `translateX(${this.plot.valToPos(t, "x").toFixed(1)}px)`;
        if (this.session.hover.value === null) {
            this.readOut();
        }
    }

    private readOut(): void {
        const t = this.session.hover.value ?? this.session.time.value;
        const { from, to } = this.session.range;
        this.stamp.textContent = `t = ${timeText(t, to - from)} s`;
        this.curves.forEach((curve, k) => {
            const value = curve.at?.(t);
            const whole = this.options.whole === true && Number.isInteger(value);
            this.values[k].textContent = value === undefined ? "" : whole ? ` ${value}` : fixed(value);
        });
    }
}
