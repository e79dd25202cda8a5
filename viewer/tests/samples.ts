// Writes reports of all fixtures to build/pages, and pictures of them in the sizes and themes that
// matter: node build/tests/samples.js [name part ...]
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as fixture from "./fixture.ts";
import { launch, OUT, writeReport } from "./page.ts";

const SIZES = { wide: { width: 1280, height: 720 }, phone: { width: 390, height: 844 } };

const REPORTS: Record<string, () => fixture.Fixture> = {
    pendulum: () => fixture.pendulum(),
    shapes: fixture.shapes,
    symbols: fixture.symbols,
    flexible: fixture.flexible,
    chain1000: () => fixture.chain(1000),
    compare: fixture.comparison,
};

async function picture(page: Page, name: string): Promise<void> {
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(OUT, `${name}.png`) });
}

async function views(page: Page, name: string): Promise<void> {
    const tabs = await page.locator("[role=tab]").allTextContents();
    for (const tab of tabs) {
        await page.locator("[role=tab]", { hasText: tab }).click();
        await picture(page, `${name}-${tab.toLowerCase()}`);
    }
}

const wanted = process.argv.slice(2);
const browser = await launch();
for (const [name, make] of Object.entries(REPORTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) {
        continue;
    }
    const address = writeReport(`${name}.html`, make().bytes);
    for (const theme of ["light", "dark"] as const) {
        for (const [size, viewport] of Object.entries(SIZES)) {
            const page = await browser.newPage({ viewport, colorScheme: theme });
            page.on("console", (message) => console.log(`${name}: ${message.text()}`));
            page.on("pageerror", (error) => console.log(`${name}: ${error.stack ?? error.message}`));
            await page.goto(address);
            await page.evaluate(() => window.trammel.ready);
            await page.evaluate(() => window.trammel.setTime(1.3));
            await views(page, `${name}-${theme}-${size}`);
            await page.close();
        }
    }
}
await browser.close();
