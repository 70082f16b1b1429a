"""The module graph as an SVG: a band for each room, its boxes in rows by their depth, and arrows downwards."""

from html import escape

WIDTH, LEFT, RIGHT = 1080, 210, 24
BOX, ROW, BAND, GAP, PADDING = 30, 62, 20, 14, 14
USED_BY_PEOPLE = {"NovaSDK", "nova", "nova-serve"}
STYLE_SHEET = """
    .card { fill: #ffffff; stroke: #d9d5cf; }
    .band { fill: #f5f3f0; }
    .halo { stroke: #f5f3f0; stroke-width: 5; }
    .box { fill: #ffffff; stroke: #b9b4ac; }
    .main { fill: #b23a14; stroke: #b23a14; }
    text { font: 13px -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; fill: #1d2026; }
    .name { text-anchor: middle; }
    .on-main { fill: #ffffff; font-weight: 600; }
    .room { font-weight: 650; font-size: 15px; }
    .note { fill: #565c68; font-size: 12px; }
    .arrow { fill: none; stroke: #9a958d; stroke-width: 1.2; }
    .head { fill: #9a958d; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #15171c; stroke: #333842; }
      .band { fill: #1d2026; }
      .halo { stroke: #1d2026; }
      .box { fill: #272b33; stroke: #4a505c; }
      .main { fill: #ff8a66; stroke: #ff8a66; }
      text { fill: #e6e8ec; }
      .on-main { fill: #15171c; }
      .note { fill: #a3aab6; }
      .arrow { stroke: #6b7280; }
      .head { fill: #6b7280; }
    }
"""


def lines_of(text, width):
    """A text broken into lines of about a number of characters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) + 1 > width and lines[-1]:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def depths(boxes, graph):
    """How deep each box is within its room: 0 for those that use no other box of the room."""
    found = {}

    def depth(box):
        if box not in found:
            found[box] = max((depth(below) + 1 for below in graph[box] if below in boxes), default=0)
        return found[box]

    return {box: depth(box) for box in boxes}


def label(box, modules):
    """A box's lines: its name, or the names of the modules that share it."""
    if modules == [box]:
        return [box]
    names = ", ".join(name.removeprefix("C").removeprefix("Nova") for name in modules)
    prefix = "CNova" if modules[0].startswith("C") else "Nova"
    return [f"{box}: {prefix}…", *lines_of(names, 62)]


def rows_of(rooms, room_of, groups, graph):
    """The rows from top to bottom: the room, and its boxes from left to right, each with its lines and width."""
    rows = []
    for room in rooms:
        boxes = [box for box in groups if room_of[box] == room]
        depth = depths(boxes, graph)
        for level in range(max(depth.values()), -1, -1):
            inside = [box for box in boxes if depth[box] == level]
            rows.append((room, inside))
    return rows


def box_height(lines):
    return BOX + 16 * (len(lines) - 1)


def place(rows, notes, groups, graph):
    """The place of each box (x, y, width, height) and of each band (y, height); boxes are close to what uses them."""
    places, bands, y = {}, {}, 16
    for index, (room, inside) in enumerate(rows):
        if room not in bands:
            y += BAND if bands else 0
            bands[room] = [y, 0]
            y += PADDING
        texts = {box: label(box, groups[box]) for box in inside}
        widths = {box: max(len(line) for line in lines) * 6.9 + 22 for box, lines in texts.items()}
        height = max(map(box_height, texts.values()))
        inside = sorted(inside, key=lambda box: (wanted(box, places, graph), list(groups).index(box)))
        room_left = WIDTH - LEFT - RIGHT - sum(widths.values())
        space = room_left / (len(inside) + 1)
        x = LEFT + space
        for box in inside:
            places[box] = (x, y, widths[box], box_height(texts[box]))
            x += widths[box] + space
        last = index + 1 == len(rows) or rows[index + 1][0] != room
        y += height + (PADDING if last else ROW - BOX)
        y = max(y, bands[room][0] + 40 + 16 * len(notes[room])) if last else y
        bands[room][1] = y - bands[room][0]
    return places, bands, y + 16


def wanted(box, places, graph):
    """Where a box wants to be: below the middle of the boxes that use it."""
    users = [
        places[user][0] + places[user][2] / 2 for user, direct in graph.items() if box in direct and user in places
    ]
    return round(sum(users) / len(users)) if users else WIDTH // 2


def arrows(places, graph):
    """The lines and the heads of all arrows; heads are drawn above the halos of the boxes that they lead to."""
    for box in places:
        targets = sorted(graph[box], key=lambda below: places[below][0])
        for number, below in enumerate(targets):
            x, y, width, height = places[box]
            to_x, to_y, to_width, _ = places[below]
            start = x + width * (number + 1) / (len(targets) + 1)
            users = sorted((user for user in places if below in graph[user]), key=lambda user: places[user][0])
            end = to_x + to_width * (users.index(box) + 1) / (len(users) + 1)
            bend = max(18, (to_y - y - height) * 0.45)
            yield (
                f'<path class="arrow" d="M{start:.1f} {y + height}C{start:.1f} {y + height + bend:.1f} {end:.1f} '
                f'{to_y - bend:.1f} '
                f'{end:.1f} {to_y - 5}"/>',
                f'<path class="head" d="M{end - 3.5:.1f} {to_y - 7}h7l-3.5 7z"/>',
            )


def drawn_box(box, modules, at):
    x, y, width, height = at
    kind = "main" if box in USED_BY_PEOPLE else "box"
    texts = "".join(
        f'<text class="name{" on-main" if kind == "main" else ""}{" note" if number else ""}" x="{x + width / 2:.1f}" '
        f'y="{y + 19.5 + 16 * number:.1f}">{escape(line)}</text>'
        for number, line in enumerate(label(box, modules))
    )
    # The halo shows which arrows pass behind a box.
    return (
        f'<rect class="halo" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" rx="6"/>'
        f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{height}" rx="6"/>{texts}'
    )


def picture(rooms, texts, room_of, groups, graph):
    """The SVG of rooms from the highest to the lowest; `graph` has the boxes that each box uses."""
    notes = {room: lines_of(texts[room].replace("`", ""), 25) for room in rooms}
    places, bands, height = place(rows_of(rooms, room_of, groups, graph), notes, groups, graph)
    body = []
    for room, (y, tall) in bands.items():
        note = "".join(
            f'<text class="note" x="36" y="{y + 46 + 16 * n}">{escape(line)}</text>'
            for n, line in enumerate(notes[room])
        )
        body.append(
            f'<rect class="band" x="16" y="{y}" width="{WIDTH - 32}" height="{tall}" rx="8"/>'
            f'<text class="room" x="36" y="{y + 26}">{escape(room)}</text>{note}'
        )
    lines, heads = zip(*arrows(places, graph))
    body += [*lines, *(drawn_box(box, groups[box], places[box]) for box in places), *heads]
    described = "; ".join(f"{room}: {', '.join(box for box in groups if room_of[box] == room)}" for room in rooms)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} '
        f'{height}" role="img" '
        f'aria-labelledby="title description">\n  <title id="title">The modules of NovaSDK</title>\n'
        '  <desc id="description">Rooms from the highest to the lowest, each module uses only those below it. '
        f'{escape(described)}.</desc>\n'
        f"  <style>{STYLE_SHEET}  </style>\n"
        f'  <rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="10"/>\n  '
        + "\n  ".join(body)
        + "\n</svg>\n"
    )
