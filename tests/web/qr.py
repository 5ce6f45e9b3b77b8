"""Reading a QR code from its SVG, as a phone's camera would: written from the standard, with nothing of the library that draws it."""

import re

# (version, level M): (data codewords of each block); the level our codes have
BLOCKS_M = {
    1: (16,),
    2: (28,),
    3: (44,),
    4: (32, 32),
    5: (43, 43),
    6: (27,) * 4,
    7: (31,) * 4,
    8: (38, 38, 39, 39),
    9: (36,) * 3 + (37,) * 2,
}
ALIGNED = {1: (), 2: (6, 18), 3: (6, 22), 4: (6, 26), 5: (6, 30), 6: (6, 34), 7: (6, 22, 38), 8: (6, 24, 42), 9: (6, 26, 46)}
MASKS = (
    lambda r, c: (r + c) % 2,
    lambda r, c: r % 2,
    lambda r, c: c % 3,
    lambda r, c: (r + c) % 3,
    lambda r, c: (r // 2 + c // 3) % 2,
    lambda r, c: r * c % 2 + r * c % 3,
    lambda r, c: (r * c % 2 + r * c % 3) % 2,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2,
)


def read_svg(svg, border=4):
    """The text in a QR code drawn as one path of squares."""
    path = re.search(r'\bd="([^"]+)"', svg)[1]
    corners = [(float(x), float(y)) for x, y in re.findall(r"M([0-9.]+),([0-9.]+)", path)]
    side = re.search(r'viewBox="0 0 ([0-9.]+)', svg)
    step = float(re.search(r"M([0-9.]+),[0-9.]+H([0-9.]+)", path)[2]) - corners[0][0]
    size = round(float(side[1]) / step) - 2 * border
    dark = {(round(y / step) - border, round(x / step) - border) for x, y in corners}
    return read_modules(dark, size)


def read_modules(dark, size):
    version = (size - 17) // 4
    mask = MASKS[_format(dark) & 7]
    bits = [((row, column) in dark) ^ (mask(row, column) == 0) for row, column in _way(size, version)]
    words = [sum(bit << 7 - i for i, bit in enumerate(bits[at : at + 8])) for at in range(0, len(bits) - 7, 8)]
    return _text(_in_order(words, BLOCKS_M[version]), version)


def _format(dark):
    """Level and mask: five bits beside the first finder pattern."""
    places = [(8, 0), (8, 1), (8, 2), (8, 3), (8, 4)]
    found = sum(((place in dark) << 4 - i) for i, place in enumerate(places)) ^ 0b10101
    assert found >> 3 == 0, "only level M is read here"
    return found


def _way(size, version):
    """The modules that hold data, in their order: pairs of columns from the right, up and down in turns."""
    upwards, column = True, size - 1
    while column > 0:
        column -= column == 6  # the timing pattern
        for row in range(size - 1, -1, -1) if upwards else range(size):
            yield from ((row, each) for each in (column, column - 1) if not _is_pattern(row, each, size, version))
        upwards, column = not upwards, column - 2


def _is_pattern(row, column, size, version):
    corner = (row < 9 and column < 9) or (row < 9 and column >= size - 8) or (row >= size - 8 and column < 9)
    about = version >= 7 and ((row < 6 and column >= size - 11) or (column < 6 and row >= size - 11))
    return corner or about or row == 6 or column == 6 or _is_aligned(row, column, size, version)


def _is_aligned(row, column, size, version):
    for r in ALIGNED[version]:
        for c in ALIGNED[version]:
            in_corner = (r < 9 and c < 9) or (r < 9 and c > size - 9) or (r > size - 9 and c < 9)
            if not in_corner and abs(row - r) <= 2 and abs(column - c) <= 2:
                return True
    return False


def _in_order(words, blocks):
    """Blocks are written in turns."""
    parts, given = [[] for _ in blocks], iter(words)
    for n in range(max(blocks)):
        for part, length in zip(parts, blocks, strict=True):
            if n < length:
                part.append(next(given))
    return [word for part in parts for word in part]


def _text(words, version):
    bits = "".join(f"{word:08b}" for word in words)
    text, at = b"", 0
    while int(bits[at : at + 4] or "0", 2):
        mode, at = int(bits[at : at + 4], 2), at + 4
        if mode == 4:
            length, at = int(bits[at : at + 8], 2), at + 8
            text += bytes(int(bits[at + 8 * n : at + 8 * n + 8], 2) for n in range(length))
            at += 8 * length
        elif mode == 1:
            length, at = int(bits[at : at + 10], 2), at + 10
            text, at = text + _digits(bits, at, length), at + length // 3 * 10 + (0, 4, 7)[length % 3]
        else:
            length, at = int(bits[at : at + 9], 2), at + 9
            text, at = text + _alphanumeric(bits, at, length), at + length // 2 * 11 + length % 2 * 6
    return text.decode()


def _digits(bits, at, length):
    found = b""
    for n in range(0, length, 3):
        many = min(3, length - n)
        width = (0, 4, 7, 10)[many]
        found += str(int(bits[at : at + width], 2)).zfill(many).encode()
        at += width
    return found


def _alphanumeric(bits, at, length):
    signs = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
    found = b""
    for n in range(0, length, 2):
        if length - n == 1:
            found += signs[int(bits[at : at + 6], 2)].to_bytes(1, "big")
        else:
            pair = int(bits[at : at + 11], 2)
            found += bytes([signs[pair // 45], signs[pair % 45]])
        at += 11
    return found
