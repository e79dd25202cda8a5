// Reports as files: the built viewer with data put in, and a browser to look at them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium, type Browser, type Page } from "playwright-core";

// compiled tests are in viewer/build/tests
export const VIEWER = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const OUT = join(VIEWER, "build", "pages");
const MARKER = "<!--TRAMMEL-DATA-->";

export function template(): string {
    return readFileSync(join(VIEWER, "dist", "viewer.html"), "utf8");
}

/** Writes a page with this element in place of the marker; returns its address. */
export function writePage(name: string, element: string): string {
    mkdirSync(OUT, { recursive: true });
    const path = join(OUT, name);
    writeFileSync(path, template().replace(MARKER, () => element));
    return pathToFileURL(path).href;
}

export function dataElement(bytes: Uint8Array): string {
    return `<script id="trammel-data" type="text/plain">${Buffer.from(bytes).toString("base64")}</script>`;
}

export function writeReport(name: string, bytes: Uint8Array): string {
    return writePage(name, dataElement(bytes));
}

/** Debian's chromium; installs it when it is missing and we may. */
export function browserPath(): string {
    const given = process.env["CHROMIUM"];
    const found = [given ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => path !== "" && existsSync(path));
    if (found !== undefined) {
        return found;
    }
    console.log("installing chromium ...");
    execFileSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], { stdio: "inherit" });
    return "/usr/bin/chromium";
}

/** A headless browser that draws 3-D in software, or has no 3-D at all. */
export async function launch(webgl = true): Promise<Browser> {
    const drawing = webgl
        ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
        : ["--disable-gpu", "--disable-3d-apis"];
    return chromium.launch({ executablePath: browserPath(), headless: true, args: ["--no-sandbox", ...drawing] });
}

export interface Opened {
    page: Page;
    problems: string[]; // messages on the console, errors, requests to anywhere
}

export async function openPage(from: Browser, address: string, viewport = { width: 1280, height: 720 }): Promise<Opened> {
    const page = await from.newPage({ viewport });
    const problems: string[] = [];
    page.on("console", (message) => problems.push(`console: ${message.text()}`));
    page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
    page.on("request", (request) => {
        if (request.url() !== address) {
            problems.push(`request: ${request.url().slice(0, 80)}`);
        }
    });
    await page.goto(address);
    await page.evaluate(() => window.trammel.ready);
    return { page, problems };
}

/** Waits until what was asked for is drawn, however busy the machine. */
export async function drawn(page: Page): Promise<void> {
    await page.evaluate(
        () =>
            new Promise<void>((resolve) => {
                let n = 0;
                const tick = () => (++n > 3 ? resolve() : requestAnimationFrame(tick));
                tick();
            }),
    );
}

export async function picture(page: Page): Promise<Buffer> {
    await drawn(page);
    await page.waitForTimeout(300); // the sharp picture, when nothing moves any more
    await drawn(page);
    return page.locator(".view canvas").screenshot();
}

/** A report of two runs. */
export function writeTwo(name: string, first: Uint8Array, second: Uint8Array): string {
    return writePage(name, dataElement(first) + dataElement(second).replace("trammel-data", "trammel-data-2"));
}
