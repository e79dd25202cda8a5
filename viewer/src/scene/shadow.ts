// Shadows on the floor: every shape drawn once more, flattened onto the plane of the floor along the
// light. It costs little even where a processor draws, and tells how high things are. The stencil
// keeps places that several shapes darken from getting darker than one.
import * as THREE from "three";
import type { PartSet } from "./parts.ts";

const VERTEX = `
uniform vec3 up;
uniform vec3 light;
uniform float level;
void main() {
    vec4 at = vec4(position, 1.0);
    #ifdef USE_INSTANCING
        at = instanceMatrix * at;
    #endif
    at = modelMatrix * at;
    at.xyz -= light * ((dot(up, at.xyz) - level) / dot(up, light));
    gl_Position = projectionMatrix * viewMatrix * at;
}`;

const FRAGMENT = `
uniform vec3 color;
uniform float opacity;
void main() { gl_FragColor = vec4(color, opacity); }`;

export class FloorShadow {
    readonly group = new THREE.Group();
    private readonly material: THREE.ShaderMaterial;

    constructor(up: THREE.Vector3, level: number) {
        // nearly from above, a little from the side: a shadow right below hides under its body
        const aside = new THREE.Vector3(0.17, -0.1, 0.14);
        const light = up.clone().add(aside.addScaledVector(up, -aside.dot(up))).normalize();
        this.material = new THREE.ShaderMaterial({
            vertexShader: VERTEX,
            fragmentShader: FRAGMENT,
            transparent: true,
            depthWrite: false,
            side: THREE.DoubleSide,
            stencilWrite: true,
            stencilRef: 1,
            stencilFunc: THREE.NotEqualStencilFunc,
            stencilZPass: THREE.ReplaceStencilOp,
            uniforms: { up: { value: up }, light: { value: light }, level: { value: level }, color: { value: new THREE.Color("#1c2733") }, opacity: { value: 0.14 } },
        });
    }

    setTheme(isDark: boolean): void {
        this.material.uniforms["color"].value.set(isDark ? "#000000" : "#1c2733");
        this.material.uniforms["opacity"].value = isDark ? 0.38 : 0.15;
    }

    addParts(set: PartSet): void {
        const mesh = new THREE.InstancedMesh(set.mesh.geometry, this.material, Math.max(1, set.parts.length));
        mesh.instanceMatrix = set.mesh.instanceMatrix;
        mesh.count = set.mesh.count;
        set.copies.push(mesh);
        this.put(mesh);
    }

    addMesh(from: THREE.Mesh): void {
        this.put(new THREE.Mesh(from.geometry, this.material));
    }

    private put(mesh: THREE.Mesh): void {
        mesh.frustumCulled = false;
        mesh.raycast = () => undefined;
        mesh.renderOrder = -1; // below the lines of the floor
        this.group.add(mesh);
    }
}
