#!/usr/bin/env python3
"""Builds a static provider registry (providers.v1), signed, for a web server that speaks TLS.

Usage: mkregistry.py OUT SPEC.json

Written below OUT: www/ (document root), ca.pem, server.pem, server.key, gnupg/ (home of the signing key).
In SPEC `versions` is a list or a number, `platforms` how many of PLATFORMS, and `copies` makes so many providers
TYPE01, TYPE02, ... `mib` is the size of the executable; with 0 there is only the list of versions, no package.
Executables are cut from that of terraform, so that they compress as providers do: to between a third and a quarter.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

PLATFORMS = ["linux_amd64", "linux_arm64", "darwin_arm64", "windows_amd64", "darwin_amd64",
             "freebsd_386", "freebsd_amd64", "linux_386", "linux_arm", "windows_386"]
MIB = 1 << 20
NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]


def run(*arguments, **options):
    return subprocess.run(arguments, check=True, capture_output=True, **options).stdout


def make_certificates(out):
    ca, ca_key, server, request = (str(out / name) for name in ("ca.pem", "ca.key", "server.pem", "server.csr"))
    run("openssl", "req", "-x509", *NEW_KEY, "-days", "30", "-subj", "/CN=fixture CA", "-keyout", ca_key, "-out", ca)
    extensions = out / "server.ext"
    extensions.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\nbasicConstraints=CA:FALSE\n")
    run("openssl", "req", *NEW_KEY, "-subj", "/CN=localhost", "-keyout", str(out / "server.key"), "-out", request)
    run("openssl", "x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-days", "30",
        "-extfile", str(extensions), "-out", server)


class Signer:
    """A throw-away OpenPGP key."""

    def __init__(self, home):
        home.mkdir(mode=0o700, exist_ok=True)
        self.env = dict(os.environ, GNUPGHOME=str(home))
        self.gpg("--quick-gen-key", "Fixture <fixture@example.test>", "rsa3072", "sign", "never")
        self.armor = self.gpg("--armor", "--export").decode()
        listed = self.gpg("--with-colons", "--list-keys").decode().splitlines()
        self.key_id = next(line.split(":")[4] for line in listed if line.startswith("pub:"))

    def gpg(self, *arguments):
        return run("gpg", "--batch", "--yes", "--passphrase", "", "--pinentry-mode", "loopback", *arguments, env=self.env)

    def sign(self, path):
        self.gpg("--digest-algo", "SHA256", "-o", f"{path}.sig", "--detach-sign", str(path))

    def stop_agent(self):
        run("gpgconf", "--kill", "gpg-agent", env=self.env)


class Payload:
    """Machine code without end."""

    def __init__(self):
        self.code = pathlib.Path(os.path.realpath(shutil.which("terraform"))).read_bytes()

    def pieces(self, mib, salt):
        """So many pieces of 1 MiB; the first begins with bytes that only `salt` has."""
        for number in range(mib):
            start = number * MIB % (len(self.code) - MIB)
            piece = self.code[start:start + MIB]
            yield hashlib.sha512(salt.encode()).digest() + piece[64:] if number == 0 else piece


def write_archive(path, executable, pieces):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, mode, content in (("LICENSE.txt", 0o644, [b"fixture licence\n"]), (executable, 0o755, pieces)):
            info = zipfile.ZipInfo(name, (2025, 1, 1, 0, 0, 0))
            info.external_attr = (0o100000 | mode) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w") as entry:
                for piece in content:
                    entry.write(piece)


def digest_of(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class Registry:
    def __init__(self, out):
        self.www = out / "www"
        (self.www / ".well-known").mkdir(parents=True, exist_ok=True)
        (self.www / ".well-known/terraform.json").write_text(json.dumps({"providers.v1": "/v1/providers/"}))
        self.signer, self.payload = Signer(out / "gnupg"), Payload()

    def publish(self, namespace, ty, versions, platforms, mib):
        base = self.www / "v1/providers" / namespace / ty
        base.mkdir(parents=True, exist_ok=True)
        listed = [dict(zip(("os", "arch"), platform.split("_"))) for platform in platforms]
        entries = [{"version": version, "protocols": ["5.0"], "platforms": listed} for version in versions]
        (base / "versions").write_text(json.dumps({"versions": entries}))
        for version in versions if mib else []:
            self.release(base, f"files/{namespace}/{ty}/{version}", ty, version, platforms, mib)

    def release(self, base, place, ty, version, platforms, mib):
        files = self.www / place
        files.mkdir(parents=True, exist_ok=True)
        digests = {}
        for platform in platforms:
            name = f"terraform-provider-{ty}_{version}_{platform}.zip"
            executable = f"terraform-provider-{ty}_v{version}_x5" + (".exe" if platform.startswith("windows") else "")
            write_archive(files / name, executable, self.payload.pieces(mib, name))
            digests[platform] = (name, digest_of(files / name))
        sums = files / f"terraform-provider-{ty}_{version}_SHA256SUMS"
        sums.write_text("".join(f"{digest}  {name}\n" for name, digest in digests.values()))
        self.signer.sign(sums)
        for platform, (name, digest) in digests.items():
            self.describe(base / version / "download", platform, f"/{place}", name, digest, sums.name)

    def describe(self, base, platform, place, name, digest, sums):
        os_, arch = platform.split("_")
        (base / os_).mkdir(parents=True, exist_ok=True)
        key = {"key_id": self.signer.key_id, "ascii_armor": self.signer.armor, "trust_signature": "", "source": ""}
        (base / os_ / arch).write_text(json.dumps({
            "protocols": ["5.0"], "os": os_, "arch": arch, "filename": name, "download_url": f"{place}/{name}",
            "shasums_url": f"{place}/{sums}", "shasums_signature_url": f"{place}/{sums}.sig", "shasum": digest,
            "signing_keys": {"gpg_public_keys": [key]}}))


def types_of(provider):
    copies = provider.get("copies")
    return [provider["type"]] if copies is None else [f"{provider['type']}{n:02}" for n in range(1, copies + 1)]


def versions_of(provider):
    versions = provider["versions"]
    return versions if isinstance(versions, list) else [f"{n // 100}.{n % 100}.0" for n in range(1, versions + 1)]


def main():
    out, spec = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
    out.mkdir(parents=True, exist_ok=True)
    make_certificates(out)
    registry = Registry(out)
    for provider in spec["providers"]:
        platforms = PLATFORMS[:provider["platforms"]]
        for ty in types_of(provider):
            registry.publish(provider["namespace"], ty, versions_of(provider), platforms, provider["mib"])
    registry.signer.stop_agent()
    (out / "complete").touch()


main()
