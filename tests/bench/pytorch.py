"""The same works in PyTorch on one thread: takes them and whether it's a smoke test as JSON, and prints the times as JSON."""

import json
import math
import sys
import time

import torch
import torch.nn.functional as F

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
    """Memory for results: x itself in place. What is expected was made before anything is written there."""
    return x if work["inPlace"] else torch.empty_like(x)


# Of a work: what each makes, how far it may be off, and who makes it.


def encode(work):
    length, dim = work["length"], work["dim"]
    return exact(length, dim), length * 2**-22, {"torch": lambda: encoded(length, dim)}


def add(work):
    batch, length, dim = work["batch"], work["length"], work["dim"]
    batch_first = work["order"] == "batch-first"
    table = torch.rand(length, dim).double() if work["learned"] else exact(length, dim)
    table = table if batch_first else table.unsqueeze(1)
    pe = table.float()
    x = torch.rand((batch, length, dim) if batch_first else (length, batch, dim))
    out = reused(work, x)
    return x + table, 2**-22, {"torch": lambda: x + pe, "torchOut": lambda: torch.add(x, pe, out=out)}


def lookup(work):
    shape, dim = (work["batch"], work["length"]), work["dim"]
    tokens = torch.nn.Embedding(work["vocabulary"], dim)
    ids = torch.randint(work["vocabulary"], shape)
    out = torch.empty(ids.numel(), dim)

    def again():
        return torch.index_select(tokens.weight, 0, ids.flatten(), out=out).view(*shape, dim)

    return tokens.weight[ids], 0, {"torch": lambda: tokens(ids), "torchOut": again}


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

    def fresh():
        return tokens(ids) + segments(segment_ids) + positions(position_ids)

    parts = (tokens, ids), (segments, segment_ids), (positions, position_ids)
    return sum(table.weight.double()[i] for table, i in parts), 2**-19, {"torch": fresh, "torchOut": again}


def dropout(work):
    batch, length, dim, p = work["batch"], work["length"], work["dim"], work["p"]
    by_element = work["mode"] == "element"
    x = torch.rand(batch, length, dim) + 1  # no zeros but what is dropped
    out, noise = reused(work, x), torch.empty(batch, length, dim if by_element else 1)
    drop = F.dropout if by_element else F.dropout1d

    def again():
        return torch.mul(x, noise.bernoulli_(1 - p).div_(1 - p), out=out)

    return x.double() / (1 - p), 2**-21, {"torch": lambda: drop(x, p), "torchOut": again}


def check(work, name, made, expected, tolerance):
    dropped = (made == 0) & (work["p"] > 0)
    error = (made - expected).abs().masked_fill(dropped, 0).max().item()
    assert error <= tolerance, f"{work['name']}, {name}: off by {error}, more than {tolerance}"
    share = dropped.float().mean().item()
    assert abs(share - work["p"]) <= 0.02, f"{work['name']}, {name}: {share} is dropped, not {work['p']}"


def timed(run, repeats):
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    return time.perf_counter() - start


def measure(runs, rounds, turn):
    repeats = {}
    for name, run in runs.items():
        run()
        repeats[name] = 1
        while timed(run, repeats[name]) < STRETCH:
            repeats[name] *= 2
    least = dict.fromkeys(runs, math.inf)
    for _ in range(rounds):
        for name, run in runs.items():
            end = time.perf_counter() + turn
            while True:
                least[name] = min(least[name], timed(run, repeats[name]) / repeats[name])
                if time.perf_counter() >= end:
                    break
    return {name: 1000 * seconds for name, seconds in least.items()}


KINDS = {"encode": encode, "add": add, "lookup": lookup, "embed": embed, "dropout": dropout}


def main():
    works, quick = json.loads(sys.argv[1]), json.loads(sys.argv[2])
    torch.set_num_threads(1)
    times = {}
    with torch.inference_mode():
        for work in works:
            if work["kind"] not in KINDS:
                continue
            print('PyTorch:', work["name"], file=sys.stderr)
            expected, tolerance, runs = KINDS[work["kind"]](work)
            if work["inPlace"]:
                del runs["torch"]
            for name, run in runs.items():
                check(work, name, run(), expected, tolerance)
            times[work["name"]] = measure(runs, *((2, 0.005) if quick else (15, 0.05)))
    print(json.dumps({"version": torch.__version__, "times": times}))


main()
