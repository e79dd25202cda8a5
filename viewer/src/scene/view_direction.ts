// From where to look at first: at right angles to a mechanism that moves in a plane, else from the
// corner of a room.
import * as THREE from "three";

const FLAT = 0.2; // extent across over extent along, below which a motion counts as plane

export function firstDirection(box: THREE.Box3, up: THREE.Vector3): THREE.Vector3 {
    const size = box.getSize(new THREE.Vector3()).toArray();
    const axes = [0, 1, 2].map((k) => new THREE.Vector3(+(k === 0), +(k === 1), +(k === 2)));
    const order = [0, 1, 2].sort((a, b) => size[a] - size[b]);
    const across = axes[order[0]];
    const side = new THREE.Vector3();
    if (size[order[0]] < FLAT * size[order[1]] && Math.abs(across.dot(up)) < 0.5) {
        // gravity -y: from +z, as on paper; gravity -z: from -y, so that x points right
        const sign = Math.abs(up.z) > 0.5 && order[0] === 1 ? -1 : 1;
        side.crossVectors(up, across).multiplyScalar(sign);
        return across.clone().multiplyScalar(sign).addScaledVector(side, 0.32).addScaledVector(up, 0.26).normalize();
    }
    const forward = new THREE.Vector3(Math.abs(up.x) > 0.9 ? 0 : 1, 0, Math.abs(up.x) > 0.9 ? 1 : 0);
    forward.addScaledVector(up, -forward.dot(up)).normalize();
    side.crossVectors(up, forward);
    // x to the right and towards the eye, y away
    return forward.multiplyScalar(0.55).addScaledVector(side, -0.85).addScaledVector(up, 0.55).normalize();
}
