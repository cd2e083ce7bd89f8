"""Two line drawings of work that is shared out: the programs of a GPU at their tiles, and devices in a ring."""

import numpy as np

from attn.axes import numeric
from attn.show.still.lines import OVER, YES, Drawing, _at, _svg

TILE, DISC, RADIUS, SHELF = 32, 15, 42, 340  # pixels


def programs(at, columns, shelves=()):
    """The scores as a grid of tiles: each row is one program's, which holds one tile and forgets it for the next.

    at: for each program the column it is at; columns: how many blocks of keys there are
    shelves: (name, size, speed, what lies there) of each memory, the fastest first, drawn beside the grid
    ->   Drawing. Raises ValueError unless each program is at one of the columns.
    """
    at = [int(j) for j in at]
    if not at or min(at) < 0 or max(at) >= columns:
        raise ValueError(f"at must hold columns from 0 to {columns - 1}, but is {at}")
    wide, tall = TILE * columns, TILE * len(at)
    shapes = [_at(0, -26, "one block of keys after the other →"), _at(wide + 44, -6, "kept", OVER)]
    shapes += [_at(TILE * (j + 0.5), -7, f"k{j}", anchor="middle") for j in range(columns)]
    for i, now in enumerate(at):
        y = TILE * i
        for j in range(columns):
            fill = 0.85 if j == now else 0.1 if j < now else 0
            look = f'fill="{YES}" fill-opacity="{fill}" stroke="currentColor" stroke-opacity=".3"'
            shapes.append(f'<rect x="{TILE * j}" y="{y}" width="{TILE}" height="{TILE}" {look}/>')
        shapes.append(_at(-8, y + 20, f"program {i}: q{i}", anchor="end"))
        shapes.append(f'<path d="M{wide + 4} {y + 16}h18m-6 -4l6 4l-6 4" fill="none" stroke="{OVER}"/>')
        box = f'x="{wide + 26}" y="{y + 4}" width="62" height="24" rx="5"'
        shapes.append(f'<rect {box} fill="{OVER}" fill-opacity=".15" stroke="{OVER}"/>')
        shapes.append(_at(wide + 57, y + 20, "m, ℓ, o", anchor="middle"))
    low = tall + 16
    look = 'fill="currentColor" fill-opacity=".07" stroke="currentColor" stroke-opacity=".5"'
    shapes.append(f'<rect x="-96" y="{low}" width="{wide + 184}" height="30" rx="5" {look}/>')
    shapes.append(_at(wide / 2 - 4, low + 19.5, "HBM, large and slow: Q, K, V; at the end Y", anchor="middle"))
    told = (
        f"{len(at)} programs, one for each block of queries, at tiles {', '.join(map(str, at))} of {columns} blocks of "
        "keys. Each holds one tile of scores in fast memory and keeps m, ℓ and o; Q, K, V and Y lie in the memory "
        "that all share."
    )
    pictures = [_svg("".join(shapes), -102, -42, wide + 196, low + 78, told)]
    if shelves:
        pictures.append(_shelves(shelves))
        told += " Memories, the fastest first: " + "; ".join(", ".join(shelf) for shelf in shelves) + "."
    return Drawing(pictures, told)


def _shelves(shelves):
    """Memories in a pile, the fastest on top."""
    shapes = [_at(0, -26, "memories: the higher, the faster")]
    for k, (name, size, speed, holds) in enumerate(shelves):
        y, inset = 46 * k - 14, 6 * (len(shelves) - 1 - k)
        box = f'x="{inset}" y="{y}" width="{SHELF - 2 * inset}" height="40" rx="5"'
        last = k == len(shelves) - 1
        look = (
            'fill="currentColor" fill-opacity=".07" stroke="currentColor" stroke-opacity=".5"'
            if last
            else f'fill="{OVER}" fill-opacity="{0.2 - 0.04 * k:.2f}" stroke="{OVER}"'
        )
        shapes.append(f'<rect {box} {look}/><g font-weight="600">{_at(inset + 10, y + 17, name)}</g>')
        shapes.append(_at(inset + 10, y + 33, holds))
        shapes += [_at(SHELF - inset - 10, y + 17 + 16 * i, word, anchor="end") for i, word in enumerate((size, speed))]
    return _svg("".join(shapes), -6, -42, SHELF + 12, 46 * len(shelves) + 36, "memories, the fastest first")


def ring(work, *, name="devices"):
    """Devices in a circle, a picture for each step: whose keys each one holds, and how much of the step it works.

    Arrows say where keys travel: clockwise.

    work: (p, steps), shares from 0 to 1; in step t device r holds the keys of device r − t
    ->   Drawing. Raises ValueError for other numbers.
    """
    work = numeric(work=work)
    if work.ndim != 2 or work.min() < 0 or work.max() > 1:
        raise ValueError("work must be a matrix of shares from 0 to 1")
    size, steps = work.shape
    turn = 2 * np.pi * np.arange(size) / size - np.pi / 2
    pictures, told = [], []
    for t in range(steps):
        shapes = [f'<circle cx="0" cy="0" r="{RADIUS}" fill="none" stroke="currentColor" opacity=".3"/>']
        shapes.append(_at(0, 4.5, f"step {t}", anchor="middle"))
        for r, angle in enumerate(turn):
            x, y = RADIUS * np.cos(angle), RADIUS * np.sin(angle)
            cut = y + DISC * (1 - 2 * work[r, t])  # the disc is filled from below
            half = np.sqrt(max(DISC**2 - (cut - y) ** 2, 0))
            shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DISC}" fill="var(--paper,#fff)"/>')
            if work[r, t]:
                arc = f"M{x - half:.1f} {cut:.1f}A{DISC} {DISC} 0 {int(work[r, t] > 0.5)} 0 {x + half:.1f} {cut:.1f}z"
                full = f"M{x - DISC:.1f} {y:.1f}a{DISC} {DISC} 0 1 0 {2 * DISC} 0a{DISC} {DISC} 0 1 0 -{2 * DISC} 0z"
                shapes.append(f'<path d="{full if half < 0.01 else arc}" fill="{YES}" fill-opacity=".6"/>')
            shapes.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DISC}" fill="none" stroke="currentColor"/>')
            shapes.append(_at(x, y + 4.5, f"q{r}", anchor="middle"))
            degrees = np.degrees(angle + np.pi / size)  # keys go on clockwise, to the next device
            turned = f'transform="rotate({degrees:.0f}) translate({RADIUS} 0)"'
            shapes.append(f'<path d="M-4 -4L0 3L4 -4" {turned} fill="none" stroke="{OVER}" stroke-width="1.5"/>')
            far = RADIUS + DISC + 11
            shapes.append(_at(far * np.cos(angle), far * np.sin(angle) + 4.5, f"k{(r - t) % size}", OVER, "middle"))
        pictures.append(_svg("".join(shapes), -84, -84, 168, 168, f"step {t}"))
        told.append(f"step {t} " + ", ".join(f"{x:.2f}" for x in work[:, t]))
    return Drawing(pictures, f"{name}, {size} in a ring, share of a block that each works in {'; '.join(told)}.")
