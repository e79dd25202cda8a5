// The page is one file: the script and the style that Vite makes are put into the markup here, so
// that a report opens from disk and from an attachment.
import { createHash } from "node:crypto";
import { defineConfig, type Plugin } from "vite";

const MARKER = "<!--TRAMMEL-DATA-->";

// A closing tag or an opening comment inside a string would end the script element.
function scriptText(code: string): string {
    return code.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
}

function oneFile(): Plugin {
    return {
        name: "one-file",
        enforce: "post",
        generateBundle(_options, bundle) {
            let script = "";
            let style = "";
            for (const [name, item] of Object.entries(bundle)) {
                if (item.type === "chunk") {
                    script += item.code;
                    delete bundle[name];
                } else if (name.endsWith(".css")) {
                    style += item.source;
                    delete bundle[name];
                }
            }
            const page = bundle["index.html"];
            if (page === undefined || page.type !== "asset") {
                throw new Error("no index.html in the bundle");
            }
            let html = String(page.source);
            html = html.replace(/<script type="module"[^>]*><\/script>\s*/g, "");
            html = html.replace(/<link rel="stylesheet"[^>]*>\s*/g, "");
            html = html.replace("</head>", () => `<style>${style}</style>\n</head>`);
            const text = scriptText(script);
            html = html.replace("</body>", () => `<script>${text}</script>\n</body>`);
            // this script and no other: text of a model that became markup by a mistake would still not run
            const hash = createHash("sha256").update(text, "utf8").digest("base64");
            html = html.replace("script-src 'unsafe-inline'", () => `script-src 'sha256-${hash}'`);
            if (!html.includes(hash)) {
                throw new Error("index.html has no script-src to put the hash of the script in");
            }
            if (html.split(MARKER).length !== 2) {
                throw new Error(`${MARKER} must stand in the page exactly once`);
            }
            page.source = html;
            page.fileName = "viewer.html";
        },
    };
}

export default defineConfig({
    plugins: [oneFile()],
    build: {
        target: "es2022",
        modulePreload: false,
        cssCodeSplit: false,
        assetsInlineLimit: 1_000_000,
        chunkSizeWarningLimit: 1200,
        rollupOptions: { output: { format: "iife" } },
    },
});
