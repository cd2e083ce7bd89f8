"""A picture that matplotlib has drawn, as part of a page: short, in the page's font, with no name that another has."""

import re
from xml.etree import ElementTree

SVG, LINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")
PLACES = {"d", "x", "y", "width", "height", "transform", "viewBox", "points"}
STILL = re.compile(r"rotate\(-?0 [^)]*\)")  # a turn by nothing
FONT = re.compile(r"font-family: [^;]*;? ?")
ASKED = re.compile(r'(?<=url\(#)\w+|(?<=href="#)\w+')  # a clipping path or a mark, by its name
UNHEARD = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # what no XML may hold
WIDER = 1.6  # pixels of a page to a point of type, at most: 9 points are then 14 pixels, and 10 where a page has 390
WIDEST = 2.4  # of a picture that uses the whole width of the page


def inline(svg, name, wider=WIDER):
    """The element <svg> as wide as the page has room for; without its file's head and style for all.

    svg: str, as matplotlib writes it; name: str, with which the names of its parts begin; wider: pixels of a page to a
    point, at most   ->   str. Its numbers are short: the last bit of a float moves no line.
    """
    svg = UNHEARD.sub("", svg)
    names = {part: f"{name}-{k}" for k, part in enumerate(dict.fromkeys(ASKED.findall(svg)))}
    root = ElementTree.fromstring(re.sub("|".join(names) or "$^", lambda part: names[part[0]], svg))
    for head in ("metadata", "defs"):
        root.remove(root.find(SVG + head))
    for side in ("width", "height", "version"):
        del root.attrib[side]
    wide = wider * float(root.get("viewBox").split()[2])
    root.set("style", f"display:block;width:100%;max-width:{wide:.0f}px;height:auto;stroke-linejoin:round")
    for element in root.iter():
        element.tag = element.tag.removeprefix(SVG)
        element.text, element.tail = element.text if (element.text or "").strip() else None, None
        element.attrib = dict(_kept(element.attrib, names.values()))
    root[:] = _bare(root)
    return ElementTree.tostring(root, encoding="unicode")


def _bare(element):
    """What an element holds, without groups that say nothing of it.   ->   list"""
    held = []
    for child in element:
        child[:] = _bare(child)
        held += list(child) if child.tag == "g" and not child.attrib else [child]
    return held


def _kept(attributes, names):
    """The attributes that the page needs: no name that nothing asks for, short numbers, no font."""
    for key, value in attributes.items():
        if key in PLACES:
            digits = 1 if key == "d" else 2
            value = NUMBER.sub(lambda number, d=digits: f"{float(number[0]):.{d}f}".rstrip("0").rstrip("."), value)
            value = " ".join(STILL.sub("", value).split())
            if key == "d" and not re.search("[CQ]", value):
                value = value.replace(" L", "")  # after a first point, points are ends of lines
        elif key == "style":
            value = FONT.sub("", value)
        if value and (key != "id" or value in names):
            yield "href" if key == LINK else key, value
