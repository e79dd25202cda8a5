// Lines that move with instanced parts: dark edges as in a drawing, and the axes of bars, which keep
// a bar in sight that is thinner than a pixel. three.js has no instanced lines, so the shader takes
// the matrices of the parts itself.
import * as THREE from "three";

const VERTEX = `
attribute mat4 part;
void main() {
    vec4 at = modelViewMatrix * part * vec4(position, 1.0);
    at.xyz *= 0.9985; // towards the eye, so that faces do not cover their own edges
    gl_Position = projectionMatrix * at;
}`;

const FRAGMENT = `
uniform vec3 color;
uniform float opacity;
void main() { gl_FragColor = vec4(color, opacity); }`;

const AXIS_VERTEX = `
attribute mat4 part;
attribute vec3 tint;
varying vec3 shade;
void main() {
    shade = tint;
    gl_Position = projectionMatrix * modelViewMatrix * part * vec4(position, 1.0);
}`;

const AXIS_FRAGMENT = `
varying vec3 shade;
void main() {
    gl_FragColor = vec4(shade, 1.0);
    #include <colorspace_fragment>
}`;

export function axisMaterial(): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({ vertexShader: AXIS_VERTEX, fragmentShader: AXIS_FRAGMENT });
}

/** A line along the axis of each tube. */
export function axisGeometry(): THREE.BufferGeometry {
    return new THREE.BufferGeometry().setFromPoints([
        new THREE.Vector3(0, 0, -0.5),
        new THREE.Vector3(0, 0, 0.5),
    ]);
}

export function edgeMaterial(): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        transparent: true,
        depthWrite: false,
        uniforms: { color: { value: new THREE.Color("#000") }, opacity: { value: 0.45 } },
    });
}

/** Edges that move with the instances of a mesh. */
export function instancedEdges(
    edges: THREE.BufferGeometry,
    mesh: THREE.InstancedMesh,
    material: THREE.Material,
): THREE.LineSegments {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", edges.getAttribute("position"));
    geometry.setAttribute("part", mesh.instanceMatrix);
    if (mesh.instanceColor !== null) {
        geometry.setAttribute("tint", mesh.instanceColor);
    }
    geometry.instanceCount = mesh.count;
    const lines = new THREE.LineSegments(geometry, material);
    lines.frustumCulled = false;
    lines.raycast = () => undefined;
    return lines;
}
