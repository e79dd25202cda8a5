// Bodies and flexible bodies under one numbering: ground is 0, then bodies, then flexible ones.
import type { Dataset } from "../data/dataset.ts";
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

/** Velocity of a body: of the results where the report has it, else the slope between frames. */
export function bodyVelocity(data: Dataset, entity: number, t: number): [number, number, number] {
    const name = entityNames(data.header)[entity];
    const own = ["vx", "vy", "vz"].map((column) => data.channels.get(`${name}.${column}`));
    const [x, y, z] = own.map((channel) => (channel?.item.kind === "body" ? channel.at(t) : Number.NaN));
    return [x, y, z].every(Number.isFinite) ? [x, y, z] : data.motion.velocity(entity - 1, t);
}
