// The frame around the picked body: corners of its box, in the body's own axes.
import * as THREE from "three";

const PART = 0.22; // of each edge that is drawn from either corner

function cornerLines(): Float32Array {
    const points: number[] = [];
    for (let k = 0; k < 8; ++k) {
        const corner = [k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5];
        for (let axis = 0; axis < 3; ++axis) {
            const end = corner.slice();
            end[axis] -= Math.sign(corner[axis]) * PART;
            points.push(...corner, ...end);
        }
    }
    return Float32Array.from(points);
}

export class FrameBox {
    readonly line: THREE.LineSegments;
    private readonly material = new THREE.LineBasicMaterial({ depthTest: false, transparent: true });

    constructor() {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(cornerLines(), 3));
        this.line = new THREE.LineSegments(geometry, this.material);
        this.line.matrixAutoUpdate = false;
        this.line.frustumCulled = false;
        this.line.renderOrder = 10;
        this.line.visible = false;
    }

    setColor(color: string): void {
        this.material.color.set(color);
    }

    /** Around a box given in a frame; the frame as a matrix. */
    show(box: THREE.Box3, frame: THREE.Matrix4, least: number): void {
        const center = box.getCenter(new THREE.Vector3());
        const size = box.getSize(new THREE.Vector3()).multiplyScalar(1.06);
        size.max(new THREE.Vector3(least, least, least));
        const local = new THREE.Matrix4().compose(center, new THREE.Quaternion(), size);
        this.line.matrix.copy(frame).multiply(local);
        this.line.visible = true;
    }

    hide(): void {
        this.line.visible = false;
    }
}
