// Curves over something else than time, drawn on a canvas: spectra and one channel over another. A
// drag zooms into a rectangle, a double click shows everything, the pointer reads the nearest point.
import { el } from "../ui/dom.ts";
import { number } from "../ui/format.ts";
import { seriesColor } from "../ui/palette.ts";
import { dark, themeColor } from "../ui/theme.ts";
import { linearTicks, logTicks } from "./ticks.ts";

export interface GraphCurve {
    label: string;
    detail?: string;
    color: number; // index into the palette
    dash: number[];
    x: ArrayLike<number>;
    y: ArrayLike<number>;
    now?: () => [number, number]; // the point of the shown time
    remove?: () => void;
}

export interface GraphOptions {
    xLabel: string;
    yLabel: string;
    log?: boolean; // y
    sorted?: boolean; // x increases: of each column of pixels the extremes are enough
    decades?: number; // of a logarithmic axis at most
}

interface Range {
    min: number;
    max: number;
}

interface Box {
    x: Range;
    y: Range;
}

const MARGIN = { left: 64, right: 14, top: 8, bottom: 38 };
const FONT = "11px system-ui, sans-serif";
const NEAR = 24; // px, within which the pointer reads a point

function extent(lists: ArrayLike<number>[], usable: (value: number) => boolean): Range | null {
    let [min, max] = [Infinity, -Infinity];
    for (const list of lists) {
        for (let i = 0; i < list.length; ++i) {
            if (usable(list[i])) {
                min = Math.min(min, list[i]);
                max = Math.max(max, list[i]);
            }
        }
    }
    return min <= max ? { min, max } : null;
}

function padded({ min, max }: Range, part: number): Range {
    const room = max > min ? part * (max - min) : Math.abs(max) * 0.1 || 1;
    return { min: min - room, max: max + room };
}

export class Graph {
    readonly element: HTMLElement;
    private readonly canvas = el("canvas", { class: "graph-canvas" });
    private readonly body = el("div", { class: "panel-plot graph-plot" });
    private readonly legend = el("div", { class: "panel-legend" });
    private readonly readout = el("span", { class: "panel-time" });
    private readonly band = el("div", { class: "graph-band", hidden: true });
    private readonly observer: ResizeObserver;
    private readonly ends: (() => void)[];
    private zoomed: Box | null = null;
    private pressed: [number, number] | null = null;

    constructor(private curves: GraphCurve[], private readonly options: GraphOptions) {
        this.body.append(this.canvas, this.band);
        this.element = el("section", { class: "panel graph", "aria-label": `${options.yLabel} over ${options.xLabel}` }, this.legend, this.body);
        this.buildLegend();
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.body);
        this.ends = [dark.on(() => {
            this.buildLegend();
            this.draw();
        })];
        this.listen();
    }

    destroy(): void {
        this.observer.disconnect();
        this.ends.forEach((end) => end());
        this.element.remove();
    }

    /** The point of the shown time has moved. */
    update(): void {
        if (this.curves.some(({ now }) => now !== undefined)) {
            this.draw();
        }
    }

    private buildLegend(): void {
        const items = this.curves.map((curve) => {
            const swatch = el("span", { class: curve.dash.length > 0 ? "swatch dashed" : "swatch" });
            swatch.style.color = seriesColor(curve.color, dark.value);
            const item = el("span", { class: "legend-item", title: curve.detail ?? curve.label }, swatch, el("span", { class: "legend-name" }, curve.label));
            if (curve.remove !== undefined) {
                const remove = el("button", { type: "button", class: "legend-remove", "aria-label": `remove ${curve.label}`, title: "remove" }, "×");
                remove.addEventListener("click", curve.remove);
                item.append(remove);
            }
            return item;
        });
        this.legend.replaceChildren(el("span", { class: "panel-label" }, this.options.yLabel), ...items, this.readout);
    }

    private usable = (y: number): boolean => Number.isFinite(y) && (this.options.log !== true || y > 0);

    private get box(): Box {
        if (this.zoomed !== null) {
            return this.zoomed;
        }
        const x = extent(this.curves.map((curve) => curve.x), Number.isFinite) ?? { min: 0, max: 1 };
        const y = extent(this.curves.map((curve) => curve.y), this.usable);
        const xr = this.options.sorted === true && x.max > x.min ? x : padded(x, 0.04);
        if (this.options.log !== true) {
            return { x: xr, y: padded(y ?? { min: 0, max: 1 }, 0.06) };
        }
        const max = 2 * (y?.max ?? 1);
        return { x: xr, y: { min: Math.max((y?.min ?? 0.1) / 2, max / 10 ** (this.options.decades ?? 8)), max } };
    }

    private get plane(): { left: number; top: number; width: number; height: number } {
        return {
            left: MARGIN.left,
            top: MARGIN.top,
            width: Math.max(10, this.body.clientWidth - MARGIN.left - MARGIN.right),
            height: Math.max(10, this.body.clientHeight - MARGIN.top - MARGIN.bottom),
        };
    }

    private toX(box: Box): (x: number) => number {
        const { left, width } = this.plane;
        return (x) => left + (width * (x - box.x.min)) / (box.x.max - box.x.min);
    }

    private toY(box: Box): (y: number) => number {
        const { top, height } = this.plane;
        const part = this.options.log === true
            ? (y: number) => Math.log(y / box.y.min) / Math.log(box.y.max / box.y.min)
            : (y: number) => (y - box.y.min) / (box.y.max - box.y.min);
        return (y) => top + height * (1 - part(y));
    }

    private draw(): void {
        const { clientWidth, clientHeight } = this.body;
        const pen = this.canvas.getContext("2d");
        if (clientWidth === 0 || clientHeight === 0 || pen === null) {
            return;
        }
        const ratio = window.devicePixelRatio || 1;
        this.canvas.width = Math.round(clientWidth * ratio);
        this.canvas.height = Math.round(clientHeight * ratio);
        pen.scale(ratio, ratio);
        const box = this.box;
        this.drawAxes(pen, box);
        const { left, top, width, height } = this.plane;
        pen.save();
        pen.beginPath();
        pen.rect(left, top, width, height);
        pen.clip();
        this.curves.forEach((curve) => this.drawCurve(pen, curve, box));
        this.curves.forEach((curve) => this.drawNow(pen, curve, box));
        pen.restore();
    }

    private drawAxes(pen: CanvasRenderingContext2D, box: Box): void {
        const { left, top, width, height } = this.plane;
        const [toX, toY] = [this.toX(box), this.toY(box)];
        const xs = linearTicks(box.x.min, box.x.max, Math.max(2, width / 80));
        const ys = this.options.log === true ? logTicks(box.y.min, box.y.max, Math.max(2, height / 24)) : linearTicks(box.y.min, box.y.max, Math.max(2, height / 24));
        this.body.dataset["ticks"] = String(ys.length);
        pen.font = FONT;
        pen.strokeStyle = themeColor("grid");
        pen.fillStyle = themeColor("text-2");
        pen.beginPath();
        pen.textAlign = "center";
        for (const x of xs) {
            pen.moveTo(toX(x), top);
            pen.lineTo(toX(x), top + height + 4);
            pen.fillText(number(x, 6), toX(x), top + height + 17);
        }
        pen.textAlign = "right";
        for (const y of ys) {
            pen.moveTo(left - 4, toY(y));
            pen.lineTo(left + width, toY(y));
            pen.fillText(number(y, 5), left - 8, toY(y) + 4);
        }
        pen.stroke();
        pen.textAlign = "center";
        pen.fillText(this.options.xLabel, left + width / 2, top + height + 32);
    }

    private drawCurve(pen: CanvasRenderingContext2D, curve: GraphCurve, box: Box): void {
        const [toX, toY] = [this.toX(box), this.toY(box)];
        const low = this.options.log === true ? box.y.min / 10 : -Infinity; // zeros are below the picture
        pen.strokeStyle = seriesColor(curve.color, dark.value);
        pen.lineWidth = 1.5;
        pen.lineJoin = "round";
        pen.setLineDash(curve.dash);
        pen.beginPath();
        let open = false;
        let column = Number.NaN;
        let [least, most] = [0, 0];
        const thin = this.options.sorted === true;
        for (let i = 0; i < curve.x.length; ++i) {
            const value = this.options.log === true && Number.isFinite(curve.y[i]) ? Math.max(curve.y[i], low) : curve.y[i];
            if (!Number.isFinite(curve.x[i]) || !Number.isFinite(value)) {
                open = false;
                continue;
            }
            const [x, y] = [toX(curve.x[i]), toY(value)];
            const at = Math.round(2 * x);
            if (thin && open && at === column) {
                // a column of pixels already crossed in full needs no more lines
                if (y < least || y > most) {
                    pen.lineTo(x, y);
                    [least, most] = [Math.min(least, y), Math.max(most, y)];
                }
                continue;
            }
            if (open) {
                pen.lineTo(x, y);
            } else {
                pen.moveTo(x, y);
            }
            open = true;
            column = at;
            least = most = y;
        }
        pen.stroke();
        pen.setLineDash([]);
    }

    private drawNow(pen: CanvasRenderingContext2D, { now, color }: GraphCurve, box: Box): void {
        const [x, y] = now?.() ?? [Number.NaN, Number.NaN];
        if (!Number.isFinite(x) || !this.usable(y)) {
            return;
        }
        pen.beginPath();
        pen.arc(this.toX(box)(x), this.toY(box)(y), 4.5, 0, 2 * Math.PI);
        pen.fillStyle = seriesColor(color, dark.value);
        pen.fill();
        pen.strokeStyle = themeColor("paper");
        pen.lineWidth = 1.5;
        pen.stroke();
    }

    private listen(): void {
        const at = (event: PointerEvent): [number, number] => {
            const rect = this.canvas.getBoundingClientRect();
            return [event.clientX - rect.left, event.clientY - rect.top];
        };
        this.canvas.addEventListener("pointerdown", (event) => {
            this.pressed = at(event);
            this.canvas.setPointerCapture(event.pointerId);
        });
        this.canvas.addEventListener("pointermove", (event) => {
            this.showBand(at(event));
            this.read(at(event));
        });
        this.canvas.addEventListener("pointerup", (event) => this.release(at(event)));
        this.canvas.addEventListener("pointerleave", () => (this.readout.textContent = ""));
        this.canvas.addEventListener("dblclick", () => {
            this.zoomed = null;
            this.draw();
        });
    }

    private showBand([x, y]: [number, number]): void {
        this.band.hidden = this.pressed === null;
        if (this.pressed !== null) {
            const [a, b] = this.pressed;
            Object.assign(this.band.style, { left: `${Math.min(a, x)}px`, top: `${Math.min(b, y)}px`, width: `${Math.abs(x - a)}px`, height: `${Math.abs(y - b)}px` });
        }
    }

    private release([x, y]: [number, number]): void {
        const from = this.pressed;
        this.pressed = null;
        this.band.hidden = true;
        if (from === null || Math.abs(x - from[0]) < 6 || Math.abs(y - from[1]) < 6) {
            return;
        }
        const box = this.box;
        const { left, top, width, height } = this.plane;
        const px = (p: number) => box.x.min + ((Math.min(left + width, Math.max(left, p)) - left) / width) * (box.x.max - box.x.min);
        const py = (p: number) => {
            const part = 1 - (Math.min(top + height, Math.max(top, p)) - top) / height;
            return this.options.log === true ? box.y.min * (box.y.max / box.y.min) ** part : box.y.min + part * (box.y.max - box.y.min);
        };
        const [x1, x2, y1, y2] = [px(from[0]), px(x), py(from[1]), py(y)];
        if (x1 !== x2 && y1 !== y2) {
            this.zoomed = { x: { min: Math.min(x1, x2), max: Math.max(x1, x2) }, y: { min: Math.min(y1, y2), max: Math.max(y1, y2) } };
            this.draw();
        }
    }

    /** The point that is nearest to the pointer. */
    private read([px, py]: [number, number]): void {
        const box = this.box;
        const [toX, toY] = [this.toX(box), this.toY(box)];
        let best = { distance: NEAR, text: "" };
        for (const { label, x, y } of this.curves) {
            for (let i = 0; i < x.length; ++i) {
                const distance = Math.hypot(toX(x[i]) - px, toY(y[i]) - py);
                if (distance < best.distance) {
                    best = { distance, text: `${label}: ${number(x[i], 5)}, ${number(y[i], 5)}` };
                }
            }
        }
        this.readout.textContent = best.text;
    }
}
