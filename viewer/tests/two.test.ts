// Two runs on top of each other.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import * as fixture from "./fixture.ts";
import { drawn, launch, openPage, picture, writeReport, writeTwo } from "./page.ts";

let browser: Browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser.close();
});

// A ball that moves along x; `end` and rows differ from run to run.
function run(speed: number, rows: number, end: number, more: Partial<fixture.Parts> = {}): fixture.Fixture {
    return fixture.makeReport({
        title: "Ball", time: fixture.times(rows, end),
        bodies: [{ name: "ground" }, { name: "ball", shapes: [{ kind: "sphere", radius: 0.2 }] }],
        pose: (t) => ({ position: [speed * t, 0, 0], orientation: [1, 0, 0, 0] }),
        outputs: [
            { item: { name: "x", unit: "m", kind: "output" }, value: (t) => speed * t },
            ...(more.outputs ?? []),
        ],
        ...Object.fromEntries(Object.entries(more).filter(([key]) => key !== "outputs")),
    });
}

test("both curves in one panel, with the numbers of their own rows; the time reaches the later end", async () => {
    const { page, problems } = await openPage(browser, writeTwo("two.html", run(1, 11, 1).bytes, run(2, 31, 2).bytes));
    await page.evaluate(() => {
        window.trammel.view = "plots";
        window.trammel.plot(["x"]);
    });
    await drawn(page);
    assert.equal(await page.locator(".panel").count(), 1);
    assert.deepEqual(await page.locator(".legend-name").allTextContents(), ["A x", "B x"]);
    await page.evaluate(() => window.trammel.setTime(0.9));
    const values = async () => (await page.locator(".panel .value").allTextContents()).map((text) => text.trim());
    assert.deepEqual(await values(), ["0.9000", "1.8000"]);
    await page.evaluate(() => window.trammel.setTime(1.5)); // the first has ended
    assert.equal(await page.evaluate(() => window.trammel.time()), 1.5);
    assert.deepEqual(await values(), ["–", "3.0000"]);
    const csv = (await page.evaluate(() => window.trammel.csv())).trimEnd().split("\r\n");
    assert.equal(csv[0], "time [s],A x [m],B x [m]");
    assert.equal(csv[csv.length - 1], "2,,4");
    const stats = await page.evaluate(() => [window.trammel.statistics("x", 0)?.max, window.trammel.statistics("x", 1)?.max]);
    assert.deepEqual(stats, [1, 4]);
    for (const mode of ["xy", "spectrum"] as const) {
        await page.evaluate((m) => window.trammel.plotMode(m, "kinetic"), mode);
        await drawn(page);
        assert.ok((await page.locator(".graph .legend-item").count()) >= 1, mode);
    }
    assert.deepEqual(problems, []);
    await page.close();
});

test("the second mechanism is a ghost where its own run is, and can be hidden", async () => {
    const { page, problems } = await openPage(browser, writeTwo("ghost.html", run(1, 11, 1).bytes, run(2, 31, 2).bytes));
    await page.evaluate(() => window.trammel.setTime(0.5));
    const both = await picture(page);
    assert.deepEqual(await page.evaluate(() => window.trammel.ghost("ball")), [1, 0, 0]);
    assert.equal((await page.evaluate(() => window.trammel.body("ball")))?.position[0], 0.5);
    // the picture holds the whole way of the second
    const view = await page.locator(".view canvas").boundingBox();
    const [x] = await page.evaluate(() => window.trammel.project(4, 0, 0));
    assert.ok(view && x < view.width);
    await page.keyboard.press("b");
    assert.notDeepEqual(await picture(page), both);
    await page.keyboard.press("b");
    await page.evaluate(() => window.trammel.setTime(2));
    await drawn(page);
    assert.equal((await page.evaluate(() => window.trammel.body("ball")))?.position[0], 1, "the first stays where it ended");
    assert.deepEqual(problems, []);
    await page.close();
});

test("different models, units and channels: what only one has is shown alone; a failed one is told by its letter", async () => {
    const other = run(3, 21, 1, {
        title: "Other", status: "step too small at t = 1 s",
        bodies: [{ name: "ground" }, { name: "box", shapes: [{ kind: "box", size: [1, 1, 1] }] }],
        outputs: [{ item: { name: "kinetic only in B", unit: "J", kind: "output" }, value: (t) => t }],
    });
    const first = run(1, 11, 1, { outputs: [{ item: { name: "angle", unit: "rad", kind: "output" }, value: (t) => t }] });
    const { page, problems } = await openPage(browser, writeTwo("models.html", first.bytes, other.bytes));
    assert.match(await page.locator(".banner:visible").innerText(), /Run B did not reach its end/);
    await page.evaluate(() => {
        window.trammel.view = "plots";
        window.trammel.plot(["angle", "kinetic only in B"]);
    });
    assert.deepEqual(await page.locator(".legend-name").allTextContents(), ["A angle", "B kinetic only in B"]);
    await page.locator(".picker input[type=search]").fill("only in B");
    assert.equal(await page.locator(".pick").count(), 1);
    // solver and model are those of the run that was chosen
    await page.evaluate(() => (window.trammel.view = "model"));
    const counts = () => page.locator(".model-page").innerText();
    assert.ok(!(await counts()).includes("step too small"));
    await page.getByLabel(/^Run B/).click();
    assert.ok((await counts()).includes("step too small"));
    assert.deepEqual(await page.evaluate(() => window.trammel.runs()), ["Ball", "Other"]);
    assert.deepEqual(problems, []);
    await page.close();
});

test("one run alone bears no letters", async () => {
    const { page } = await openPage(browser, writeReport("alone.html", run(1, 11, 1).bytes));
    await page.evaluate(() => (window.trammel.view = "plots"));
    assert.equal(await page.locator(".run-key").count(), 0);
    assert.equal(await page.locator(".legend-name").first().innerText(), "x");
    await page.close();
});
