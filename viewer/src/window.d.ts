import type { Api } from "./api.ts";

declare global {
    interface Window {
        trammel: Api;
    }
}
