// A report of the engine itself against its CSV: skipped when the engine is not built.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { drawn, launch, openPage, OUT, template, VIEWER } from "./page.ts";

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

/** The data of a report that the engine writes, in the page that was built last; its address. */
function engineReport(name: string, write: (html: string) => void): string | null {
    const html = join(OUT, `${name}.html`);
    try {
        mkdirSync(OUT, { recursive: true });
        write(html);
    } catch {
        return null; // not built, or without the viewer
    }
    const data = readFileSync(html, "utf8").match(/<script id="trammel-data(-2)?" type="text\/plain">[^<]*<\/script>/g) ?? [];
    writeFileSync(html, template().replace("<!--TRAMMEL-DATA-->", () => data.join("")));
    return pathToFileURL(html).href;
}

const models = join(VIEWER, "..", "models");

test("two runs of the engine: each with its own values", async (context) => {
    const address = engineReport("engine-two", (html) => {
        const out = (k: number) => join(OUT, `engine-two-${k}.h5`);
        execFileSync(TRAMMEL, ["run", join(models, "double_pendulum.yaml"), "-q", "--end", "0.5", "-o", out(0)]);
        execFileSync(TRAMMEL, ["run", join(models, "demo.yaml"), "-q", "--end", "1", "-o", out(1)]);
        execFileSync(TRAMMEL, ["report", out(0), out(1), "-q", "-o", html]);
    });
    if (address === null) {
        context.skip("the engine, or its viewer, is not built");
        return;
    }
    const browser = await launch();
    context.after(() => browser.close());
    const { page, problems } = await openPage(browser, address);
    assert.deepEqual(await page.evaluate(() => window.trammel.runs()), ["engine-two-0.h5", "engine-two-1.h5"]);
    await page.evaluate(() => window.trammel.setTime(1));
    await drawn(page);
    const seen = await page.evaluate(() => ({ ram: window.trammel.ghost("ram"), stroke: window.trammel.csv(["stroke"]).trimEnd().split("\r\n").at(-1) }));
    // where the second run ends, in its channel and in its picture; positions are stored to 2^-24 of the size
    assert.ok(Math.abs((seen.ram?.[0] ?? 9) - Number(seen.stroke?.split(",")[1])) < 1e-6, JSON.stringify(seen));
    assert.deepEqual(problems, []);
});

test("s31 a model of the engine with markup in every place is text", async (context) => {
    const bad = `<img src=x onerror="hacked=1"><script>hacked=1</script>`;
    const text = JSON.stringify(bad);
    const model = join(OUT, "engine-nasty.yaml");
    const address = engineReport("engine-nasty", (html) => {
        writeFileSync(
            model,
            `trammel: 1\ntitle: ${text}\nparameters: {p: 1} # ${bad}\n` +
                `bodies: {${text}: {mass: 1, inertia: [1, 1, 1]}}\n` +
                `joints: {${text}: {type: revolute, bodies: [ground, ${text}], at: [0, 0, 0], axis: z}}\n` +
                `forces: {${text}: {type: torque, body: ${text}, tz: 1}}\n` +
                `outputs: {${text}: {value: time, unit: s}}\nsimulate: {end: 0.1, output_step: 0.01}\n`,
        );
        execFileSync(TRAMMEL, ["run", model, "-q", "--report", html]);
    });
    if (address === null) {
        context.skip("the engine, or its viewer, is not built");
        return;
    }
    const browser = await launch();
    context.after(() => browser.close());
    const { page, problems } = await openPage(browser, address);
    assert.equal(await page.locator(".head h1").textContent(), bad);
    await page.evaluate((name) => window.trammel.select(name), bad);
    for (const tab of await page.locator("[role=tab]").all()) {
        await tab.click();
        await drawn(page);
    }
    await page.evaluate((name) => window.trammel.plot([name]), bad);
    await drawn(page);
    assert.equal(await page.evaluate(() => "hacked" in window), false);
    assert.equal(await page.locator("#app img, #app script").count(), 0);
    assert.deepEqual(problems, []);
});

test("modes of the engine: those of its table, in motion", async (context) => {
    let table = "";
    const address = engineReport("engine-modes", (html) => {
        table = execFileSync(TRAMMEL, ["linearize", join(models, "flexible", "four_bar.yaml"), "--report", html], { encoding: "utf8" });
    });
    if (address === null) {
        context.skip("the engine, or its viewer, is not built");
        return;
    }
    const browser = await launch();
    context.after(() => browser.close());
    const { page, problems } = await openPage(browser, address);
    const modes = await page.evaluate(() => window.trammel.modes());
    const lines = table.split("\n").filter((line) => /^ +\d+ +[-\d.e+]+ /.test(line)).map((line) => line.trim().split(/ +/).map(Number));
    assert.ok(lines.length > 3);
    lines.forEach((line, k) => assert.ok(Math.abs(modes[k].frequency - line[3]) <= 1e-5 * Math.abs(line[3]) + 1e-9, `${k}: ${modes[k].frequency} ${line[3]}`));
    const k = modes.findIndex(({ imag }) => imag > 0);
    const moved = await page.evaluate((mode) => {
        const { trammel } = window;
        trammel.pause();
        const at = (part: number) => {
            trammel.setTime(part * trammel.times()[trammel.times().length - 1]);
            return trammel.body("crank")?.position ?? [];
        };
        trammel.mode(mode, 0.05);
        return [at(0), at(0.5), at(1)];
    }, k);
    assert.notDeepEqual(moved[0], moved[1]);
    moved[0].forEach((x, i) => assert.ok(Math.abs(x - moved[2][i]) < 1e-12)); // a period
    assert.deepEqual(problems, []);
});
