// Start: find the data, unpack them, show the page; or say clearly why not.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { connect, makeApi } from "./api.ts";
import { App } from "./app.ts";
import { readDataset, type Dataset } from "./data/dataset.ts";
import { DataError } from "./data/container.ts";
import { decodeBase64, fetchRows, findSource, reportData } from "./data/source.ts";
import { askForFile, showProblem } from "./ui/message.ts";
import { startTheme } from "./ui/theme.ts";
import { Watcher } from "./watch.ts";


const host = document.getElementById("app") as HTMLElement;

async function show(data: Dataset, watching: boolean, second: Dataset | null = null): Promise<App> {
    const app = new App(host, data, watching, second);
    connect(window.trammel, app);
    await app.drawn;
    return app;
}

function report(error: unknown): void {
    const damaged = error instanceof DataError;
    const text = error instanceof Error ? error.message : String(error);
    window.trammel.error = text;
    const title = damaged ? "This report cannot be shown" : "The viewer failed";
    const advice = damaged
        ? "Write the report again from the results file: trammel report results.h5 -o report.html"
        : "This is a defect of the viewer. The results file itself is not affected.";
    showProblem(host, title, text, advice);
}

async function showRuns(containers: Uint8Array[]): Promise<void> {
    const [first, second] = await Promise.all(containers.map(readDataset));
    await show(first, false, second ?? null);
}

async function open(bytes: Uint8Array): Promise<void> {
    try {
        await showRuns(reportData(bytes));
    } catch (error) {
        report(error);
    }
}

async function start(): Promise<void> {
    try {
        const source = findSource(document);
        if (source.kind === "embedded") {
            await showRuns(source.texts.map(decodeBase64));
        } else if (source.kind === "watch") {
            const app = await show(await readDataset(await fetchRows(source.watch, 0)), true);
            new Watcher(source.watch, app).start();
        } else {
            askForFile(host, (bytes) => void open(bytes));
        }
    } catch (error) {
        report(error);
    }
}

startTheme();
let done: () => void = () => undefined;
window.trammel = makeApi(new Promise((resolve) => (done = resolve)));
void start().finally(() => done());
