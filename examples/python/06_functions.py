"""Forces and events by functions in Python: their derivatives come along by themselves."""
import trammel as tml

m = tml.Model(gravity=[0, 0, -9.81], simulate={"end": 20, "output_step": 0.1})
m.bodies["ball"] = tml.Point(mass=0.145, position=[0, 0, 0], velocity=[30, 0, 30])


@m.function("drag")
def drag(v, vx, vy, vz):
    """Drag along one axis: the coefficient falls where the layer at the surface turns turbulent."""
    speed = tml.sqrt(vx**2 + vy**2 + vz**2)
    coefficient = 0.5 - 0.15 * (1 + tml.tanh((speed - 35) / 4))
    return -0.5 * 1.2 * 0.0043 * coefficient * speed * v


v = "VX(ball), VY(ball), VZ(ball)"
m.forces["air"] = tml.Force("force", body="ball", fx=f"drag(VX(ball), {v})", fy=f"drag(VY(ball), {v})",
                            fz=f"drag(VZ(ball), {v})")
m.outputs["x"], m.outputs["z"] = "DX(ball)", "DZ(ball)"
m.events["lands"] = tml.Event(when="DZ(ball)", condition="below", value=0, stop=True)

r = m.run(tol=1e-6)
print(f"it flies {r['x'][-1]:.2f} m in {r.time[-1]:.3f} s, and rises to {r['z'].max():.2f} m")
