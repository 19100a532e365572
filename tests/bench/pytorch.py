"""The same works in PyTorch on one thread: reads them, and whether it's a smoke test, as JSON, and prints the times as JSON."""

import json
import math
import sys
import time

import torch

STRETCH = 1e-3  # seconds that a measurement lasts at least, by repeating short work


def encoded(length, dim):
    pe = torch.zeros(length, dim)
    position = torch.arange(0, length, dtype=torch.float).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, dim, 2).float() * (-math.log(10000.0) / dim))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe


def exact(length, dim):
    columns = torch.arange(dim, dtype=torch.double)
    angles = torch.arange(length, dtype=torch.double).unsqueeze(1) / 10000 ** ((columns - columns % 2) / dim)
    return torch.where(columns % 2 == 0, torch.sin(angles), torch.cos(angles))


def reused(work, x):
    """Memory for results: x itself in place. The expected values were made before anything is written there."""
    return x if work["inPlace"] else torch.empty_like(x)


# For each work: the expected values, their tolerance, and how PyTorch makes them, in memory that is used again where it can be.


def encode(work):
    length, dim = work["length"], work["dim"]
    return exact(length, dim), length * 2**-22, lambda: encoded(length, dim)


def add(work):
    batch, length, dim = work["batch"], work["length"], work["dim"]
    batch_first = work["order"] == "batch-first"
    table = torch.rand(length, dim).double() if work["learned"] else exact(length, dim)
    table = table if batch_first else table.unsqueeze(1)
    pe = table.float()
    x = torch.rand((batch, length, dim) if batch_first else (length, batch, dim))
    out = reused(work, x)
    return x + table, 2**-22, lambda: torch.add(x, pe, out=out)


def lookup(work):
    shape, dim = (work["batch"], work["length"]), work["dim"]
    tokens = torch.nn.Embedding(work["vocabulary"], dim)
    ids = torch.randint(work["vocabulary"], shape)
    out = torch.empty(ids.numel(), dim)

    def again():
        return torch.index_select(tokens.weight, 0, ids.flatten(), out=out).view(*shape, dim)

    return tokens.weight[ids], 0, again


def embed(work):
    batch, length, dim = work["batch"], work["length"], work["dim"]
    tokens, segments, positions = (torch.nn.Embedding(rows, dim) for rows in (work["vocabulary"], 2, length))
    ids, segment_ids = torch.randint(work["vocabulary"], (batch, length)), torch.randint(2, (batch, length))
    position_ids = torch.arange(length)
    out, part = torch.empty(batch * length, dim), torch.empty(batch * length, dim)

    def again():
        torch.index_select(tokens.weight, 0, ids.flatten(), out=out)
        out.add_(torch.index_select(segments.weight, 0, segment_ids.flatten(), out=part))
        return out.view(batch, length, dim).add_(positions.weight)

    parts = (tokens, ids), (segments, segment_ids), (positions, position_ids)
    return sum(table.weight.double()[i] for table, i in parts), 2**-19, again


def dropout(work):
    batch, length, dim, p = work["batch"], work["length"], work["dim"], work["p"]
    by_element = work["mode"] == "element"
    x = torch.rand(batch, length, dim) + 1  # no zeros but what is dropped
    out, noise = reused(work, x), torch.empty(batch, length, dim if by_element else 1)

    def again():
        return torch.mul(x, noise.bernoulli_(1 - p).div_(1 - p), out=out)

    return x.double() / (1 - p), 2**-21, again


def halves(x):
    return x.chunk(2, dim=-1)


def every_two(x):
    return x[..., 0::2], x[..., 1::2]


def rotate_half(x):
    x1, x2 = halves(x)
    return torch.cat((-x2, x1), dim=-1)


def rotate_every_two(x):
    x1, x2 = every_two(x)
    return torch.stack((-x2, x1), dim=-1).flatten(-2)


def rotated(x, cos, sin, other=rotate_half):
    return x * cos + other(x) * sin


def rotated_again(x, cos, sin, part, out, columns=halves):
    """The same without new memory: part takes what sin multiplies, and out may be x."""
    (x1, x2), (part1, part2) = columns(x), columns(part)
    torch.neg(x2, out=part1)
    part2.copy_(x1)
    return torch.mul(x, cos, out=out).addcmul_(part, sin)


def frequencies(dim, dtype):
    return 1.0 / (10000 ** (torch.arange(0, dim, 2, dtype=dtype) / dim))


def rotate(work):
    length, heads, dim = work["length"], work["heads"], work["dim"]
    heads_first, half = work["axes"] == "heads-first", work["layout"] == "half"
    x = 2 * torch.rand((1, heads, length, dim) if heads_first else (length, heads, dim)) - 1
    angles = torch.outer(torch.arange(length).double(), frequencies(dim, torch.double))
    angles = torch.cat((angles, angles), dim=-1) if half else angles.repeat_interleave(2, dim=-1)
    tables = [table if heads_first else table.unsqueeze(1) for table in (angles.cos(), angles.sin())]
    cos, sin = (table.float() for table in tables)
    columns, other = (halves, rotate_half) if half else (every_two, rotate_every_two)
    part, out = torch.empty_like(x), reused(work, x)

    def again():
        return rotated_again(x, cos, sin, part, out, columns)

    return rotated(x, *tables, other), 2**-22, again


STEP = 4095  # the position


def step(work):
    layers, heads, dim = work["layers"], work["heads"], work["dim"]
    x = 2 * torch.rand(layers, 1, heads, 1, dim) - 1
    inv_freq = frequencies(dim, torch.float)
    part, out = torch.empty_like(x[0]), torch.empty_like(x)

    def again():
        angles = torch.tensor([STEP]).float().unsqueeze(1) * inv_freq
        angles = torch.cat((angles, angles), dim=-1)
        cos, sin = angles.cos(), angles.sin()
        for layer in range(layers):
            rotated_again(x[layer], cos, sin, part, out[layer])
        return out

    angles = STEP * frequencies(dim, torch.double).repeat(2)
    expected = rotated(x, angles.cos(), angles.sin())
    return expected, (STEP + 1) * 2**-22, again


def tables(work):
    length, dim = work["length"], work["dim"]
    inv_freq, out = frequencies(dim, torch.float), torch.empty(2, length, dim // 2)
    angles = torch.outer(torch.arange(length).double(), frequencies(dim, torch.double))

    def again():
        freqs = torch.outer(torch.arange(length).float(), inv_freq)
        torch.cos(freqs, out=out[0]), torch.sin(freqs, out=out[1])
        return out

    return torch.stack((angles.cos(), angles.sin())), length * 2**-22, again


def check(work, made, expected, tolerance):
    dropped = (made == 0) & (work["p"] > 0)
    error = (made - expected).abs().masked_fill(dropped, 0).max().item()
    assert error <= tolerance, f"{work['name']}: off by {error}, more than {tolerance}"
    share = dropped.float().mean().item()
    assert abs(share - work["p"]) <= 0.02, f"{work['name']}: {share} is dropped, not {work['p']}"


def timed(run, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return time.perf_counter() - start


def measure(run, rounds, turn):
    run()
    repeats = 1
    while timed(run, repeats) < STRETCH:
        repeats *= 2
    least = math.inf
    for _ in range(rounds):
        end = time.perf_counter() + turn
        while True:
            least = min(least, timed(run, repeats) / repeats)
            if time.perf_counter() >= end:
                break
    return 1000 * least


KINDS = {
    **{"encode": encode, "add": add, "lookup": lookup, "embed": embed, "dropout": dropout},
    **{"rotate": rotate, "step": step, "tables": tables},
}


def main():
    works, quick = json.loads(sys.argv[1]), json.loads(sys.argv[2])
    torch.set_num_threads(1)
    times = {}
    with torch.inference_mode():
        for work in works:
            if work["kind"] not in KINDS:
                continue
            print('PyTorch:', work["name"], file=sys.stderr)
            expected, tolerance, run = KINDS[work["kind"]](work)
            check(work, run(), expected, tolerance)
            times[work["name"]] = {"torch": measure(run, *((2, 0.005) if quick else (15, 0.05)))}
    print(json.dumps({"version": torch.__version__, "times": times}))


main()
