"""The same works in PyTorch on one thread: takes them and whether it's a smoke test as JSON, and prints the times as JSON."""

import json
import math
import sys
import time

import torch

STRETCH = 1e-3  # seconds that a measurement lasts at least, by repeating short work


def encode(length, dim):
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


def contenders(work):
    """Of a work: what each makes, how far it may be off, and who makes it."""
    length, dim = work["length"], work["dim"]
    table = exact(length, dim)
    if work["kind"] == "encode":
        return table, length * 2**-22, {"torch": lambda: encode(length, dim)}
    if work["kind"] == "add":
        batch_first = work["order"] == "batch-first"
        table = table if batch_first else table.unsqueeze(1)
        pe = table.float()
        x = torch.rand((work["batch"], length, dim) if batch_first else (length, work["batch"], dim))
        out = torch.empty_like(x)
        return x + table, 2**-22, {"torch": lambda: x + pe, "torchOut": lambda: torch.add(x, pe, out=out)}
    return None, 0, {}


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


def main():
    works, quick = json.loads(sys.argv[1]), json.loads(sys.argv[2])
    torch.set_num_threads(1)
    times = {}
    with torch.inference_mode():
        for work in works:
            expected, tolerance, runs = contenders(work)
            if not runs:
                continue
            print('PyTorch:', work["name"], file=sys.stderr)
            for name, run in runs.items():
                error = (run() - expected).abs().max().item()
                assert error <= tolerance, f"{work['name']}, {name}: off by {error}, more than {tolerance}"
            times[work["name"]] = measure(runs, *((2, 0.005) if quick else (15, 0.1)))
    print(json.dumps({"version": torch.__version__, "times": times}))


main()
