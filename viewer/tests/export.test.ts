// Pictures, frames and videos as files; saved views.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { crc32 } from "../src/data/zip.ts";
import { mergeViews, viewsFromHash, viewsToHash } from "../src/state/views.ts";
import * as fixture from "./fixture.ts";
import { drawn, launch, openPage, writeReport } from "./page.ts";

let browser: Browser;
before(async () => {
    browser = await launch();
});
after(async () => {
    await browser.close();
});

async function save(page: Page, label: string): Promise<{ name: string; path: string }> {
    await page.keyboard.press("e");
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(".popover").getByLabel(label).click()]);
    return { name: download.suggestedFilename(), path: await download.path() };
}

/** Size of a picture, and how many different colours it has. */
async function look(page: Page, png: Buffer): Promise<{ width: number; height: number; colors: number }> {
    return page.evaluate(async (base64) => {
        const image = new Image();
        image.src = `data:image/png;base64,${base64}`;
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = image.width;
        canvas.height = image.height;
        const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
        pen.drawImage(image, 0, 0);
        const { data } = pen.getImageData(0, 0, canvas.width, canvas.height);
        const seen = new Set<number>();
        for (let i = 0; i < data.length; i += 4) {
            seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
        }
        return { width: image.width, height: image.height, colors: seen.size };
    }, png.toString("base64"));
}

test("the picture of now as PNG; time and playback stay as they were", async () => {
    const { page, problems } = await openPage(browser, writeReport("png.html", fixture.pendulum().bytes));
    await page.evaluate(() => window.trammel.setTime(1.5));
    const { name, path } = await save(page, "Picture (PNG)");
    assert.equal(name, "Pendulum.png");
    const seen = await look(page, readFileSync(path));
    const view = await page.locator(".view canvas").boundingBox();
    assert.ok(view && seen.width >= view.width && seen.colors > 300, JSON.stringify(seen)); // not blank
    assert.equal(await page.evaluate(() => window.trammel.time()), 1.5);
    assert.deepEqual(problems.filter((one) => !one.startsWith("request: blob:")), []);
    await page.close();
});

test("frames of the shown part as PNG in a ZIP file that others can read", async () => {
    const { page, problems } = await openPage(browser, writeReport("frames.html", fixture.pendulum().bytes), { width: 700, height: 480 });
    await page.evaluate(() => {
        window.trammel.zoom(1, 2);
        window.trammel.speed(2);
        window.trammel.setTime(1.7);
    });
    const { name, path } = await save(page, "All frames (PNG in a ZIP file)");
    assert.equal(name, "Pendulum_frames.zip");
    const list = execFileSync("python3", ["-c", "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint(z.testzip(), *z.namelist())\nsys.stdout.flush()", path], { encoding: "utf8" }).trim().split(" ");
    // 1 s at twice the speed, 25 frames a second: 12.5 steps
    assert.deepEqual(list, ["None", ...Array.from({ length: 13 }, (_, k) => `frame_${String(k + 1).padStart(2, "0")}.png`)]);
    const read = (frame: string) => execFileSync("python3", ["-c", "import sys, zipfile\nsys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))", path, frame]);
    const [first, last] = [read("frame_01.png"), read("frame_13.png")];
    assert.ok((await look(page, first)).colors > 200);
    assert.notDeepEqual(first, last);
    assert.equal(await page.evaluate(() => window.trammel.time()), 1.7);
    assert.deepEqual(problems.filter((one) => !one.startsWith("request: blob:")), []);
    await page.close();
});

test("a video that a browser plays", async (context) => {
    const { page } = await openPage(browser, writeReport("video.html", fixture.pendulum().bytes), { width: 700, height: 480 });
    if (await page.evaluate(() => typeof MediaRecorder === "undefined")) {
        context.skip("this browser records no video");
        return;
    }
    await page.evaluate(() => {
        window.trammel.zoom(0, 1);
        window.trammel.speed(1);
    });
    const { name, path } = await save(page, "Video (WebM)");
    assert.equal(name, "Pendulum.webm");
    const bytes = readFileSync(path);
    assert.equal(bytes.subarray(0, 4).toString("hex"), "1a45dfa3");
    const other = await browser.newPage(); // a report may not load media
    const width = await other.evaluate(async (base64) => {
        const video = document.createElement("video");
        video.src = `data:video/webm;base64,${base64}`;
        await new Promise((resolve, reject) => {
            video.onloadeddata = resolve;
            video.onerror = () => reject(new Error(`it does not play: ${video.error?.message ?? ""}, ${base64.length} characters`));
        });
        return video.videoWidth;
    }, bytes.toString("base64"));
    assert.ok(width >= 400, `${width}`);
    await other.close();
    await page.close();
});

test("checksums of archives are those of the standard", () => {
    assert.equal(crc32(new TextEncoder().encode("123456789")), 0xcbf43926);
});

test("views in an address: read back, merged, nonsense left out", () => {
    const view = { name: "from ä & #", eye: [1, 2, 3.0000001], target: [0, 0, 0] };
    const hash = viewsToHash("#other=1", [view]);
    assert.deepEqual(viewsFromHash(hash), [{ ...view, eye: [1, 2, 3] }]);
    assert.ok(hash.includes("other=1"));
    assert.equal(viewsToHash(hash, []), "#other=1");
    for (const bad of ["#views=x", "#views=[1]", "#views=[{\"name\":\"a\",\"eye\":[1,2],\"target\":[0,0,0]}]", "#%", ""]) {
        assert.deepEqual(viewsFromHash(bad), [], bad);
    }
    assert.deepEqual(mergeViews([view], [{ ...view, eye: [9, 9, 9] }, { ...view, name: "b" }]).map(({ name, eye }) => [name, eye[0]]), [["from ä & #", 1], ["b", 1]]);
});

test("saved views come back by name, by the address and by the browser's storage, from disk", async () => {
    const address = writeReport("views.html", fixture.pendulum().bytes);
    const { page, problems } = await openPage(browser, address);
    await drawn(page);
    const camera = () => page.evaluate(() => window.trammel.camera());
    const before = await camera();
    await page.keyboard.press("v");
    await page.getByLabel("name of this view").fill("first");
    await page.keyboard.press("Enter");
    const view = await page.locator(".view canvas").boundingBox();
    assert.ok(view);
    await page.mouse.move(view.x + 500, view.y + 300);
    await page.mouse.down();
    await page.mouse.move(view.x + 650, view.y + 380, { steps: 4 });
    await page.mouse.up();
    const turned = await camera();
    assert.ok(Math.hypot(...turned.slice(0, 3).map((x, k) => x - before[k])) > 0.1);
    await page.evaluate(() => window.trammel.saveView("turned"));
    await page.keyboard.press("v");
    await page.getByLabel("Look from first").click();
    const close = (a: number[], b: number[]) => a.forEach((x, k) => assert.ok(Math.abs(x - b[k]) < 1e-4, `${a} is not ${b}`)); // six digits are kept
    close(await camera(), before);
    const link = await page.evaluate(() => location.href);
    assert.ok(link.startsWith(`${address}#views=`));
    assert.deepEqual(problems, []);
    // the address alone, in a browser that knows nothing
    const stranger = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const other = await stranger.newPage();
    await other.goto(link);
    await other.evaluate(() => window.trammel.ready);
    assert.deepEqual(await other.evaluate(() => window.trammel.views()), ["first", "turned"]);
    assert.equal(await other.evaluate(() => window.trammel.showView("turned")), true);
    close(await other.evaluate(() => window.trammel.camera()), turned);
    await stranger.close();
    // the storage alone
    await page.goto("about:blank");
    await page.goto(address);
    await page.evaluate(() => window.trammel.ready);
    assert.deepEqual(await page.evaluate(() => window.trammel.views()), ["first", "turned"]);
    await page.keyboard.press("v");
    await page.getByLabel("Remove first").click();
    assert.deepEqual(await page.evaluate(() => window.trammel.views()), ["turned"]);
    await page.close();
});
