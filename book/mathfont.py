"""Cut the mathematics font down to what the book can need:  python -m book.mathfont SOURCE.woff2

Run only when a formula asks for a sign the font lacks; add its code point to stix-two-math.txt first.
MATH.md says where the source comes from. Needs fontTools and brotli.
"""

import sys

from book.mathml import GLYPHS, covered

WIDEST = 900  # of 1000 units to the em
FEATURES = ["math", "ssty", "dtls", "flac", "kern", "ccmp"]


def narrow(font, name):
    """Squeeze a glyph sideways until its advance is at most WIDEST."""
    advance, bearing = font["hmtx"][name]
    if advance <= WIDEST:
        return
    outline, ratio = font["glyf"][name], WIDEST / advance
    outline.coordinates.scale((ratio, 1))
    outline.coordinates.toInt()
    outline.recalcBounds(font["glyf"])
    font["hmtx"][name] = (WIDEST, round(bearing * ratio))


def narrow_roots(font):
    """Chromium reserves the widest root sign's room beside every root, however small: a gap of 0.42 em with STIX."""
    variants, root = font["MATH"].table.MathVariants, font.getBestCmap()[0x221A]
    sizes = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    names = {record.VariantGlyph for record in sizes.MathGlyphVariantRecord}
    names |= {part.glyph for part in sizes.GlyphAssembly.PartRecords}
    for name in sorted(names):
        narrow(font, name)


def make(source):
    """Write the subset beside its list of code points."""
    from fontTools import subset

    options = subset.Options(flavor="woff2", layout_features=FEATURES, hinting=False)
    font = subset.load_font(source, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=covered())
    cutter.subset(font)
    narrow_roots(font)
    subset.save_font(font, GLYPHS.with_suffix(".woff2"), options)


if __name__ == "__main__":
    make(sys.argv[1])
