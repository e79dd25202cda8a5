// Bodies and flexible bodies under one numbering: ground is 0, then bodies, then flexible ones.
import type { Header } from "../data/header.ts";

export function entityNames(header: Header): string[] {
    const scene = header.scene;
    return [...(scene?.bodies ?? []).map(({ name }) => name), ...(scene?.flexible ?? []).map(({ name }) => name)];
}

export function bodyCount(header: Header): number {
    return header.scene?.bodies.length ?? 0;
}

/** Number of a body or flexible body by name; -1: none. */
export function entityOf(header: Header, name: string | null): number {
    return name === null ? -1 : entityNames(header).indexOf(name);
}
