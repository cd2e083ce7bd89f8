"""The still pictures of the figures: one for each that the notebooks show, put in before its tables."""

import re
import xml.etree.ElementTree as ET

import pytest
from worked import TOKENS, WEIGHTS

from attn.show import widgets
from book import stills
from book.stills import picture
from tools import stills as drawing

SVG = "{http://www.w3.org/2000/svg}"


def test_every_figure_of_the_notebooks_has_its_picture_and_no_other_lies_there():
    drawn = {path.name for path in stills.DRAWN.iterdir()}
    wanted = set(drawing.wanted())
    wanted |= {stills.narrow(name) for name in wanted if name.startswith(tuple(drawing.WIDER))}
    assert not wanted - drawn, f"`make stills` draws {sorted(wanted - drawn)}"
    assert not drawn - wanted, f"`make stills` drops {sorted(drawn - wanted)}"


def test_a_picture_is_plain_svg_with_a_name_a_sentence_and_nothing_from_elsewhere():
    for path in stills.DRAWN.iterdir():
        text = path.read_text(encoding="utf-8")
        root = ET.fromstring(text)
        assert [child.tag for child in root][:3] == [f"{SVG}title", f"{SVG}desc", f"{SVG}style"], path.name
        assert all((root[k].text or "").strip() for k in range(2)), path.name
        assert not re.search(r"<script|<foreignObject|\bon\w+=|@import|@font-face", text), path.name
        linked = re.findall(r'(?:href|src)="([^"]{0,15})|url\(([^)]{0,3})', text)
        assert all(part.startswith(("data:image/png", "#")) for pair in linked for part in pair if part), path.name
        assert stills.HEAD.match(text), path.name


def test_a_figure_s_picture_and_sentence_come_first_and_its_numbers_are_folded_away(monkeypatch, tmp_path):
    monkeypatch.setattr(stills, "DRAWN", tmp_path)
    html = widgets.Heatmap(WEIGHTS, TOKENS).html()
    ((name, (view, state)),) = stills.figures(html).items()
    assert view == "heatmap" and stills.stamp(html) == html  # without a picture the tables stay
    head = '<svg width="90" height="80" data-tall="200 300" viewBox="0 0 1 1"><title>A &lt; B</title>'
    (tmp_path / name).write_text(f"{head}<desc>One &amp; all.</desc></svg>", encoding="utf-8")
    stamped = stills.stamp(f"before{html}after", "../_static")
    told = [
        "before",
        state,
        "A &lt; B</strong>",
        'width="90" height="80"',
        f'src="../_static/stills/{name}',
        "One &amp; all.",
    ]
    places = [stamped.index(part) for part in [*told, "<details>", "<table>", "</details></div></div>after"]]
    assert places == sorted(places)
    assert stamped.count("<table>") == html.count("<table>")
    assert 'alt="A &lt; B The sentence below says what it shows."' in stamped
    assert "<picture>" not in stamped
    (tmp_path / stills.narrow(name)).write_text(f"{head.replace('90', '40')}<desc>One.</desc></svg>", encoding="utf-8")
    slim = re.search(r"<picture><source (.*?)><img .*?></picture><p>One &amp; all", stills.stamp(html))[1]
    assert 'media="(max-width: 700px)"' in slim and f"{stills.narrow(name)}?v=" in slim and 'width="40"' in slim


def test_a_question_has_no_picture():
    html = widgets.Predict("How many?", 2, replies={3: "No."}).html()
    assert stills.figures(html) == {} and stills.stamp(html) == html


@pytest.mark.parametrize(
    ("told", "short"),
    [
        ("rgb(255, 255, 255)", "#fff"),
        ("rgb(31, 36, 48)", "#1f2430"),
        ("rgba(0, 0, 0, 0.5)", "#00000080"),
        ("color(srgb 0.5 0.25 1)", "#8040ff"),
        ("color(srgb 1 1 1 / 0.2)", "#fff3"),
        ("none", "none"),
        ("2px", "2px"),
    ],
)
def test_a_colour_is_written_short(told, short):
    assert picture.colour(told) == short


def test_what_dark_changes_is_said_once_and_what_it_leaves_is_not_repeated():
    looks = picture.Looks()
    light = {"fill": "rgb(0, 0, 0)", "stroke": "none"}
    assert looks.name(light, {"fill": "rgb(255, 255, 255)", "stroke": "none"}) == "a"
    assert looks.name(light, light) == "b"
    assert looks.name(light, light) == "b"
    assert looks.name({}, {}) == ""
    assert looks.sheet() == (
        ".a{fill:#000;stroke:none}.b{fill:#000;stroke:none}@media(prefers-color-scheme:dark){.a{fill:#fff}}"
    )


def test_pictures_that_differ_in_more_than_colours_are_refused():
    one = {"title": "T", "told": "t", "shapes": [{"tag": "rect"}]}
    with pytest.raises(ValueError, match="T: light and dark differ"):
        picture.picture(one, {**one, "shapes": []}, (1, 1))
