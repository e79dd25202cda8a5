// Dark edges of instanced parts, as in a drawing. three.js has no instanced lines, so the shader
// takes the matrices of the parts itself.
import * as THREE from "three";
import type { PartSet } from "./parts.ts";

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

export function edgeMaterial(): THREE.ShaderMaterial {
    return new THREE.ShaderMaterial({
        vertexShader: VERTEX,
        fragmentShader: FRAGMENT,
        transparent: true,
        depthWrite: false,
        uniforms: { color: { value: new THREE.Color("#000") }, opacity: { value: 0.45 } },
    });
}

/** Edges that move with the parts of a set. */
export function instancedEdges(
    edges: THREE.BufferGeometry,
    set: PartSet,
    material: THREE.Material,
): THREE.LineSegments {
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute("position", edges.getAttribute("position"));
    geometry.setAttribute("part", set.mesh.instanceMatrix);
    geometry.instanceCount = set.mesh.count;
    set.lines.push(geometry);
    const lines = new THREE.LineSegments(geometry, material);
    lines.frustumCulled = false;
    lines.raycast = () => undefined;
    return lines;
}
