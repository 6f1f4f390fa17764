"""Product pictures: plain drawings in SVG, since a PNG's bytes would depend on the zlib at hand."""

# main, dark, light, ground
PALETTES = (
    ("#2f7d6b", "#1d4b41", "#f2c46d", "#e6f1ee"),
    ("#c8553d", "#6d2a1d", "#f7dcb9", "#faeee6"),
    ("#3a6ea5", "#1f3c5b", "#f4d58d", "#e8f0f8"),
    ("#8a6fae", "#463763", "#f1d8e8", "#f1edf7"),
    ("#d08c2f", "#6b4514", "#fff0cf", "#fbf3e4"),
    ("#5b8c3a", "#31501d", "#f3e3a4", "#eef5e6"),
    ("#b5476b", "#5f2036", "#f8d9c4", "#faeaf0"),
)


def picture(drawing: str, number: int) -> str:
    """A drawing (elements of an SVG, see pictures.toml) in the number's colours on a pale ground."""
    main, dark, light, ground = PALETTES[number % len(PALETTES)]
    line = f"fill:none;stroke:{dark};stroke-linecap:round;stroke-linejoin:round"
    fills = f".a{{fill:{main}}}.b{{fill:{dark}}}.c{{fill:{light}}}"
    lines = f".s{{{line};stroke-width:2.5}}.w{{{line};stroke-width:5}}"
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="440" height="440" viewBox="-20 -20 140 140">'
        f"<style>{fills}{lines}</style>"
        f'<rect x="-20" y="-20" width="140" height="140" fill="{ground}"/>'
        f'<circle cx="50" cy="50" r="58" fill="#fff" opacity=".65"/>{drawing}</svg>\n'
    )
