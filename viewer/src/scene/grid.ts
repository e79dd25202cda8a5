// A floor with lines at round distances, below everything that moves.
import * as THREE from "three";

/** 1, 2 or 5 times a power of ten, near x. */
export function roundLength(x: number): number {
    const power = 10 ** Math.floor(Math.log10(x));
    const lead = x / power;
    return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

export class Grid {
    readonly group = new THREE.Group();
    readonly cell: number;
    level = 0; // height of the floor along up
    private readonly material: THREE.LineBasicMaterial;

    constructor(box: THREE.Box3, up: THREE.Vector3) {
        const size = box.getSize(new THREE.Vector3());
        const largest = Math.max(size.x, size.y, size.z, 1e-9);
        this.cell = roundLength(largest / 8);
        const cells = 2 * Math.ceil((0.7 * largest) / this.cell);
        this.material = new THREE.LineBasicMaterial({ transparent: true, depthWrite: false });
        this.group.add(new THREE.LineSegments(this.lines(cells), this.material));
        this.place(box, up);
    }

    setTheme(isDark: boolean): void {
        this.material.color.set(isDark ? "#8fa3b8" : "#51606f");
        this.material.opacity = isDark ? 0.16 : 0.2;
    }

    private lines(cells: number): THREE.BufferGeometry {
        const half = (cells * this.cell) / 2;
        const points: number[] = [];
        for (let i = 0; i <= cells; ++i) {
            const x = i * this.cell - half;
            points.push(-half, x, 0, half, x, 0, x, -half, 0, x, half, 0);
        }
        return new THREE.BufferGeometry().setAttribute(
            "position",
            new THREE.Float32BufferAttribute(points, 3),
        );
    }

    // On a multiple of the cell, so that lines stand at round coordinates, below the lowest point.
    private place(box: THREE.Box3, up: THREE.Vector3): void {
        const center = box.getCenter(new THREE.Vector3());
        const rounded = (x: number) => Math.round(x / this.cell) * this.cell;
        const at = new THREE.Vector3(rounded(center.x), rounded(center.y), rounded(center.z));
        let lowest = Infinity;
        for (let k = 0; k < 8; ++k) {
            const corner = new THREE.Vector3(
                k & 1 ? box.max.x : box.min.x,
                k & 2 ? box.max.y : box.min.y,
                k & 4 ? box.max.z : box.min.z,
            );
            lowest = Math.min(lowest, corner.dot(up));
        }
        this.level = lowest - 0.02 * this.cell;
        at.addScaledVector(up, this.level - at.dot(up));
        this.group.position.copy(at);
        this.group.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), up);
    }
}
