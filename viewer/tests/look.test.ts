// What a person sees: the fit of the picture, its light, messages, lists, ticks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as THREE from "three";
import type { Browser, Page } from "playwright-core";
import { symbolSize } from "../src/scene/bounds.ts";
import { FOOT, groundSymbol, symbolOf } from "../src/scene/symbol_shapes.ts";
import * as fixture from "./fixture.ts";
import { drawn, launch, openPage, picture, writeReport } from "./page.ts";

let browser: Browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser.close();
});

/** Brightness, 0 to 255, of places of a picture. */
async function brightness(page: Page, png: Buffer, places: number[][]): Promise<number[]> {
    return page.evaluate(async ({ base64, at }) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = image.width;
        canvas.height = image.height;
        const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
        pen.drawImage(image, 0, 0);
        return at.map(([x, y]) => {
            const { data } = pen.getImageData(Math.round(x), Math.round(y), 1, 1);
            return (data[0] + data[1] + data[2]) / 3;
        });
    }, { base64: png.toString("base64"), at: places });
}

test("the picture holds the ground ends of springs and joints, and their feet", async () => {
    const far = [-2.5, 0, 1.7];
    const made = fixture.makeReport({
        title: "Far ends", time: fixture.times(11, 1),
        bodies: [{ name: "ground" }, { name: "ball", shapes: [{ kind: "sphere", radius: 0.2 }] }],
        joints: [{ name: "rod", type: "distance", bodies: [0, 1], frames: [[0, 0, -3, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]] }],
        forces: [{ name: "pull", type: "spring", bodies: [0, 1], frames: [[...far, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0]] }],
        pose: (t) => ({ position: [0.1 * t, 0, 0], orientation: [1, 0, 0, 0] }),
    });
    const { page } = await openPage(browser, writeReport("far.html", made.bytes));
    await drawn(page);
    const view = await page.locator(".view canvas").boundingBox();
    assert.ok(view);
    for (const at of [far, [0, 0, -3]]) {
        const [x, y] = await page.evaluate(([a, b, c]) => window.trammel.project(a, b, c), at);
        assert.ok(x > 10 && x < view.width - 10 && y > 10 && y < view.height - 10, `${at}: ${x} ${y} of ${view.width} ${view.height}`);
    }
    await page.close();
});

// A car of 4 m and a trailer drive 100 m; the way of a single part is given by the test.
function driving(way: (t: number, body: number) => number): fixture.Fixture {
    return fixture.makeReport({
        title: "Driving", time: fixture.times(21, 1),
        bodies: [{ name: "ground" }, { name: "trailer", shapes: [{ kind: "box", size: [1, 1, 1] }] }, { name: "car", shapes: [{ kind: "box", size: [4, 2, 1] }] }],
        pose: (t, body) => ({ position: [way(t, body) + (body === 0 ? -3 : 0), 0, 0.5], orientation: [1, 0, 0, 0] }),
    });
}

test("what travels is seen from near, and followed until all of its way is asked for", async () => {
    const { page } = await openPage(browser, writeReport("drives.html", driving((t) => 100 * t).bytes));
    await drawn(page);
    // px between the ends of the car, which is at x
    const length = (x: number) => page.evaluate(([a, b]) => {
        const [one, other] = [window.trammel.project(a, 0, 0.5), window.trammel.project(b, 0, 0.5)];
        return Math.hypot(one[0] - other[0], one[1] - other[1]);
    }, [x - 2, x + 2]);
    const near = await length(0);
    await page.evaluate(() => window.trammel.setTime(1));
    await drawn(page);
    assert.ok(near > 200 && Math.abs((await length(100)) / near - 1) < 0.01, `${near} ${await length(100)}`);
    await page.keyboard.press("f");
    await drawn(page);
    assert.ok((await length(100)) < near / 5, `${await length(100)} of ${near}`);
    await page.close();
});

test("a picture holds the whole motion where one part of many leaves", async () => {
    const { page } = await openPage(browser, writeReport("thrown.html", driving((t, body) => (body === 0 ? 100 * t : 0)).bytes));
    await drawn(page);
    const view = await page.locator(".view canvas").boundingBox();
    assert.ok(view);
    const [x] = await page.evaluate(() => window.trammel.project(97, 0, 0.5));
    assert.ok(x > 0 && x < view.width, `${x} of ${view.width}`);
    await page.close();
});

test("feet and joints are not larger than the arms that they hold", () => {
    // an arm of 1 m and 4 cm, as in a pendulum of 2 m
    const arm = new THREE.Box3(new THREE.Vector3(-0.02, -0.02, -0.5), new THREE.Vector3(0.02, 0.02, 0.5));
    const unit = symbolSize(2, [new THREE.Box3(), arm, arm]);
    const foot = groundSymbol();
    foot.computeBoundingBox();
    const size = (foot.boundingBox as THREE.Box3).getSize(new THREE.Vector3()).multiplyScalar(unit);
    assert.ok(size.x < 2 * 0.04 && size.z < 2 * 0.04, `${size.toArray()}`);
    assert.ok(Math.abs((foot.boundingBox as THREE.Box3).min.z + FOOT) < 1e-6);
    assert.ok(unit > 0.005 * 2, "but they can be seen");
});

test("a force without a direction of its own has a symbol without one, small enough for its body", () => {
    for (const type of ["force", "torque"]) {
        const { second } = symbolOf(type, false);
        assert.ok(second);
        second.computeBoundingBox();
        const { min, max } = second.boundingBox as THREE.Box3;
        for (const k of [0, 1, 2] as const) {
            assert.ok(Math.abs(min.getComponent(k) + max.getComponent(k)) < 1e-6, `${type} points along ${k}`);
            assert.ok(max.getComponent(k) < 1);
        }
    }
});

test("light: the sides of a box differ, and the floor below it is in its shadow", async () => {
    const made = fixture.makeReport({
        title: "Box", time: fixture.times(3, 1),
        bodies: [{ name: "ground", shapes: [{ kind: "box", size: [0.05, 0.05, 0.05], position: [0, 0, -1], color: "#888888" }] }, { name: "box", shapes: [{ kind: "box", size: [1, 1, 1], color: "#888888" }] }],
        pose: () => ({ position: [0, 0, 0], orientation: [1, 0, 0, 0] }),
    });
    const { page } = await openPage(browser, writeReport("light.html", made.bytes));
    const at = (x: number, y: number, z: number) => page.evaluate(([a, b, c]) => window.trammel.project(a, b, c), [x, y, z]);
    const png = await picture(page);
    const [top, right, front] = await brightness(page, png, [await at(0, 0, 0.5), await at(0.5, 0, 0), await at(0, -0.5, 0)]);
    assert.ok(top > right + 15 && Math.abs(right - front) > 12, `${top} ${right} ${front}`);
    // the floor is at the foot of the small box, in the shadow and far from it; between the lines
    const floor = [await at(0.13, -0.43, -1.03), await at(-0.91, -0.43, -1.03)];
    const [shaded, lit] = await brightness(page, png, floor);
    assert.ok(lit - shaded > 12, `${lit} ${shaded}`);
    await page.keyboard.press("g"); // no floor, no shadow
    const [bare, same] = await brightness(page, await picture(page), floor);
    assert.ok(Math.abs(bare - same) < 3, `${bare} ${same}`);
    await page.close();
});

test("a failed run: the whole message, a cure, the way to the last frame; closed, it stays closed", async () => {
    const message = `step size below 1e-14 s at t = 0.731 s: ${"the constraint of 'joint with a long name' cannot be met, ".repeat(6)}last words`;
    const made = fixture.makeReport({
        title: "Fails", time: fixture.times(21, 1), bodies: [{ name: "ground" }, { name: "ball", shapes: [{ kind: "sphere", radius: 0.1 }] }],
        pose: (t) => ({ position: [t, 0, 0], orientation: [1, 0, 0, 0] }), status: message,
    });
    for (const viewport of [{ width: 1280, height: 720 }, { width: 390, height: 844 }]) {
        const { page, problems } = await openPage(browser, writeReport("failed.html", made.bytes), viewport);
        const banner = page.locator(".banner");
        assert.ok((await banner.innerText()).includes(message));
        assert.match(await banner.innerText(), /--tol/);
        assert.equal(await page.locator(".status").innerText(), "not finished");
        const cut = await page.locator(".banner-message").evaluate((one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflow !== "visible");
        assert.ok(!cut && (await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width);
        await banner.getByLabel("Show the last frame").click();
        assert.equal(await page.evaluate(() => window.trammel.time()), 1);
        await banner.getByLabel("Close this message").click();
        assert.ok(!(await banner.isVisible()));
        assert.deepEqual(problems, []);
        await page.close();
    }
});

test("side by side each panel has two numbers and the axis its name", async () => {
    const { page } = await openPage(browser, writeReport("split.html", fixture.pendulum().bytes), { width: 1000, height: 560 });
    await page.evaluate(() => window.trammel.plot(["angle of rod", "height of rod", "pin of rod.fx", "kinetic"]));
    await page.keyboard.press("s");
    await drawn(page);
    const ticks = await page.locator(".panel-plot").evaluateAll((list) => list.map((one) => Number((one as HTMLElement).dataset["ticks"])));
    assert.equal(ticks.length, 4);
    assert.ok(ticks.every((n) => n >= 2), `${ticks}`);
    // where there is room there are more: a panel of 200 px has one every 24 px or twice that
    await page.keyboard.press("s"); // panels that are made while hidden have no height yet
    await page.setViewportSize({ width: 1000, height: 700 });
    await page.evaluate(() => window.trammel.plot(["angle of rod"]));
    await drawn(page);
    await page.keyboard.press("s");
    await drawn(page);
    const many = Number(await page.locator(".panel-plot").first().evaluate((one) => (one as HTMLElement).dataset["ticks"]));
    assert.ok(many >= 8, `${many}`);
    assert.match(await page.locator(".panel .u-axis").first().evaluate((one) => one.outerHTML) + (await page.evaluate(() => window.trammel.svg())), /time \[s\]/);
    await page.close();
});

test("the list has joints and forces; a click shows them in the picture, another plots their curves", async () => {
    const made = fixture.symbols();
    const { page, problems } = await openPage(browser, writeReport("lists.html", made.bytes));
    const before = await picture(page);
    assert.deepEqual(await page.locator(".entity-section > summary").allTextContents(), [`Bodies ${made.header.scene!.bodies.length - 1}`, `Joints ${fixture.JOINT_TYPES.length}`, `Forces ${fixture.FORCE_TYPES.length}`]);
    await page.locator(".body-row", { hasText: "a spring" }).click();
    assert.equal(await page.evaluate(() => window.trammel.selected()), "a spring");
    assert.notDeepEqual(await picture(page), before);
    assert.match(await page.locator(".card").innerText(), /spring, ground – /);
    // the length is the distance of the ends: the body is 0.2 to 0.4 m above the ground's end
    const length = Number((await page.locator(".values tr", { hasText: "length" }).locator("td").first().innerText()).trim());
    const csv = (await page.evaluate(() => window.trammel.csv(["length(a spring)"]))).split("\r\n")[1].split(",").map(Number);
    assert.ok(Math.abs(length - csv[1]) < 1e-4 && length > 0, `${length} ${csv}`);
    await page.locator(".chip", { hasText: "length" }).click();
    assert.ok((await page.evaluate(() => window.trammel.csv().split("\r\n")[0])).includes("length(a spring) [m]"));
    await page.locator(".bodies input[type=search]").fill("a univ");
    assert.equal(await page.locator(".body-row").count(), 1);
    await page.locator(".body-row").click();
    await drawn(page);
    assert.match(await page.locator(".callout").innerText(), /a universal/);
    assert.deepEqual(problems, []);
    await page.close();
});

test("a joint shows its reaction and plots it", async () => {
    const { page } = await openPage(browser, writeReport("joint.html", fixture.pendulum().bytes));
    await page.evaluate(() => window.trammel.setTime(1));
    await page.locator(".body-row", { hasText: "pin of rod" }).click();
    const shown = (await page.locator(".values tr", { hasText: "force" }).locator("td").first().innerText()).trim().split(/\s+/).map((x) => Number(x.replace("−", "-")));
    const angle = 1.2 * Math.cos(3);
    assert.ok(Math.abs(shown[0] - 20 * Math.sin(angle)) < 1e-3 && Math.abs(shown[2] - 30 * Math.cos(angle)) < 1e-3, `${shown}`);
    await page.locator(".card").getByText("Plot", { exact: true }).click();
    assert.equal(await page.evaluate(() => window.trammel.view), "plots");
    assert.match(await page.locator(".legend-name").first().innerText(), /pin of rod\.fx/);
    await page.close();
});

/** Red, green and blue at a place of a picture. */
async function colour(page: Page, png: Buffer, [x, y]: number[]): Promise<number[]> {
    return page.evaluate(async ({ base64, at }) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = image.width;
        canvas.height = image.height;
        const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
        pen.drawImage(image, 0, 0);
        return Array.from(pen.getImageData(Math.round(at[0]), Math.round(at[1]), 1, 1).data.slice(0, 3));
    }, { base64: png.toString("base64"), at: [x, y] });
}

test("contacts have a dot and an arrow, which a key hides, and none where nothing touches", async () => {
    const made = fixture.makeReport({
        title: "Ball on a floor", time: fixture.times(11, 1),
        bodies: [{ name: "ground" }, { name: "ball", shapes: [{ kind: "sphere", radius: 0.5, color: "#888888" }] }],
        pose: () => ({ position: [0, 0, 0.5], orientation: [1, 0, 0, 0] }),
        contacts: (t) => [{ point: [0, 0, 0], force: t < 0.55 ? [0, 0, 10] : [0, 0, 0] }, { point: [0, 0, 0], force: [0, 0, 0] }],
    });
    const { page } = await openPage(browser, writeReport("touch.html", made.bytes));
    await drawn(page);
    const at = await page.evaluate(() => [window.trammel.project(0, 0, 0), window.trammel.project(0, 0, 0.1)]);
    const green = async (): Promise<boolean[]> => {
        await drawn(page);
        const png = await page.locator(".view canvas").screenshot();
        const seen = await Promise.all(at.map((place) => colour(page, png, place)));
        return seen.map(([r, g]) => g > r + 30);
    };
    assert.deepEqual(await green(), [true, true]);
    await page.evaluate(() => window.trammel.setTime(0.9));
    assert.deepEqual(await green(), [false, false]); // nothing touches any more
    await page.evaluate(() => window.trammel.setTime(0.2));
    assert.deepEqual(await green(), [true, true]);
    const button = page.getByRole("button", { name: "Contacts (o)" });
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("o");
    assert.equal(await button.getAttribute("aria-pressed"), "false");
    assert.deepEqual(await green(), [false, false]);
    await page.close();
});

test("reports without contacts have no switch for them", async () => {
    const { page } = await openPage(browser, writeReport("none.html", fixture.pendulum().bytes));
    await drawn(page);
    assert.equal(await page.getByRole("button", { name: "Contacts (o)" }).count(), 0);
    await page.close();
});
