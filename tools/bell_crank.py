#!/usr/bin/env python3
"""Write the mesh of models/modal/parts/bell_crank.inp: an L of bricks with 20 nodes, in metres.

    tools/bell_crank.py > models/modal/parts/bell_crank.inp

One arm lies along x, the other along y; the pivot is where they meet. Sets: PIVOT, all nodes of the corner block; INPUT and OUTPUT,
the end faces of the arms.
"""

CELL = 0.01  # m, edge of a brick
LONG, SHORT, WIDE, THICK = 12, 8, 2, 1  # bricks along x, along y, across an arm, through it

# corners of a brick, then the middles of its edges, in the order of C3D20
CORNERS = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]


def brick_places():
    middles = [tuple((CORNERS[a][k] + CORNERS[b][k]) // 2 for k in range(3)) for a, b in EDGES]
    return CORNERS + middles


def cells():
    """Bricks of both arms; the corner block belongs to both."""
    along_x = {(i, j, k) for i in range(LONG) for j in range(WIDE) for k in range(THICK)}
    along_y = {(i, j, k) for i in range(WIDE) for j in range(SHORT) for k in range(THICK)}
    return sorted(along_x | along_y)


def write_set(name, nodes):
    print(f"*NSET, NSET={name}")
    for k in range(0, len(nodes), 12):
        print(", ".join(str(n) for n in nodes[k:k + 12]))


def main():
    places = brick_places()
    bricks = [[tuple(2 * c + p for c, p in zip(cell, place)) for place in places] for cell in cells()]
    number = {at: k + 1 for k, at in enumerate(sorted({at for brick in bricks for at in brick}))}
    print("** made by tools/bell_crank.py")
    print("*NODE")
    for at, n in number.items():
        x, y, z = (c * CELL / 2 for c in at)
        print(f"{n}, {x:.10g}, {y:.10g}, {z:.10g}")
    print("*ELEMENT, TYPE=C3D20, ELSET=CRANK")
    for k, brick in enumerate(bricks):
        nodes = [str(number[at]) for at in brick]
        print(f"{k + 1}, " + ", ".join(nodes[:10]) + ",")
        print(", ".join(nodes[10:]))
    write_set("PIVOT", [n for at, n in number.items() if at[0] <= 2 * WIDE and at[1] <= 2 * WIDE])
    write_set("INPUT", [n for at, n in number.items() if at[1] == 2 * SHORT])
    write_set("OUTPUT", [n for at, n in number.items() if at[0] == 2 * LONG])


if __name__ == "__main__":
    main()
