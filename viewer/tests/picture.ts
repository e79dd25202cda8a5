// A picture of a report, for documentation:
// node build/tests/picture.js REPORT.html OUT.png [--size 1280x720] [--theme dark] [--time T]
//     [--view plots] [--select BODY] [--keys KEYS]
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
        keys: { type: "string", default: "" },
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
    ({ time, view, select }) => {
        window.trammel.setTime(Number(time ?? 0));
        if (view !== undefined) {
            window.trammel.view = view as View;
        }
        window.trammel.select(select ?? null);
    },
    { time: values.time, view: values.view, select: values.select },
);
for (const key of values.keys ?? "") {
    await page.keyboard.press(key);
}
await page.mouse.move(0, 0);
await page.waitForTimeout(1500); // drawn, and sharply
await page.screenshot({ path: out });
await browser.close();
