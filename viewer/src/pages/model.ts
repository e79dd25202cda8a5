// The model and the run: all that is needed to judge it and to repeat it.
import type { Header } from "../data/header.ts";
import type { Session } from "../state/session.ts";
import { button, download, el, fileName } from "../ui/dom.ts";
import { bytes, number } from "../ui/format.ts";
import { icon } from "../ui/icons.ts";

type Fact = [string, string | number | null | undefined];

function plain(value: unknown): string {
    if (typeof value === "number") {
        return number(value);
    }
    return typeof value === "string" ? value : JSON.stringify(value);
}

function facts(list: Fact[]): HTMLElement {
    const rows = list.filter(([, value]) => value !== null && value !== undefined && value !== "");
    return el("table", { class: "facts" }, el("tbody", {}, ...rows.map(([name, value]) =>
        el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, plain(value))))));
}

function section(title: string, ...content: (HTMLElement | null)[]): HTMLElement {
    return el("section", { class: "box" }, el("h2", {}, title), ...content);
}

function textList(texts: string[] | undefined, none: string): HTMLElement {
    if (texts === undefined || texts.length === 0) {
        return el("p", { class: "hint" }, none);
    }
    return el("ul", { class: "notes" }, ...texts.map((text) => el("li", {}, text)));
}

function table(columns: string[], rows: string[][]): HTMLElement {
    return el("table", { class: "part-table" },
        el("thead", {}, el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((text) => el("td", {}, text))))));
}

/** Runs of numbers: "1-8, 11". */
export function ranges(list: number[]): string {
    const out: string[] = [];
    for (let from = 0, at = 0; at < list.length; ++at) {
        if (list[at + 1] !== list[at] + 1) {
            out.push(from === at ? String(list[at]) : `${list[from]}-${list[at]}`);
            from = at + 1;
        }
    }
    return out.join(", ");
}

/** Which modes of large parts the pictures are made of. */
function keptModes({ scene }: Header): string[] {
    return (scene?.modal ?? []).flatMap(({ name, modes, chosen }) =>
        chosen === undefined || chosen.length === modes ? [] :
            [`The pictures of '${name}' have ${chosen.length} of its ${modes} modes, to keep the page small: ${ranges(chosen.map((k) => k + 1))}.`]);
}

async function copyText(text: string, from: HTMLButtonElement): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        from.classList.add("done");
        setTimeout(() => from.classList.remove("done"), 1200);
    } catch {
        // pages from disk may not reach the clipboard: the text is marked for the keys
        const code = from.previousElementSibling;
        if (code !== null) {
            getSelection()?.selectAllChildren(code);
        }
    }
}

function commandLine(command: string): HTMLElement {
    const copy: HTMLButtonElement = button("Copy", () => void copyText(command, copy), { class: "icon-button" }, icon("copy"));
    return el("div", { class: "command" }, el("code", {}, command), copy);
}

export class ModelPage {
    readonly element = el("main", { class: "page model-page" });

    constructor(private readonly session: Session) {
        session.view.watch((view) => (this.element.hidden = view !== "model"));
        session.data.watch(() => this.render(session.inspectedRun.header));
        session.inspected.on(() => this.render(session.inspectedRun.header));
    }

    private render(header: Header): void {
        const { run, part } = header;
        if (part !== null && part !== undefined) {
            this.element.replaceChildren(
                el("div", { class: "boxes" }, section("Part", facts(part.facts)), section("Notes", textList([...(part.notes ?? []), ...keptModes(header)], "None."))),
                ...part.tables.map(({ title, columns, rows }) => section(title, table(columns, rows))));
            return;
        }
        this.element.replaceChildren(
            el("div", { class: "boxes" },
                this.countsBox(header),
                this.runBox(header),
                this.dataBox(header),
                section("Notes", this.notes(header))),
            run?.command === undefined ? "" : section("To repeat this run", commandLine(run.command)),
            this.modelText(header));
    }

    // The run repeats what the model's counts tell: each text once.
    private notes(header: Header): HTMLElement {
        const { run, counts, channels } = header;
        const left = (channels?.left_out ?? []).map((text) => `Left out of this report: ${text}.`);
        const all = [...(counts?.redundant ?? []), ...(counts?.warnings ?? []), ...(run?.notes ?? []), ...left, ...keptModes(header)];
        return textList([...new Set(all)], "No redundant constraints, no warnings.");
    }

    private countsBox({ counts }: Header): HTMLElement {
        return section("Model", facts([
            ["degrees of freedom", counts?.dof],
            ["bodies", counts?.bodies],
            ["joints", counts?.joints],
            ["forces", counts?.forces],
            ["flexible bodies", counts?.flexible],
            ["coordinates", counts?.coordinates],
            ["redundant constraints", this.redundant()],
        ]));
    }

    private redundant(): number | undefined {
        const { header } = this.session.inspectedRun;
        const told = header.run?.statistics?.["n_redundant"];
        return typeof told === "number" ? told : header.counts?.redundant?.length;
    }

    private runBox({ run, status, trammel }: Header): HTMLElement {
        const options: Fact[] = Object.entries(run?.options ?? {}).map(([name, value]) => [name, plain(value)]);
        return section("Run", facts([
            ["status", status],
            ["integrator", run?.integrator],
            ["choice", run?.choice],
            ["tolerance", run?.tolerance],
            ["end time [s]", run?.end_time],
            ["output step [s]", run?.output_step],
            ...options,
            ["Trammel", trammel],
        ]));
    }

    private dataBox({ run, frames, channels }: Header): HTMLElement {
        const { size, channels: store } = this.session.inspectedRun;
        const bound = frames?.error_bound;
        const kept = channels?.groups.map((group) => `${group.time.shape[0]} rows${(group.error_bound ?? 0) > 0 ? `, within ${number(group.error_bound)} of the range` : ""}`);
        return section("This report", facts([
            ["rows of the results", run?.rows],
            ["frames kept", frames ? `${this.session.inspectedRun.motion.times.length} of ${frames.of ?? "?"}` : null],
            ["between frames within", bound?.position === undefined ? null : `${number(bound.position)} m, ${number(bound.angle ?? 0)} rad`],
            ["channels", store.list.length],
            ["channels kept", [...new Set(kept)].slice(0, 4).join("; ")],
            ["data", bytes(size)],
        ]));
    }

    private modelText({ run, title }: Header): HTMLElement | string {
        if (run?.model === undefined || run.model === "") {
            return "";
        }
        const text = run.model;
        const name = (run.model_file ?? "").split(/[\\/]/).pop() || fileName(title ?? "", ".yaml");
        return el("section", { class: "box" },
            el("div", { class: "box-head" }, el("h2", {}, run.model_file ?? "Model text"), button("Save the model text", () => download(name, text, "text/yaml"), { class: "quiet" }, icon("save"), "Save")),
            el("pre", { class: "model-text", tabindex: 0 }, el("code", {}, text)));
    }
}
