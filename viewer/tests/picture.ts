// A picture of a report, for documentation:
// node build/tests/picture.js REPORT.html OUT.png [--size 1280x720] [--theme dark] [--time T]
//     [--view plots] [--select BODY] [--plot A,B] [--over X] [--zoom FROM,TO] [--mode K] [--keys KEYS]
//     [--near N,X,Y]: N notches of the mouse wheel towards the place X, Y in the picture
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { View } from "../src/state/session.ts";
import { launch } from "./page.ts";

const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        size: { type: "string", default: "1280x720" },
        theme: { type: "string", default: "light" },
        time: { type: "string" },
        view: { type: "string" },
        select: { type: "string" },
        plot: { type: "string" },
        over: { type: "string" },
        zoom: { type: "string" },
        mode: { type: "string" },
        keys: { type: "string", default: "" },
        near: { type: "string", default: "0,0,0" },
    },
});
const [report, out] = positionals;
if (report === undefined || out === undefined) {
    console.error("usage: picture.js REPORT.html OUT.png [OPTION]...");
    process.exit(2);
}
const [width, height] = (values.size ?? "").split("x").map(Number);
const browser = await launch();
const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: values.theme === "dark" ? "dark" : "light",
});
await page.goto(pathToFileURL(resolve(report)).href);
await page.evaluate(() => window.trammel.ready);
await page.evaluate(
    ({ time, view, select, plot, over, zoom, mode }) => {
        const { trammel } = window;
        trammel.pause();
        if (mode !== undefined) {
            trammel.mode(Number(mode));
        }
        if (plot !== undefined) {
            trammel.plot(plot.split(","));
        }
        if (over !== undefined) {
            trammel.plotMode("xy", over);
        }
        if (zoom !== undefined) {
            const [from, to] = zoom.split(",").map(Number);
            trammel.zoom(from, to);
        }
        trammel.setTime(Number(time ?? 0));
        if (view !== undefined) {
            window.trammel.view = view as View;
        }
        window.trammel.select(select ?? null);
    },
    values,
);
for (const key of values.keys ?? "") {
    await page.keyboard.press(key);
}
const [notches, x, y] = (values.near ?? "").split(",").map(Number);
await page.mouse.move(x, y);
for (let k = 0; k < notches; ++k) {
    await page.mouse.wheel(0, -100);
    await page.waitForTimeout(50);
}
await page.mouse.move(0, 0);
await page.waitForTimeout(1500); // drawn, and sharply
await page.screenshot({ path: out });
await browser.close();
