// Following a run: asks for new rows again and again, until the run has ended.
import type { App } from "./app.ts";
import { extendDataset } from "./data/extend.ts";
import { readDataset } from "./data/dataset.ts";
import { fetchRows, type WatchInfo } from "./data/source.ts";

const PATIENCE = 10; // answers in a row that may fail before the page gives up

export class Watcher {
    private failures = 0;

    constructor(private readonly watch: WatchInfo, private readonly app: App) {}

    start(): void {
        setTimeout(() => void this.poll(), this.watch.poll);
    }

    private async poll(): Promise<void> {
        const { session } = this.app;
        try {
            const known = session.data.value;
            const next = await readDataset(await fetchRows(this.watch, known.header.run?.rows ?? 0));
            this.failures = 0;
            const grown = extendDataset(known, next);
            session.data.value = grown;
            if (session.live.value) {
                session.setTime(grown.motion.end);
            }
        } catch (error) {
            this.failures += 1;
            if (this.failures >= PATIENCE) {
                this.lost(error);
                return;
            }
        }
        if (session.data.value.header.status === "running") {
            this.start();
        }
    }

    // The server is gone: what came so far stays on the page.
    private lost(error: unknown): void {
        const { session } = this.app;
        const why = error instanceof Error ? error.message : String(error);
        const known = session.data.value;
        session.live.value = false;
        session.data.value = { ...known, header: { ...known.header, status: `connection lost: ${why}` } };
    }
}
