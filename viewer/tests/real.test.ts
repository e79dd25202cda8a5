// A report of the engine itself against its CSV: skipped when the engine is not built.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { launch, OUT, template, VIEWER } from "./page.ts";

const TRAMMEL = process.env["TRAMMEL"] ?? join(VIEWER, "..", "build", "trammel");
const MARK = /<script id="trammel-data" type="text\/plain">[^<]*<\/script>/;

interface Table {
    names: string[];
    rows: number[][];
}

function readCsv(path: string): Table {
    const [head, ...lines] = readFileSync(path, "utf8").trimEnd().split(/\r?\n/);
    return { names: head.split(","), rows: lines.map((line) => line.split(",").map(Number)) };
}

/** Runs the demo; the data of its report go into the page that was built last. */
function demo(): { address: string; csv: Table } | null {
    if (!existsSync(TRAMMEL)) {
        return null;
    }
    mkdirSync(OUT, { recursive: true });
    const out = (ending: string) => join(OUT, `engine${ending}`);
    const model = join(VIEWER, "..", "models", "demo.yaml");
    execFileSync(TRAMMEL, ["run", model, "-q", "-o", out(".h5"), "--csv", out(".csv")]);
    try {
        execFileSync(TRAMMEL, ["report", out(".h5"), "-q", "-o", out(".html")]);
    } catch {
        return null; // built without the viewer
    }
    const data = MARK.exec(readFileSync(out(".html"), "utf8"))?.[0] ?? "";
    writeFileSync(out(".html"), template().replace("<!--TRAMMEL-DATA-->", () => data));
    return { address: pathToFileURL(out(".html")).href, csv: readCsv(out(".csv")) };
}

test("the page shows what the engine wrote", async (context) => {
    const made = demo();
    if (made === null) {
        context.skip("the engine, or its viewer, is not built");
        return;
    }
    const { csv } = made;
    const browser = await launch();
    context.after(() => browser.close()); // also when something fails: it would keep the process
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    const problems: string[] = [];
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("request", (request) => request.url() === made.address || problems.push(request.url()));
    await page.goto(made.address);
    await page.evaluate(() => window.trammel.ready);
    const names = csv.names.slice(1);
    await page.evaluate((list) => window.trammel.plot(list), names);
    const size = (await page.evaluate(() => window.trammel.header?.scene?.size)) ?? 0;
    const stroke = csv.names.indexOf("stroke"); // DX(ram), whose centre of mass is its origin
    for (const k of [0, 77, 301, csv.rows.length - 1]) {
        const row = csv.rows[k];
        const shown = await page.evaluate((t) => {
            window.trammel.setTime(t);
            return { values: window.trammel.cursor(t), ram: window.trammel.body("ram") };
        }, row[0]);
        // this run is short: its channels are in the report bit for bit, positions to 2^-24 of the size
        names.forEach((name, i) => assert.equal(shown.values[name], row[i + 1], `${name} at ${row[0]}`));
        assert.ok(Math.abs((shown.ram?.position[0] ?? 9) - row[stroke]) <= size * 2 ** -24);
    }
    const saved = (await page.evaluate(() => window.trammel.csv())).trimEnd().split("\r\n");
    assert.equal(saved.length, csv.rows.length + 1);
    assert.deepEqual(saved[302].split(",").map(Number), csv.rows[301]);
    assert.deepEqual(problems, []);
});
