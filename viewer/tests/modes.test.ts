// Mode shapes in motion.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { readDataset } from "../src/data/dataset.ts";
import { modeFactor, modeMotion } from "../src/data/modes.ts";
import * as fixture from "./fixture.ts";
import { drawn, launch, openPage, picture, writeReport } from "./page.ts";

let browser: Browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser.close();
});

function near(a: ArrayLike<number>, b: number[], bound: number): void {
    b.forEach((x, k) => assert.ok(Math.abs(a[k] - x) <= bound, `${Array.from(a)} is not ${b}`));
}

test("the motion of a mode is the state and the real part of its shape, turned by its phase", async () => {
    const { modes } = await readDataset(fixture.modes().bytes);
    assert.ok(modes);
    const motion = modeMotion(modes, 0, 0.1);
    assert.equal(motion.end, 0.1); // one period of 10 Hz
    for (const part of [0, 0.25, 0.5, 1]) { // rows, so that nothing is interpolated
        const phi = 2 * Math.PI * part;
        motion.moveTo(part * 0.1);
        // u = (2, 2i, 0): Re(u e^(i phi)) = (2 cos, -2 sin, 0)
        near(motion.position, [1 + 0.2 * Math.cos(phi), 2 - 0.2 * Math.sin(phi), 3], 1e-12);
        const half = (Math.PI / 2 + 0.1 * Math.cos(phi)) / 2; // both turns are about z
        near(motion.orientation, [Math.cos(half), 0, 0, Math.sin(half)], 1e-7); // the state is in single precision
    }
    const bend = modeMotion(modes, 1, 0.3);
    const nodes = bend.flexible[0].nodes;
    const rest = modes.state.flexible[0].nodes;
    const last = (rest.shape[1] - 1) * 12;
    near([nodes.at(0, last + 2) - rest.at(0, last + 2)], [0.3 * 0.5 * (rest.shape[1] - 1) ** 2], 1e-9);
    near([nodes.at(24, last + 2) - rest.at(0, last + 2)], [-0.3 * 0.5 * (rest.shape[1] - 1) ** 2], 1e-9); // half a period
});

test("the factor gives the largest displacement, with what rotations add, and bounds rotations", async () => {
    const { modes, header } = await readDataset(fixture.modes().bytes);
    assert.ok(modes);
    // mode 0: a circle of radius 2, and a turn of 1 at half the diagonal of the box
    const reach = Math.hypot(0.8, 0.2, 0.1) / 2;
    near([modeFactor(modes, header, 0, 0.05)], [0.05 / (2 + reach)], 1e-12);
    assert.equal(modeFactor(modes, header, 0, 1e6), 0.7); // rad
    const n = modes.state.flexible[0].nodes.shape[1] - 1;
    near([modeFactor(modes, header, 1, 0.05)], [0.05 / (0.5 * n * n)], 1e-12);
});

test("the page lists modes, plays the one that is clicked, and draws it as large as asked", async () => {
    const { page, problems } = await openPage(browser, writeReport("modes.html", fixture.modes().bytes));
    assert.deepEqual(await page.locator("[role=tab]").allTextContents(), ["Mechanism", "Model"]);
    const rows = await page.locator(".mode-row").allInnerTexts();
    assert.equal(rows.length, 3);
    assert.match(rows[0], /10 Hz/);
    assert.match(rows[0], /ζ 0\.00796/);
    assert.match(rows[1], /33 Hz\s+undamped\s+beam 97 %, bar 3 %/);
    assert.match(rows[2], /aperiodic\s+decays in 0\.25 s/);
    assert.equal(await page.evaluate(() => window.trammel.playing()), true);
    await page.evaluate(() => window.trammel.pause());
    const x = async (amplitude: number) => page.evaluate((a) => {
        window.trammel.mode(0, a);
        window.trammel.setTime(0);
        return window.trammel.body("bar")?.position[0] ?? 0;
    }, amplitude);
    const [small, large] = [await x(0.01) - 1, await x(0.04) - 1];
    assert.ok(small > 0 && Math.abs(large - 4 * small) < 1e-9, `${small} ${large}`);
    await drawn(page);
    const before = await picture(page);
    await page.locator(".mode-row").nth(1).click();
    assert.equal(await page.evaluate(() => window.trammel.playing()), true);
    await page.evaluate(() => {
        window.trammel.pause();
        window.trammel.setTime(0);
    });
    assert.notDeepEqual(await picture(page), before);
    const still = await picture(page);
    const slider = page.locator(".mode-amplitude input");
    await slider.fill("90");
    assert.notDeepEqual(await picture(page), still, "the slider changes the picture");
    assert.ok(Math.abs((await page.evaluate(() => window.trammel.times().at(-1) ?? 0)) - 1 / 33) < 1e-12);
    assert.deepEqual(problems, []);
    await page.close();
});
