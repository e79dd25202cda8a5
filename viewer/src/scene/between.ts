// Things that stretch between two points: rods and coil springs. Each has its own length, so the
// shader takes length and radii apart instead of scaling, which would flatten the wire of a coil.
import * as THREE from "three";
import type { LinkInfo } from "../data/header.ts";
import type { Poses } from "./poses.ts";

const TURNS = 9;
const ENDS = 0.12; // part of the length that is straight at either end

/** Centre line of a coil of radius 1 from z = 0 to 1, straight on the axis at both ends. */
function coil(t: number): THREE.Vector3 {
    if (t < ENDS || t > 1 - ENDS) {
        return new THREE.Vector3(0, 0, t);
    }
    const part = (t - ENDS) / (1 - 2 * ENDS);
    const ramp = Math.min(1, 12 * part, 12 * (1 - part));
    const a = 2 * Math.PI * TURNS * part;
    return new THREE.Vector3(ramp * Math.cos(a), ramp * Math.sin(a), t);
}

function straight(t: number): THREE.Vector3 {
    return new THREE.Vector3(0, 0, t);
}

// position: centre line; normal: direction of the surface around it
function wireGeometry(
    curve: (t: number) => THREE.Vector3,
    segments: number,
    sides: number,
): THREE.BufferGeometry {
    const position: number[] = [];
    const normal: number[] = [];
    const index: number[] = [];
    for (let i = 0; i <= segments; ++i) {
        const t = i / segments;
        const center = curve(t);
        // the wire is nearly at right angles to the axis: its sides are radial and along z
        const out = new THREE.Vector3(center.x, center.y, 0);
        const onAxis = out.lengthSq() < 1e-12;
        const u = onAxis ? new THREE.Vector3(1, 0, 0) : out.normalize();
        const v = onAxis ? new THREE.Vector3(0, 1, 0) : new THREE.Vector3(0, 0, 1);
        for (let k = 0; k < sides; ++k) {
            const a = (2 * Math.PI * k) / sides;
            position.push(center.x, center.y, center.z);
            normal.push(
                u.x * Math.cos(a) + v.x * Math.sin(a),
                u.y * Math.cos(a) + v.y * Math.sin(a),
                u.z * Math.cos(a) + v.z * Math.sin(a),
            );
        }
    }
    for (let i = 0; i < segments; ++i) {
        for (let k = 0; k < sides; ++k) {
            const a = i * sides + k;
            const b = i * sides + ((k + 1) % sides);
            index.push(a, b, a + sides, b, b + sides, a + sides);
        }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normal, 3));
    geometry.setIndex(index);
    return geometry;
}

function stretchMaterial(color: string): THREE.MeshLambertMaterial {
    const material = new THREE.MeshLambertMaterial({ color, side: THREE.DoubleSide });
    material.onBeforeCompile = (shader) => {
        shader.vertexShader =
            "attribute vec3 stretch;\n" + // length, radius of the coil, radius of the wire
            shader.vertexShader.replace(
                "#include <begin_vertex>",
                `vec3 transformed = vec3(position.xy * stretch.y, position.z * stretch.x)
                     + normal * stretch.z;`,
            );
    };
    return material;
}

export class BetweenSet {
    readonly mesh: THREE.InstancedMesh;
    private readonly stretch: THREE.InstancedBufferAttribute;
    private readonly matrix = new THREE.Matrix4();
    private readonly turn = new THREE.Quaternion();
    private readonly direction = new THREE.Vector3();

    constructor(
        private readonly links: LinkInfo[],
        private readonly kind: "rod" | "coil",
        color: string,
    ) {
        const many = links.length > 100;
        const geometry =
            kind === "coil"
                ? wireGeometry(coil, many ? 70 : 200, many ? 4 : 7)
                : wireGeometry(straight, 1, 10);
        this.stretch = new THREE.InstancedBufferAttribute(new Float32Array(3 * links.length), 3);
        this.stretch.setUsage(THREE.DynamicDrawUsage);
        geometry.setAttribute("stretch", this.stretch);
        this.mesh = new THREE.InstancedMesh(geometry, stretchMaterial(color), links.length);
        this.mesh.frustumCulled = false;
        this.mesh.raycast = () => undefined;
    }

    update(poses: Poses, size: number): void {
        this.links.forEach((link, k) => this.place(k, link, poses, size));
        this.stretch.needsUpdate = true;
        this.mesh.instanceMatrix.needsUpdate = true;
    }

    private place(k: number, link: LinkInfo, poses: Poses, size: number): void {
        const [i, j] = link.bodies ?? [0, 0];
        const [a, b] = link.frames ?? [];
        if (!a || !b) {
            return;
        }
        const from = poses.point(i, a[0], a[1], a[2]);
        const to = poses.point(j, b[0], b[1], b[2]);
        this.direction.set(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
        const length = this.direction.length();
        if (length > 0) {
            this.direction.divideScalar(length);
            this.turn.setFromUnitVectors(new THREE.Vector3(0, 0, 1), this.direction);
        }
        this.matrix.makeRotationFromQuaternion(this.turn).setPosition(from[0], from[1], from[2]);
        this.mesh.setMatrixAt(k, this.matrix);
        const coil = this.kind === "coil";
        this.stretch.setXYZ(k, length, coil ? 0.85 * size : 0, (coil ? 0.14 : 0.22) * size);
    }
}
