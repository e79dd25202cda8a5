// Line charts as SVG: for downloads, and for the work-precision diagram on the page.
import { svg } from "../ui/dom.ts";
import { linearTicks, logTicks, powerText, tickText } from "./ticks.ts";

export interface ChartSeries {
    label: string;
    color: string;
    dash: number[];
    mark: number; // -1: none
    line: boolean;
    x: ArrayLike<number>;
    y: ArrayLike<number>;
    notes?: string[]; // shown when the pointer rests on a mark
}

export interface ChartAxis {
    label: string;
    log: boolean;
    min?: number;
    max?: number;
}

export interface ChartPanel {
    title: string;
    x: ChartAxis;
    y: ChartAxis;
    series: ChartSeries[];
}

export interface ChartLook {
    text: string;
    faint: string;
    grid: string;
    paper: string | null; // null: the page shows through
}

export const PAPER: ChartLook = { text: "#1d2730", faint: "#5b6875", grid: "#dfe4e9", paper: "#ffffff" };

const LEFT = 72;
const RIGHT = 16;
const TOP = 30;
const BOTTOM = 44;
const LINE = 18;
const FONT = "12px system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";

interface Range {
    min: number;
    max: number;
    log: boolean;
}

function usable(value: number, log: boolean): boolean {
    return Number.isFinite(value) && (!log || value > 0);
}

function rangeOf(axis: ChartAxis, lists: ArrayLike<number>[], pad: number): Range {
    let min = axis.min ?? Infinity;
    let max = axis.max ?? -Infinity;
    if (axis.min === undefined || axis.max === undefined) {
        for (const list of lists) {
            for (let i = 0; i < list.length; ++i) {
                if (usable(list[i], axis.log)) {
                    min = Math.min(min, list[i]);
                    max = Math.max(max, list[i]);
                }
            }
        }
        if (!(min <= max)) {
            [min, max] = axis.log ? [0.1, 10] : [0, 1];
        }
        return padded(min, max, axis.log, pad);
    }
    return { min, max, log: axis.log };
}

function padded(min: number, max: number, log: boolean, pad: number): Range {
    if (log) {
        const room = Math.max(0.15, pad * Math.log10(max / min));
        return { min: min / 10 ** room, max: max * 10 ** room, log };
    }
    const room = max > min ? pad * (max - min) : Math.abs(max) * 0.1 || 1;
    return { min: min - room, max: max + room, log };
}

/** Place on an axis, 0 to 1. */
function part(value: number, range: Range): number {
    return range.log
        ? Math.log(value / range.min) / Math.log(range.max / range.min)
        : (value - range.min) / (range.max - range.min);
}

function ticksOf(range: Range, n: number): { at: number; text: string }[] {
    const ticks = range.log
        ? logTicks(range.min, range.max, n)
        : linearTicks(range.min, range.max, n);
    const step = ticks.length > 1 ? ticks[1] - ticks[0] : range.max - range.min;
    return ticks.map((tick) => ({
        at: part(tick, range),
        text: range.log ? powerText(tick) : tickText(tick, step),
    }));
}

const MARKS = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0", "M-3.6 -3.6h7.2v7.2h-7.2z", "M0 -4.6L4.4 3.4H-4.4z", "M0 -5L5 0L0 5L-5 0z", "M0 4.6L4.4 -3.4H-4.4z", "M-4 -4L4 4M4 -4L-4 4"];

export function markPath(mark: number): string {
    return MARKS[mark % MARKS.length];
}

class PanelPen {
    readonly group: SVGGElement;
    private readonly xr: Range;
    private readonly yr: Range;

    constructor(
        private readonly panel: ChartPanel,
        private readonly width: number,
        private readonly height: number,
        private readonly look: ChartLook,
        private readonly id: string,
    ) {
        this.group = svg("g");
        this.xr = rangeOf(panel.x, panel.series.map((one) => one.x), panel.x.log ? 0.05 : 0);
        this.yr = rangeOf(panel.y, panel.series.map((one) => one.y), 0.05);
    }

    draw(): SVGGElement {
        this.axes();
        const clip = svg("clipPath", { id: this.id }, svg("rect", { x: LEFT, y: TOP, width: this.width, height: this.height }));
        const body = svg("g", { "clip-path": `url(#${this.id})` });
        this.group.append(clip, body);
        for (const series of this.panel.series) {
            if (series.line) {
                body.append(this.line(series));
            }
            if (series.mark >= 0) {
                this.marks(series, body);
            }
        }
        return this.group;
    }

    private px(value: number): number {
        return LEFT + part(value, this.xr) * this.width;
    }

    private py(value: number): number {
        return TOP + (1 - part(value, this.yr)) * this.height;
    }

    private text(x: number, y: number, text: string, extra: Record<string, string> = {}): void {
        const attributes = { x, y, fill: this.look.faint, "font-size": 11, ...extra };
        this.group.append(svg("text", attributes, text));
    }

    private axes(): void {
        const { panel, width, height, look, group } = this;
        const bottom = TOP + height;
        for (const { at, text } of ticksOf(this.xr, Math.max(2, width / 90))) {
            const x = LEFT + at * width;
            group.append(svg("path", { d: `M${x.toFixed(1)} ${TOP}V${bottom}`, stroke: look.grid }));
            this.text(x, bottom + 16, text, { "text-anchor": "middle" });
        }
        for (const { at, text } of ticksOf(this.yr, Math.max(2, height / 36))) {
            const y = bottom - at * height;
            group.append(svg("path", { d: `M${LEFT} ${y.toFixed(1)}H${LEFT + width}`, stroke: look.grid }));
            this.text(LEFT - 8, y + 4, text, { "text-anchor": "end" });
        }
        group.append(svg("path", { d: `M${LEFT} ${TOP}V${bottom}H${LEFT + width}`, stroke: look.faint, fill: "none" }));
        this.text(LEFT + width / 2, bottom + 34, panel.x.label, { "text-anchor": "middle" });
        this.text(0, 0, panel.y.label, {
            "text-anchor": "middle",
            transform: `translate(15 ${TOP + height / 2}) rotate(-90)`,
        });
        this.text(LEFT, TOP - 10, panel.title, { fill: look.text, "font-size": "13", "font-weight": "600" });
    }

    // A curve of many points would be megabytes: of each column of pixels the extremes are enough.
    private line(series: ChartSeries): SVGPathElement {
        let d = "";
        let column = Number.NaN;
        let low = 0;
        let high = 0;
        let last = 0;
        let open = false;
        const flush = () => {
            if (low !== high) {
                d += `L${column} ${low.toFixed(1)}L${column} ${high.toFixed(1)}L${column} ${last.toFixed(1)}`;
            }
        };
        const dense = series.x.length > 4 * this.width;
        for (let i = 0; i < series.x.length; ++i) {
            if (!usable(series.x[i], this.xr.log) || !usable(series.y[i], this.yr.log)) {
                continue; // a channel of another table: the line goes on at its next row
            }
            const x = this.px(series.x[i]);
            const y = this.py(series.y[i]);
            const at = Math.round(x * 2) / 2;
            if (dense && open && at === column) {
                low = Math.min(low, y);
                high = Math.max(high, y);
                last = y;
                continue;
            }
            if (open && dense) {
                flush();
            }
            d += `${open ? "L" : "M"}${(dense ? at : x).toFixed(dense ? 1 : 2)} ${y.toFixed(2)}`;
            open = true;
            column = at;
            low = high = last = y;
        }
        flush();
        return svg("path", {
            d,
            fill: "none",
            stroke: series.color,
            "stroke-width": 1.6,
            "stroke-linejoin": "round",
            "stroke-dasharray": series.dash.join(" ") || null,
        });
    }

    private marks(series: ChartSeries, body: SVGGElement): void {
        for (let i = 0; i < series.x.length; ++i) {
            if (!usable(series.x[i], this.xr.log) || !usable(series.y[i], this.yr.log)) {
                continue;
            }
            const place = `translate(${this.px(series.x[i]).toFixed(2)} ${this.py(series.y[i]).toFixed(2)})`;
            const mark = svg("path", {
                d: markPath(series.mark),
                transform: place,
                fill: series.mark === 5 ? "none" : series.color,
                stroke: series.color,
                "stroke-width": 1.5,
            });
            const note = series.notes?.[i];
            if (note !== undefined) {
                mark.append(svg("title", {}, note));
            }
            body.append(mark);
        }
    }
}

function legend(series: ChartSeries[], width: number, look: ChartLook): { group: SVGGElement; height: number } {
    const group = svg("g");
    let x = LEFT;
    let y = LINE / 2;
    for (const one of series) {
        const needed = 36 + 7 * one.label.length;
        if (x > LEFT && x + needed > width - RIGHT) {
            x = LEFT;
            y += LINE;
        }
        if (one.line) {
            group.append(svg("path", { d: `M${x} ${y}h20`, stroke: one.color, "stroke-width": 2, "stroke-dasharray": one.dash.join(" ") || null }));
        }
        if (one.mark >= 0) {
            group.append(svg("path", { d: markPath(one.mark), transform: `translate(${x + 10} ${y})`, fill: one.mark === 5 ? "none" : one.color, stroke: one.color, "stroke-width": 1.5 }));
        }
        group.append(svg("text", { x: x + 26, y: y + 4, fill: look.text, "font-size": 12 }, one.label));
        x += needed;
    }
    return { group, height: y + LINE };
}

let drawn = 0; // ids of clip paths must differ between all charts of a page

/** Panels below each other (columns = 1) or side by side, each with its legend below. */
export function chart(title: string, panels: ChartPanel[], width: number, panelHeight: number, columns: number, look: ChartLook): SVGSVGElement {
    const root = svg("svg", { xmlns: "http://www.w3.org/2000/svg", width, role: "img", "aria-label": title || "chart", style: `font: ${FONT}` });
    const cell = width / columns;
    let y = title === "" ? 4 : 34;
    let rowHeight = 0;
    const content: SVGElement[] = [];
    panels.forEach((panel, k) => {
        const column = k % columns;
        if (column === 0 && k > 0) {
            y += rowHeight;
            rowHeight = 0;
        }
        const inner = { w: cell - LEFT - RIGHT, h: panelHeight - TOP - BOTTOM };
        const pen = new PanelPen(panel, inner.w, inner.h, look, `clip${++drawn}`);
        const notes = legend(panel.series, cell, look);
        notes.group.setAttribute("transform", `translate(0 ${panelHeight})`);
        content.push(svg("g", { transform: `translate(${column * cell} ${y})` }, pen.draw(), notes.group));
        rowHeight = Math.max(rowHeight, panelHeight + notes.height + 10);
    });
    const height = y + rowHeight;
    root.setAttribute("height", String(height));
    root.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (look.paper !== null) {
        root.append(svg("rect", { width, height, fill: look.paper }));
    }
    if (title !== "") {
        root.append(svg("text", { x: LEFT, y: 22, fill: look.text, "font-size": 15, "font-weight": 600 }, title));
    }
    root.append(...content);
    return root;
}

export function svgText(element: SVGSVGElement): string {
    // characters that XML does not allow may stand in names
    const text = new XMLSerializer().serializeToString(element);
    return `<?xml version="1.0" encoding="UTF-8"?>\n${text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")}\n`;
}
