// Statistics, plots over a channel and spectra on the page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import * as fixture from "./fixture.ts";
import { drawn, launch, openPage, writeReport } from "./page.ts";

let browser: Browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser.close();
});

function wave(): fixture.Fixture {
    return fixture.makeReport({
        title: "Waves", time: fixture.times(1001, 10), bodies: [{ name: "ground" }],
        pose: () => ({ position: [0, 0, 0], orientation: [1, 0, 0, 0] }),
        outputs: [
            { item: { name: "sine", unit: "m", kind: "output" }, value: (t) => 5 + 2 * Math.sin(2 * Math.PI * 4 * t) },
            { item: { name: "cosine", unit: "m/s", kind: "output" }, value: (t) => 2 * Math.cos(2 * Math.PI * 4 * t) },
            { item: { name: "ramp", unit: "m", kind: "output" }, value: (t) => 3 * t },
        ],
    });
}

test("statistics are shown for the part that is shown", async () => {
    const { page, problems } = await openPage(browser, writeReport("stats.html", wave().bytes));
    await page.evaluate(() => {
        window.trammel.view = "plots";
        window.trammel.plot(["ramp"]);
    });
    assert.equal(await page.locator(".stats").count(), 0);
    await page.getByLabel("Min, max, mean and RMS").click();
    const cells = async () => (await page.locator(".stats tbody td").allTextContents()).map(Number);
    assert.deepEqual(await cells(), [0, 30, 15, Number(Math.sqrt(300).toPrecision(6))]);
    await page.evaluate(() => window.trammel.zoom(2, 4));
    assert.deepEqual(await cells(), [6, 12, 9, Number(Math.sqrt(84).toPrecision(6))]); // (12^3 - 6^3) / 3 / 6
    assert.deepEqual(problems, []);
    await page.close();
});

test("one channel over another: a picture that follows the time, files of both", async () => {
    const { page, problems } = await openPage(browser, writeReport("xy.html", wave().bytes));
    await page.evaluate(() => {
        window.trammel.view = "plots";
        window.trammel.plot(["cosine"]);
    });
    await page.getByLabel("Curves over another channel").click();
    await page.locator("select[aria-label='channel of the x axis']").selectOption("sine");
    await drawn(page);
    assert.equal(await page.locator(".graph").getAttribute("aria-label"), "m/s over sine [m]");
    const shot = () => page.locator(".graph canvas").screenshot();
    const before = await shot();
    await page.evaluate(() => window.trammel.setTime(0.07));
    await drawn(page);
    assert.notDeepEqual(await shot(), before, "the point of the shown time moves");
    const csv = (await page.evaluate(() => window.trammel.csv())).split("\r\n");
    assert.equal(csv[0], "time [s],sine [m],cosine [m/s]");
    const svg = await page.evaluate(() => window.trammel.svg());
    assert.ok(svg.includes("sine [m]") && svg.includes("cosine"));
    // the pointer at the leftmost point of the ellipse reads it: sine 3, cosine 0
    const box = await page.locator(".graph canvas").boundingBox();
    assert.ok(box);
    const plane = { left: 64, width: box.width - 78, top: 8, height: box.height - 46 };
    await page.mouse.move(box.x + plane.left + plane.width * (0.04 / 1.08), box.y + plane.top + plane.height / 2);
    const [x, y] = ((await page.locator(".graph .panel-time").innerText()).split(": ")[1] ?? "").replace(/−/g, "-").split(", ").map(Number);
    assert.ok(Math.abs(x - 3) < 0.05 && Math.abs(y) < 0.3, `${x} ${y}`); // rows are a 25th of a turn apart
    assert.deepEqual(problems, []);
    await page.close();
});

test("spectra: the peak of a sine, of the part that is shown, as a file too", async () => {
    const { page, problems } = await openPage(browser, writeReport("spectrum.html", wave().bytes));
    await page.evaluate(() => {
        window.trammel.view = "plots";
        window.trammel.plot(["sine"]);
        window.trammel.zoom(1, 6);
        window.trammel.plotMode("spectrum");
    });
    await drawn(page);
    assert.equal(await page.locator(".graph").getAttribute("aria-label"), "m over frequency [Hz]");
    assert.match(await page.locator(".plot-note").innerText(), /from t = 1 to 6 s.*501 values 0.01 s apart/);
    const peak = await page.evaluate(() => {
        const { frequency, amplitude } = window.trammel.spectra("flat top")["sine"];
        const k = amplitude.indexOf(Math.max(...amplitude));
        return [frequency[k], amplitude[k]];
    });
    assert.ok(Math.abs(peak[0] - 4) < 0.06 && Math.abs(peak[1] - 2) < 0.01, `${peak}`); // a quarter of a line
    const csv = (await page.evaluate(() => window.trammel.csv())).split("\r\n");
    assert.equal(csv[0], "frequency [Hz],sine [m]");
    const rows = csv.slice(1, -1).map((line) => line.split(",").map(Number));
    assert.ok(Math.abs(Math.max(...rows.map((row) => row[1])) - peak[1]) < 1e-9);
    assert.ok((await page.evaluate(() => window.trammel.svg())).includes("frequency [Hz]"));
    await page.getByLabel("Logarithmic amplitudes").click();
    await drawn(page);
    assert.deepEqual(problems, []);
    await page.close();
});
