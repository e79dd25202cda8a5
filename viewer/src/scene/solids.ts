// Shapes that are more than copies of a unit geometry: cones, rings, profiles, height fields.
import * as THREE from "three";
import type { ShapeInfo } from "../data/header.ts";

/** A geometry of its own; shapes of the same numbers share one. */
export interface Solid {
    make: () => THREE.BufferGeometry;
}

const AROUND = 64; // fields of a full turn

// Along y in three.js, along z in models.
function upright(geometry: THREE.BufferGeometry): THREE.BufferGeometry {
    return geometry.rotateX(Math.PI / 2);
}

/** Points of the arc from a to b, without b; bulge: tangent of a quarter of its angle, 0: a line. */
function arc(a: THREE.Vector2, b: THREE.Vector2, bulge: number): THREE.Vector2[] {
    const angle = 4 * Math.atan(bulge);
    const pieces = Math.max(1, Math.ceil((Math.abs(angle) / (2 * Math.PI)) * AROUND));
    if (bulge === 0 || pieces === 1) {
        return [a];
    }
    const chord = b.clone().sub(a);
    const left = new THREE.Vector2(-chord.y, chord.x).multiplyScalar(0.5 / Math.tan(angle / 2));
    const center = a.clone().add(b).multiplyScalar(0.5).add(left);
    return Array.from({ length: pieces }, (_, k) => a.clone().rotateAround(center, (k / pieces) * angle));
}

function profile({ points = [], bulges = [] }: ShapeInfo): THREE.Vector2[] {
    const n = Math.floor(points.length / 2);
    const corner = (k: number) => new THREE.Vector2(points[2 * (k % n)], points[2 * (k % n) + 1]);
    return Array.from({ length: n }, (_, k) => arc(corner(k), corner(k + 1), bulges[k] ?? 0)).flat();
}

function extrusion(shape: ShapeInfo): THREE.BufferGeometry {
    const depth = shape.thickness ?? 0;
    const outline = new THREE.Shape(profile(shape));
    return new THREE.ExtrudeGeometry(outline, { depth, bevelEnabled: false }).translate(0, 0, -depth / 2);
}

function revolution(shape: ShapeInfo): THREE.BufferGeometry {
    const outline = profile(shape);
    return upright(new THREE.LatheGeometry([...outline, ...outline.slice(0, 1)], AROUND));
}

/** The wall of a hole, seen from within. */
function bore({ radius = 0, length = 0 }: ShapeInfo): THREE.BufferGeometry {
    const wall = upright(new THREE.CylinderGeometry(radius, radius, length, AROUND, 1, true)).scale(1, 1, -1);
    wall.computeVertexNormals();
    return wall;
}

function heightField({ heights = [], columns = 2, dx = 1, dy = 1 }: ShapeInfo): THREE.BufferGeometry {
    const rows = Math.floor(heights.length / columns);
    const position = heights.slice(0, rows * columns).flatMap((z, k) => [(k % columns) * dx, Math.floor(k / columns) * dy, z]);
    const index: number[] = [];
    for (let j = 0; j + 1 < rows; ++j) {
        for (let i = 0; i + 1 < columns; ++i) {
            const a = j * columns + i;
            index.push(a, a + 1, a + columns + 1, a, a + columns + 1, a + columns);
        }
    }
    const shared = new THREE.BufferGeometry();
    shared.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
    shared.setIndex(index);
    const geometry = shared.toNonIndexed();
    geometry.computeVertexNormals();
    return geometry;
}

const MAKERS: Record<string, (shape: ShapeInfo) => THREE.BufferGeometry> = {
    cone: ({ radius = 0, top_radius = 0, length = 0 }) => upright(new THREE.CylinderGeometry(top_radius, radius, length, AROUND)),
    torus: ({ radius = 0, tube_radius = 0 }) => new THREE.TorusGeometry(radius, Math.max(tube_radius, 0.01 * radius), 20, AROUND),
    bore,
    extrusion,
    revolution,
    height_field: heightField,
};

const made = new Map<string, Solid>();

/** The solid of a shape; null: it is none of these kinds. */
export function solidOf(shape: ShapeInfo): Solid | null {
    const make = Object.hasOwn(MAKERS, shape.kind) ? MAKERS[shape.kind] : undefined;
    if (make === undefined) {
        return null;
    }
    const { position: _p, orientation: _o, color: _c, ...numbers } = shape;
    const key = JSON.stringify(numbers);
    const known = made.get(key) ?? { make: () => make(shape) };
    made.set(key, known);
    return known;
}
