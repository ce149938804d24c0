#!/usr/bin/env python3
"""Makes a repository of modules and a root module that calls them: `mkmodules.py REPOSITORY ROOT`.

12 modules in 120 files over 40 commits, tagged; 60 calls with the same ref, five for each module.
"""
import pathlib
import random
import subprocess
import sys

MODULES = 12
FILES = ("main.tf", "variables.tf", "outputs.tf", "versions.tf", "locals.tf", "data.tf", "iam.tf", "README.md",
         "CHANGELOG.md", "policy.json.tftpl")
COMMITS = 40
CALLS = 60
WORDS = "subnet route gateway policy bucket cluster zone role table key node group listener target rule".split()


def main():
    repository, root = map(pathlib.Path, sys.argv[1:])
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", repository], check=True)
    command = ["git", "-C", repository, "fast-import", "--quiet"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as importer:
        for piece in history(random.Random(1)):
            importer.stdin.write(piece.encode())
        importer.stdin.close()
    if importer.returncode:
        sys.exit("git fast-import failed")
    root.mkdir(parents=True)
    source = f"git::file://{repository.resolve()}//modules/m%02d?ref=v1.0.0"
    calls = (f'module "call{number:02}" {{\n  source = "{source % (number % MODULES)}"\n}}\n' for number in range(CALLS))
    (root / "main.tf").write_text("".join(calls), encoding="utf-8")


def history(choose):
    paths = [f"modules/m{number:02}/{name}" for number in range(MODULES) for name in FILES]
    for commit in range(COMMITS):
        # Everything begins in the first commit, then three or four files change at a time.
        changed = paths if commit == 0 else choose.sample(paths, 4)
        yield f"commit refs/heads/main\nmark :{commit + 1}\n"
        yield f"committer bench <bench@example.test> {1700000000 + commit * 3600} +0000\n"
        yield data(f"change {commit}")
        if commit:
            yield f"from :{commit}\n"
        for path in changed:
            yield f"M 644 inline {path}\n{data(content(path, choose))}"
    yield f"tag v1.0.0\nfrom :{COMMITS}\ntagger bench <bench@example.test> 1700900000 +0000\n{data('v1.0.0')}"


def content(path, choose):
    if path.endswith(".tf"):
        blocks = choose.randrange(4, 40) if "main" in path or "variables" in path else choose.randrange(1, 12)
        return "".join(block(choose) for _ in range(blocks))
    return "".join(" ".join(choose.choices(WORDS, k=12)) + "\n" for _ in range(choose.randrange(20, 160)))


def block(choose):
    name = "_".join(choose.choices(WORDS, k=3)) + str(choose.randrange(10**6))
    return f'variable "{name}" {{\n  description = "{" ".join(choose.choices(WORDS, k=9))}"\n  default     = null\n}}\n\n'


def data(text):
    return f"data {len(text.encode())}\n{text}\n"


main()
