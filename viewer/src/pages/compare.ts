// The work-precision diagram of the compare command, and its table.
import { chart, PAPER, svgText, type ChartLook, type ChartPanel, type ChartSeries } from "../plot/chart.ts";
import type { CompareInfo, CompareRow } from "../data/header.ts";
import type { Session } from "../state/session.ts";
import { button, download, el, fileName } from "../ui/dom.ts";
import { number } from "../ui/format.ts";
import { icon } from "../ui/icons.ts";
import { seriesColor, seriesDash } from "../ui/palette.ts";
import { dark, themeColor } from "../ui/theme.ts";

type Work = "seconds" | "evaluations" | "steps";
const WORKS: { key: Work; label: string }[] = [
    { key: "seconds", label: "CPU time [s]" },
    { key: "evaluations", label: "evaluations" },
];

const COLUMNS: [keyof CompareRow, string][] = [
    ["method", "method"], ["tolerance", "tolerance"], ["error", "max error"], ["rms_error", "RMS error"],
    ["steps", "steps"], ["rejected", "rejected"], ["evaluations", "evaluations"], ["factorisations", "factorisations"], ["seconds", "CPU s"],
];

function methods(rows: CompareRow[]): Map<string, CompareRow[]> {
    const out = new Map<string, CompareRow[]>();
    for (const row of rows) {
        out.set(row.method, [...(out.get(row.method) ?? []), row]);
    }
    return out;
}

function failed(row: CompareRow): boolean {
    return row.error === null || row.error === undefined;
}

function seriesOf(rows: CompareRow[], work: Work, isDark: boolean): ChartSeries[] {
    return [...methods(rows)].map(([method, list], k) => {
        const good = list.filter((row) => !failed(row) && typeof row[work] === "number");
        return {
            label: method,
            color: seriesColor(k, isDark),
            dash: seriesDash(k),
            mark: k,
            line: true,
            x: good.map((row) => row[work] as number),
            y: good.map((row) => row.error as number),
            notes: good.map((row) => `${method}, tolerance ${number(row.tolerance)}: error ${number(row.error, 3)}, ${number(row.seconds, 3)} s, ${number(row.evaluations)} evaluations, ${number(row.steps)} steps`),
        };
    }).filter(({ x }) => x.length > 0);
}

function referenceText(compare: CompareInfo | null | undefined): string {
    const { reference, doubt, channels } = compare ?? {};
    const runs = Array.isArray(reference)
        ? reference.map(({ method, tolerance }) => `${method ?? "?"} at ${number(tolerance)}`).join(", ")
        : reference ?? "";
    const parts = [runs === "" ? "" : `Reference: ${runs}.`];
    if (typeof doubt === "number") {
        parts.push(`The references differ by ${number(doubt, 2)}: smaller errors are not certain.`);
    }
    if (channels !== undefined && channels.length > 0) {
        parts.push(`Compared: ${channels.join(", ")}.`);
    }
    return parts.join(" ");
}

export class ComparePage {
    readonly element = el("main", { class: "page compare-page" });
    private readonly picture = el("div", { class: "compare-chart" });

    constructor(private readonly session: Session) {
        session.view.watch((view) => {
            this.element.hidden = view !== "compare";
            this.draw();
        });
        session.data.watch(() => this.render());
        dark.on(() => this.draw());
        new ResizeObserver(() => this.draw()).observe(this.element);
    }

    svg(): string {
        return svgText(this.chart(1000, PAPER, false));
    }

    private get rows(): CompareRow[] {
        return this.session.data.value.header.compare?.rows ?? [];
    }

    private render(): void {
        const { compare, title } = this.session.data.value.header;
        const save = button("Save as SVG", () => download(fileName(`${title ?? ""} work precision`, ".svg"), this.svg(), "image/svg+xml"), { class: "quiet" }, icon("save"), "SVG");
        this.element.replaceChildren(
            el("section", { class: "box" }, el("div", { class: "box-head" }, el("h2", {}, "Work and precision"), save), this.picture,
                el("p", { class: "hint" }, "The lower left corner is where a method should be. Rest the pointer on a mark to read its numbers."),
                el("p", { class: "hint" }, referenceText(compare))),
            el("section", { class: "box wide" }, this.table()));
        this.draw();
    }

    private draw(): void {
        const width = Math.min(1200, this.element.clientWidth - 60);
        if (this.element.hidden || !(width > 100)) {
            return;
        }
        const look: ChartLook = { text: themeColor("text"), faint: themeColor("text-2"), grid: themeColor("grid"), paper: null };
        this.picture.replaceChildren(this.chart(width, look, dark.value));
    }

    private chart(width: number, look: ChartLook, isDark: boolean): SVGSVGElement {
        const panels: ChartPanel[] = WORKS.map(({ key, label }) => ({
            title: `error over ${label.replace(/ \[.*/, "")}`,
            x: { label, log: true },
            y: { label: "error", log: true },
            series: seriesOf(this.rows, key, isDark),
        })).filter(({ series }) => series.some(({ x }) => x.length > 0));
        return chart("", panels, width, 380, width > 760 ? 2 : 1, look);
    }

    private table(): HTMLElement {
        const head = el("tr", {}, ...COLUMNS.map(([, title]) => el("th", { scope: "col" }, title)));
        const rows = this.rows.map((row) => {
            if (failed(row)) {
                const why = row.message || row.status || "failed";
                return el("tr", { class: "failed" }, el("td", {}, row.method), el("td", { class: "number" }, number(row.tolerance)), el("td", { colspan: COLUMNS.length - 2 }, why));
            }
            return el("tr", {}, ...COLUMNS.map(([key]) => {
                const value = row[key];
                return typeof value === "number" ? el("td", { class: "number" }, number(value, 4)) : el("td", {}, String(value ?? "–"));
            }));
        });
        return el("table", { class: "compare-table" }, el("thead", {}, head), el("tbody", {}, ...rows));
    }
}
