// Joints and force elements drawn with their symbols, one instanced mesh per type and side.
import * as THREE from "three";
import type { LinkInfo, SceneInfo, Vec3 } from "../data/header.ts";
import { BetweenSet } from "./between.ts";
import { PartSet, type Part } from "./parts.ts";
import type { Poses } from "./poses.ts";
import type { Sight } from "./sight.ts";
import { quaternion, vector } from "./shapes.ts";
import { groundSymbol, symbolOf } from "./symbol_shapes.ts";

const FIRST = "#7a8694"; // the side of the first body: steel
const SECOND = "#d9a036"; // the side of the second: brass
const SPRING = "#3f9d84";
const GROUND = "#8c97a3";
const MANY = 100; // of one type, above which symbols are drawn with fewer faces

/** A frame as a matrix of uniform scale. */
function frameMatrix(frame: number[], size: number): THREE.Matrix4 {
    return new THREE.Matrix4().compose(
        vector([frame[0], frame[1], frame[2]]),
        quaternion([frame[3] ?? 1, frame[4] ?? 0, frame[5] ?? 0, frame[6] ?? 0]),
        new THREE.Vector3(size, size, size),
    );
}

function frameOf(link: LinkInfo, side: 0 | 1, bodies: number): Part | null {
    const body = link.bodies?.[side];
    const frame = link.frames?.[side];
    if (!frame || body === undefined || !(body >= 0 && body < bodies)) {
        return null;
    }
    return { body, local: frameMatrix(frame, 1), color: new THREE.Color() };
}

function byType(links: LinkInfo[]): Map<string, LinkInfo[]> {
    const types = new Map<string, LinkInfo[]>();
    for (const link of links) {
        types.set(link.type, [...(types.get(link.type) ?? []), link]);
    }
    return types;
}

/** Symbols of all joints, or of all forces. */
export class Symbols {
    readonly group = new THREE.Group();
    private readonly sets: PartSet[] = [];
    private readonly betweens: BetweenSet[] = [];
    private readonly material = new THREE.MeshPhongMaterial({ side: THREE.DoubleSide, shininess: 30, specular: "#26292c" });
    private readonly onTop = new THREE.MeshLambertMaterial({ depthTest: false, transparent: true, opacity: 0.62 });

    constructor(
        links: LinkInfo[],
        private readonly scene: SceneInfo,
        private readonly count: number, // of bodies and places
        private readonly size: number,
        private readonly kind: "joints" | "forces",
    ) {
        for (const [type, list] of byType(links)) {
            this.addType(type, list);
        }
        if (kind === "joints") {
            this.addGround(links);
        }
    }

    update(poses: Poses, sight: Sight): void {
        for (const set of this.sets) {
            set.update(poses, sight);
        }
        for (const set of this.betweens) {
            set.update(poses, this.size);
        }
    }

    private addType(type: string, links: LinkInfo[]): void {
        const symbol = symbolOf(type, links.length > MANY);
        const second = this.kind === "joints" ? SECOND : SPRING;
        const material = symbol.onTop === true ? this.onTop : this.material;
        this.addSide(symbol.first, links, 0, this.kind === "joints" ? FIRST : SPRING, material);
        this.addSide(symbol.second, links, 1, second, material);
        const n = this.count;
        const whole = links.filter((link) => frameOf(link, 0, n) && frameOf(link, 1, n));
        if (symbol.between !== undefined && whole.length > 0) {
            const set = new BetweenSet(whole, symbol.between, second);
            this.betweens.push(set);
            this.group.add(set.mesh);
        }
    }

    private addSide(
        geometry: THREE.BufferGeometry | undefined,
        links: LinkInfo[],
        side: 0 | 1,
        color: string,
        material: THREE.Material,
    ): void {
        const n = this.count;
        const parts = links.flatMap((link) => frameOf(link, side, n) ?? []);
        if (geometry !== undefined && parts.length > 0) {
            this.addSet(geometry, parts, color, material);
        }
    }

    private addSet(geometry: THREE.BufferGeometry, parts: Part[], color: string, material: THREE.Material = this.material): void {
        const scale = new THREE.Matrix4().makeScale(this.size, this.size, this.size);
        for (const part of parts) {
            part.local.multiply(scale);
            part.color.set(color);
        }
        const set = new PartSet(geometry, material, parts);
        // nobody can tell what symbols of a few pixels mean; where there are many they are a mist
        set.least = parts.length > MANY ? 3 : 1;
        set.mesh.raycast = () => undefined;
        this.sets.push(set);
        this.group.add(set.mesh);
    }

    // A joint to ground stands on a foot, against the direction of gravity.
    private addGround(links: LinkInfo[]): void {
        const up = vector(this.scene.up ?? ([0, 0, 1] as Vec3)).normalize();
        const turn = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
        const feet = links.filter((link) => STANDING.has(link.type));
        const parts = feet.flatMap((link) => {
            const side = link.bodies?.indexOf(0) ?? -1;
            const part = side === 0 || side === 1 ? frameOf(link, side, 1) : null;
            if (part === null) {
                return [];
            }
            const position = new THREE.Vector3().setFromMatrixPosition(part.local);
            part.local.compose(position, turn, new THREE.Vector3(1, 1, 1));
            return [part];
        });
        if (parts.length > 0) {
            this.addSet(groundSymbol(), parts, GROUND);
        }
    }
}

// Joints that hold a point: only for these a foot at the point makes sense.
const STANDING = new Set(["revolute", "spherical", "universal", "fixed", "revolute_spherical"]);
