// A curve given by a function of 0 to 1.
import * as THREE from "three";

export class Path extends THREE.Curve<THREE.Vector3> {
    constructor(private readonly at: (t: number) => THREE.Vector3) {
        super();
    }

    override getPoint(t: number): THREE.Vector3 {
        return this.at(t);
    }
}
