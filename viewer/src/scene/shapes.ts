// The shapes of bodies as copies of unit geometries: a capsule is a cylinder and two spheres.
import * as THREE from "three";
import type { ShapeMesh } from "../data/dataset.ts";
import type { Quat, ShapeInfo, Vec3 } from "../data/header.ts";
import { solidOf, type Solid } from "./solids.ts";

/** "tube" is a cylinder whose ends are covered by balls: it needs neither caps nor edges. */
export type UnitKind = "box" | "cylinder" | "tube" | "sphere" | "plate";
export type Unit = UnitKind | ShapeMesh | Solid;

/** A copy of a unit geometry, or a mesh or solid of its own, in the frame of the body. */
export interface Piece {
    unit: Unit;
    local: THREE.Matrix4;
}

const Z = new THREE.Vector3(0, 0, 1);

export function quaternion(q: Quat | undefined): THREE.Quaternion {
    return q === undefined
        ? new THREE.Quaternion()
        : new THREE.Quaternion(q[1], q[2], q[3], q[0]).normalize();
}

export function vector(v: Vec3 | undefined): THREE.Vector3 {
    return v === undefined ? new THREE.Vector3() : new THREE.Vector3(v[0], v[1], v[2]);
}

/** Rotation that turns z into a direction. */
function along(axis: THREE.Vector3): THREE.Quaternion {
    const length = axis.length();
    return length > 0
        ? new THREE.Quaternion().setFromUnitVectors(Z, axis.clone().divideScalar(length))
        : new THREE.Quaternion();
}

function piece(
    unit: UnitKind,
    position: THREE.Vector3,
    rotation: THREE.Quaternion,
    scale: THREE.Vector3,
): Piece {
    return { unit, local: new THREE.Matrix4().compose(position, rotation, scale) };
}

function ball(center: THREE.Vector3, radius: number): Piece {
    return piece("sphere", center, new THREE.Quaternion(), new THREE.Vector3(radius, radius, radius));
}

/** Ends of a bar; "blunt" stands for round ones where bars are many and small. */
type Ends = "flat" | "round" | "blunt";

// A bar between two points of the shape's frame.
function bar(from: THREE.Vector3, to: THREE.Vector3, radius: number, ends: Ends): Piece[] {
    const axis = to.clone().sub(from);
    const middle = from.clone().add(to).multiplyScalar(0.5);
    const length = axis.length() + (ends === "blunt" ? 1.3 * radius : 0);
    const scale = new THREE.Vector3(radius, radius, length);
    const pieces = [piece(ends === "round" ? "tube" : "cylinder", middle, along(axis), scale)];
    if (ends === "round") {
        pieces.push(ball(from, radius), ball(to, radius));
    }
    return pieces;
}

function alongAxis(shape: ShapeInfo, ends: Ends): Piece[] {
    const axis = vector(shape.axis ?? [1, 0, 0]).normalize();
    const half = axis.multiplyScalar((shape.length ?? 0) / 2);
    return bar(half.clone().negate(), half, shape.radius ?? 0, ends);
}

/** The plane of a half-space, where the mechanism is: it has no size of its own. */
function plate(shape: ShapeInfo, around: THREE.Sphere): Piece[] {
    const toShape = quaternion(shape.orientation).invert();
    const middle = around.center.clone().sub(vector(shape.position)).applyQuaternion(toShape).setZ(0);
    const edge = 2.5 * around.radius;
    return [piece("plate", middle, new THREE.Quaternion(), new THREE.Vector3(edge, edge, 1))];
}

function unplaced(shape: ShapeInfo, mesh: ShapeMesh | undefined, many: boolean, around: THREE.Sphere): Piece[] {
    const round = many ? "blunt" : "round";
    const none = new THREE.Vector3();
    const radius = shape.radius ?? 0;
    switch (shape.kind) {
        case "box":
            return [piece("box", none, new THREE.Quaternion(), vector(shape.size ?? [0, 0, 0]))];
        case "cylinder":
            return alongAxis(shape, "flat");
        case "capsule":
            return alongAxis(shape, round);
        case "sphere":
            return [ball(none, radius)];
        case "link":
            return bar(vector(shape.from), vector(shape.to), radius, round);
        case "mesh":
            return mesh === undefined ? [] : [{ unit: mesh, local: new THREE.Matrix4() }];
        case "half_space":
            return plate(shape, around);
        case "ellipsoid":
            return [piece("sphere", none, new THREE.Quaternion(), vector(shape.semi_axes))];
        default: {
            const solid = solidOf(shape); // null: a kind that a later version knows
            return solid === null ? [] : [{ unit: solid, local: new THREE.Matrix4() }];
        }
    }
}

/** The pieces of a shape in the frame of its body's centre of mass. */
export function shapePieces(shape: ShapeInfo, mesh: ShapeMesh | undefined, many: boolean, around: THREE.Sphere): Piece[] {
    const place = new THREE.Matrix4().compose(
        vector(shape.position),
        quaternion(shape.orientation),
        new THREE.Vector3(1, 1, 1),
    );
    const pieces = unplaced(shape, mesh, many, around);
    for (const one of pieces) {
        one.local.premultiply(place);
    }
    return pieces;
}

/** Unit geometries: box of edge 1, cylinder of radius 1 and length 1 along z, sphere of radius 1. */
export function unitGeometry(kind: UnitKind, many: boolean): THREE.BufferGeometry {
    switch (kind) {
        case "box":
            return new THREE.BoxGeometry(1, 1, 1);
        case "cylinder":
            return new THREE.CylinderGeometry(1, 1, 1, many ? 7 : 48).rotateX(Math.PI / 2);
        case "tube":
            return new THREE.CylinderGeometry(1, 1, 1, 32, 1, true).rotateX(Math.PI / 2);
        case "plate":
            return new THREE.PlaneGeometry(1, 1); // seen from outside of the material only
        case "sphere":
            return many ? new THREE.SphereGeometry(1, 8, 5) : new THREE.SphereGeometry(1, 28, 18);
    }
}

export function meshGeometry(mesh: ShapeMesh): THREE.BufferGeometry {
    const n = mesh.vertices.rows;
    const position = new Float32Array(3 * n);
    const row = new Float32Array(3);
    for (let i = 0; i < n; ++i) {
        mesh.vertices.row(i, row);
        position.set(row, 3 * i);
    }
    const index = Uint32Array.from({ length: 3 * mesh.triangles.rows }, (_, i) =>
        mesh.triangles.at(Math.floor(i / 3), i % 3),
    );
    const shared = new THREE.BufferGeometry();
    shared.setAttribute("position", new THREE.BufferAttribute(position, 3));
    shared.setIndex(new THREE.BufferAttribute(index, 1));
    // faces of machine parts are flat: normals of faces, not averages at the corners
    const geometry = shared.toNonIndexed();
    geometry.computeVertexNormals();
    return geometry;
}
