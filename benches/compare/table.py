#!/usr/bin/env python3
"""Prints the table of a comparison: `table.py RESULTS`, lines of JOB, TOOL, SECONDS and KIB between tabs."""
import collections
import statistics
import sys

TOOLS = ("terraform", "provender")


def main():
    measured = collections.defaultdict(list)
    with open(sys.argv[1], encoding="utf-8") as results:
        for line in results:
            job, tool, seconds, kib = line.rstrip("\n").split("\t")
            measured[job, tool].append((float(seconds), int(kib)))
    print(f"{'median of ' + str(max(map(len, measured.values()))):40} {'terraform':>22} {'provender':>22} {'ratio':>7}")
    for job in dict.fromkeys(job for job, _ in measured):
        medians = {tool: medians_of(measured[job, tool]) for tool in TOOLS if measured.get((job, tool))}
        cells = " ".join(f"{cell(medians.get(tool)):>22}" for tool in TOOLS)
        print(f"{job:40} {cells} {ratio(medians):>7}")


def medians_of(runs):
    return [statistics.median(values) for values in zip(*runs)]


def cell(medians):
    return "-" if medians is None else f"{medians[0]:.2f} s {medians[1] / 1024:5.0f} MiB"


def ratio(medians):
    if len(medians) < 2:
        return "-"
    return f"{medians['terraform'][0] / max(medians['provender'][0], 0.01):.1f}"


main()
