// What the camera can see: parts outside the picture, and parts smaller than a pixel, are not drawn.
import * as THREE from "three";

export class Sight {
    private readonly planes = new Float64Array(24); // six planes: normal and distance
    private readonly eye = new THREE.Vector3();
    private readonly ahead = new THREE.Vector3();
    private focal = 1; // px of a thing of size 1 at distance 1

    update(camera: THREE.PerspectiveCamera, height: number): void {
        camera.updateMatrixWorld();
        const product = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
        const frustum = new THREE.Frustum().setFromProjectionMatrix(product);
        frustum.planes.forEach((plane, k) => {
            plane.normal.toArray(this.planes as unknown as number[], 4 * k);
            this.planes[4 * k + 3] = plane.constant;
        });
        this.eye.setFromMatrixPosition(camera.matrixWorld);
        camera.getWorldDirection(this.ahead);
        this.focal = height / (2 * Math.tan((camera.fov * Math.PI) / 360));
    }

    /** Whether a ball around a point is inside the picture. */
    inside(x: number, y: number, z: number, radius: number): boolean {
        const p = this.planes;
        for (let k = 0; k < 24; k += 4) {
            if (p[k] * x + p[k + 1] * y + p[k + 2] * z + p[k + 3] < -radius) {
                return false;
            }
        }
        return true;
    }

    /** Whether something of this size at a point covers so many pixels. */
    large(x: number, y: number, z: number, size: number, pixels: number): boolean {
        const { eye, ahead } = this;
        const depth = (x - eye.x) * ahead.x + (y - eye.y) * ahead.y + (z - eye.z) * ahead.z;
        return size * this.focal > pixels * depth;
    }
}
