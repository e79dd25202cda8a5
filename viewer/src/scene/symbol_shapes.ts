// What joints and force elements look like. All symbols have size 1 and the joint's axis along z;
// colour is by part: the half of the first body, the half of the second.
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { Path } from "./path.ts";

type Geometry = THREE.BufferGeometry;

/** Geometries with and without an index in one. */
function merge(...list: Geometry[]): Geometry {
    const plain = list.map((one) => (one.index === null ? one : one.toNonIndexed()));
    const merged = mergeGeometries(plain);
    if (merged === null) {
        throw new Error("symbols must have the same attributes");
    }
    return merged;
}

// Lathes smooth their corners; a tube has sharp ones.
function flat(geometry: Geometry): Geometry {
    const out = geometry.index === null ? geometry : geometry.toNonIndexed();
    out.computeVertexNormals();
    return out;
}

function box(x: number, y: number, z: number, at: [number, number, number] = [0, 0, 0]): Geometry {
    return new THREE.BoxGeometry(x, y, z).translate(...at);
}

function sleeve(): Geometry {
    const wall = 0.22;
    return merge(
        box(1.6, wall, 2.4, [0, 0.7, 0]),
        box(1.6, wall, 2.4, [0, -0.7, 0]),
        box(wall, 1.6, 2.4, [0.7, 0, 0]),
        box(wall, 1.6, 2.4, [-0.7, 0, 0]),
    );
}

/** Makes round things with a given number of sides: few where there are many of them. */
class Lathe {
    constructor(private readonly sides: number) {}

    rod(radius: number, length: number): Geometry {
        return new THREE.CylinderGeometry(radius, radius, length, this.sides).rotateX(Math.PI / 2);
    }

    tube(outer: number, inner: number, length: number): Geometry {
        const outline = [
            [inner, -length / 2],
            [outer, -length / 2],
            [outer, length / 2],
            [inner, length / 2],
            [inner, -length / 2],
        ].map(([r, z]) => new THREE.Vector2(r, z));
        return flat(new THREE.LatheGeometry(outline, this.sides).rotateX(Math.PI / 2));
    }

    ball(radius: number): Geometry {
        return new THREE.SphereGeometry(radius, this.sides, Math.ceil(this.sides * 0.7));
    }

    // Open towards -z, so that the rod of the second body has room.
    cup(radius: number): Geometry {
        const rows = Math.ceil(this.sides * 0.4);
        const half = new THREE.SphereGeometry(radius, this.sides, rows, 0, 2 * Math.PI, 0, Math.PI / 2);
        return half.rotateX(Math.PI / 2);
    }

    ring(radius: number, wire: number): Geometry {
        return new THREE.TorusGeometry(radius, wire, Math.ceil(this.sides * 0.4), this.sides + 8);
    }

    helix(radius: number, wire: number, turns: number, length: number): Geometry {
        const path = new Path((t) => {
            const a = 2 * Math.PI * turns * t;
            return new THREE.Vector3(radius * Math.cos(a), radius * Math.sin(a), (t - 0.5) * length);
        });
        return new THREE.TubeGeometry(path, this.sides * turns, wire, 5);
    }

    // A flat spiral, the sign of a torsion spring.
    spiral(): Geometry {
        const path = new Path((t) => {
            const a = 5.5 * Math.PI * t;
            const r = 0.25 + 0.95 * t;
            return new THREE.Vector3(r * Math.cos(a), r * Math.sin(a), 0);
        });
        return new THREE.TubeGeometry(path, 4 * this.sides, 0.07, 5);
    }

    gear(): Geometry {
        const teeth = Array.from({ length: 12 }, (_, k) =>
            box(0.3, 0.26, 0.3, [1.05, 0, 0]).rotateZ((k * Math.PI) / 6),
        );
        return merge(this.tube(1, 0.35, 0.3), ...teeth);
    }

    turningArrow(): Geometry {
        const angle = 1.55 * Math.PI;
        const head = new THREE.ConeGeometry(0.24, 0.5, 12).translate(1.1, 0.15, 0).rotateZ(angle);
        return merge(new THREE.TorusGeometry(1.1, 0.08, 6, this.sides, angle), head);
    }

    // Where a force acts. Its direction is that of an expression, so it has none.
    target(): Geometry {
        return merge(this.ball(0.36), this.ring(0.72, 0.08));
    }
}

export interface Symbol {
    first?: Geometry; // fixed to the frame on the first body
    second?: Geometry; // fixed to the frame on the second
    between?: "rod" | "coil"; // from the one frame's origin to the other's
    onTop?: boolean; // it is usually inside a body: it shows through
}

const SYMBOLS: Record<string, (p: Lathe) => Symbol> = {
    revolute: (p) => ({ first: p.tube(1, 0.62, 0.9), second: p.rod(0.42, 2) }),
    spherical: (p) => ({ first: p.cup(1.15), second: p.ball(0.85) }),
    translational: () => ({ first: sleeve(), second: box(0.8, 0.8, 4.5) }),
    cylindrical: (p) => ({ first: p.tube(1, 0.62, 2.2), second: p.rod(0.5, 4.5) }),
    universal: (p) => ({
        first: merge(p.rod(0.26, 2.3).rotateY(Math.PI / 2), box(0.26, 0.8, 0.8, [1.1, 0, 0]), box(0.26, 0.8, 0.8, [-1.1, 0, 0])),
        second: merge(p.rod(0.26, 2.3).rotateX(Math.PI / 2), box(0.8, 0.26, 0.8, [0, 1.1, 0]), box(0.8, 0.26, 0.8, [0, -1.1, 0])),
    }),
    planar: () => ({ first: box(3.4, 3.4, 0.14, [0, 0, -0.2]), second: box(1.8, 1.8, 0.2, [0, 0, 0.1]) }),
    fixed: () => ({ first: merge(box(1.5, 0.5, 0.5), box(0.5, 1.5, 0.5), box(0.5, 0.5, 1.5)) }),
    distance: (p) => ({ first: p.ball(0.5), second: p.ball(0.5), between: "rod" }),
    revolute_spherical: (p) => ({ first: p.tube(1, 0.6, 0.8), second: p.ball(0.7), between: "rod" }),
    point_on_line: (p) => ({ first: p.rod(0.22, 7), second: p.ball(0.75) }),
    point_on_curve: (p) => ({ first: p.ring(1, 0.14), second: p.ball(0.6) }),
    point_in_plane: (p) => ({ first: box(3.4, 3.4, 0.12), second: p.ball(0.7) }),
    parallel_axes: (p) => ({ first: p.rod(0.16, 3.6), second: p.tube(0.5, 0.4, 3) }),
    perpendicular_axes: (p) => ({ first: p.rod(0.16, 3), second: p.rod(0.16, 3) }),
    orientation: (p) => ({
        first: merge(p.rod(0.12, 2.4), p.rod(0.12, 2.4).rotateX(Math.PI / 2), p.rod(0.12, 2.4).rotateY(Math.PI / 2)),
    }),
    screw: (p) => ({ first: p.tube(1, 0.7, 0.9), second: merge(p.rod(0.4, 4.4), p.helix(0.48, 0.12, 8, 4.2)) }),
    rack_pinion: (p) => ({ first: p.gear() }),
    gear: (p) => ({ first: p.gear() }),
    coupler: (p) => ({ first: p.ring(1, 0.16) }),
    constant_velocity: (p) => ({ first: merge(p.ball(0.75), p.ring(1.1, 0.16)), second: p.rod(0.35, 3) }),
    angle_motion: (p) => ({ first: p.turningArrow() }),
    motion: (p) => ({ first: p.turningArrow() }),
    rolling_disc: (p) => ({ second: p.ring(1.1, 0.12) }),
    expression: () => ({}),
    spring: (p) => ({ first: p.ball(0.3), second: p.ball(0.3), between: "coil" }),
    damper: (p) => ({ first: p.ball(0.3), second: p.ball(0.3), between: "rod" }),
    rotational_spring: (p) => ({ first: p.spiral() }),
    bushing: (p) => ({ first: p.ring(1, 0.42), second: p.rod(0.4, 1.6) }),
    force: (p) => ({ second: p.target(), onTop: true }),
    torque: (p) => ({ second: p.target(), onTop: true }),
    friction: (p) => ({ first: merge(p.tube(1.25, 1.05, 0.25), p.tube(1.25, 1.05, 0.25).translate(0, 0, 0.5)) }),
};

const SIDES = 20;
const FEW_SIDES = 8;

/** Symbol of a type; one that nobody drew yet is a small ball at each end. */
export function symbolOf(type: string, many: boolean): Symbol {
    const lathe = new Lathe(many ? FEW_SIDES : SIDES);
    const make = SYMBOLS[type] ?? ((p: Lathe) => ({ first: p.ball(0.5), second: p.ball(0.4) }));
    return make(lathe);
}

/** How far the foot reaches down from its joint, in sizes of symbols. */
export const FOOT = 1.75;

/** What stands under a joint to ground: a small pyramid with its tip at the joint, z up. */
export function groundSymbol(): Geometry {
    const cone = new THREE.ConeGeometry(0.95, 1.6, 4, 1).rotateY(Math.PI / 4).rotateX(Math.PI / 2);
    return merge(flat(cone.translate(0, 0, -0.8)), box(2, 2, 0.15, [0, 0, 0.075 - FOOT]));
}
