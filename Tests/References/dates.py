#!/usr/bin/env python3
"""Compares the dates that inboxctl finds in real files with those of exiftool, pdfinfo, ffprobe and Python's email.

    dates.py INBOXCTL [FOLDER…]

Without folders: what this machine's packages hold (documents, test suites), and files that are made for it. The exit
status is 0 if at least 300 files have a date by a reference and 99 % of them agree; each difference is listed, with its
reason where the contract gives one.
"""
import email
import email.policy
import email.utils
import json
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

# exiftool's names of what section 4.2 of the contract lists, in its order.
ORDER = """ExifIFD:DateTimeOriginal IFD0:DateTimeOriginal ExifIFD:CreateDate IFD0:CreateDate CanonRaw:DateTimeOriginal
XMP-photoshop:DateCreated XMP-xmp:CreateDate PDF:CreateDate XML:CreateDate XMP-meta:Creation-date XMP-dc:Date
FlashPix:CreateDate Keys:CreationDate UserData:ContentCreateDate ItemList:ContentCreateDate QuickTime:CreateDate
Matroska:DateTimeOriginal ID3v2_4:RecordingTime ID3v2_3:Year ID3v2_2:Year ID3v1:Year Vorbis:Date""".split()
PICTURES = """jpg jpeg tif tiff png webp heic heif avif jxl dng cr2 cr3 crw nef arw raf rw2 orf pef srw mrw x3f
psd""".split()
DOCUMENTS = "pdf docx xlsx pptx odt ods odp epub doc xls ppt".split()
FILMS = "mov mp4 m4a m4v 3gp mkv webm mp3 flac ogg oga opus".split()
SUITE = re.compile(r"/(test_email/data/msg_\d+\.txt|enmime/.*\.raw)$")
MAILS = ["eml"]
# What differs for a reason that the contract gives.
REASONS = [
    ("it is encrypted: only what its clear XMP says counts", lambda path, ours, tags: "Encrypted" in tags),
    ("dc:date is what a page or a mail has, and no source for a picture or for OpenDocument",
     lambda path, ours, tags: set(tags["found"]) == {"XMP-dc:Date"}),
]


def run(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **more).stdout


def parts(text):
    """A date's numbers, as far as it goes; None for what is none or not plausible."""
    found = re.match(r"\s*(\d{4})(?:[-:/.]?(\d\d)(?:[-:/.]?(\d\d)(?:[ T]?(\d\d):?(\d\d)(?::?(\d\d))?)?)?)?", str(text))
    if not found:
        return None
    date = tuple(int(number) for number in found.groups() if number)
    return date if 1970 <= date[0] <= 2100 and all(1 <= number for number in date[1:3]) else None


def suffix(path):
    return path.rsplit(".", 1)[-1].lower()


def files(folders):
    for top in folders:
        for folder, _, names in os.walk(top):
            for name in sorted(names):
                path = os.path.join(folder, name)
                wanted = suffix(path) in PICTURES + DOCUMENTS + FILMS + MAILS or SUITE.search(path)
                if wanted and os.path.isfile(path) and not os.path.islink(path):
                    yield path


def batches(items, size=200):
    for start in range(0, len(items), size):
        yield items[start:start + size]


def by_exiftool(paths):
    tags = {}
    for batch in batches(paths):
        text = run(["exiftool", "-j", "-G1", "-a", "-m", "-fast", "-time:all", "-Encryption"] + batch)
        for found in json.loads(text.decode("utf-8", "replace") or "[]", strict=False):
            tags[found["SourceFile"]] = found
    return tags


def by_pdfinfo(path):
    lines = run(["pdfinfo", "-isodates", path]).decode("utf-8", "replace").splitlines()
    values = dict(line.split(":", 1) for line in lines if ":" in line)
    return values.get("CreationDate"), "yes" in values.get("Encrypted", "no")


def by_ffprobe(path):
    text = run(["ffprobe", "-v", "quiet", "-of", "json", "-show_format", "-show_streams", path])
    found = json.loads(text or b"{}")
    tags = {}
    for part in found.get("streams", []) + [found.get("format", {})]:
        tags.update({name.lower(): value for name, value in part.get("tags", {}).items()})
    return [tags[name] for name in ("com.apple.quicktime.creationdate", "date", "creation_time") if name in tags]


def by_email(path):
    with open(path, "rb") as file:
        date = email.message_from_binary_file(file, policy=email.policy.compat32)["date"]
    found = date and email.utils.parsedate_tz(str(date))
    return found and "%04d-%02d-%02dT%02d:%02d:%02d" % found[:6]


def references(path, kind, tags):
    """The dates of one file by the references, the one that counts first, and what else decides."""
    found = {name: tags[name] for name in ORDER if parts(tags.get(name))}
    if kind == "com.adobe.pdf":
        date, isEncrypted = by_pdfinfo(path)
        if parts(date):
            found["pdfinfo"] = date
        if isEncrypted:
            tags["Encrypted"] = True
    elif suffix(path) in FILMS:
        for number, date in enumerate(by_ffprobe(path)):
            if parts(date):
                found["ffprobe %d" % number] = date
    elif "mail" in kind:
        date = by_email(path)
        if parts(date):
            found["email"] = date
    tags["found"] = found
    return found


def agrees(ours, reference):
    """The same as far as both go: a reference fills in what a document does not say."""
    shared = min(len(ours), len(reference))
    return ours[:shared] == reference[:shared]


def made(folder):
    """Files as programs and cameras write them."""
    film = ["ffmpeg", "-v", "quiet", "-f", "lavfi", "-i", "color=s=64x64:d=1", "-f", "lavfi", "-i", "sine=d=1"]
    sound = film[:3] + film[7:]
    moments = ["2019-07-14T12:34:56.000000Z", "2003-02-01T00:00:00.000000Z", "2024-12-31T23:59:59.000000Z"]
    for number, moment in enumerate(moments):
        for ending in ("mov", "mp4", "m4v", "3gp", "mkv", "webm"):
            size = ["-s", "176x144", "-ar", "8000", "-ac", "1"] if ending == "3gp" else []
            run(film + size + ["-shortest", "-metadata", "creation_time=" + moment, f"{folder}/{number}.{ending}"])
        run(film + ["-shortest", "-movflags", "use_metadata_tags", "-metadata",
                    "com.apple.quicktime.creationdate=" + moment[:19] + "+0200", f"{folder}/phone{number}.mov"])
        for ending in ("mp3", "flac", "ogg", "opus", "m4a"):
            for form in (moment[:4], moment[:10], moment[:16]):
                target = f"{folder}/{number}-{len(form)}.{ending}"
                codec = ["-c:a", "libopus"] if ending == "opus" else []
                run(sound + codec + ["-metadata", "date=" + form, target])
        for version in ("3", "4"):
            target = f"{folder}/{number}v{version}.mp3"
            run(sound + ["-id3v2_version", version, "-metadata", "date=" + moment[:10], target])
    for ending in ("jpg", "png", "tif", "webp"):
        plain = f"{folder}/plain.{ending}"
        run(["ffmpeg", "-v", "quiet", "-f", "lavfi", "-i", "color=s=64x64", "-frames:v", "1", plain])
        for number, tag in enumerate(
                ["DateTimeOriginal", "ExifIFD:CreateDate", "XMP-photoshop:DateCreated", "XMP-xmp:CreateDate"]):
            run(["exiftool", "-q", f"-{tag}=2011:03:04 05:06:07", "-o", f"{folder}/tag{number}.{ending}", plain])
    for number, date in enumerate(
            ["Fri, 1 Mar 2024 17:45:01 +0100", "1 Mar 2024 17:45 EST", "Fri, 01 Mar 24 17:45:01 GMT",
             "Fri Mar  1 17:45:01 2024", "Fri, 1 Mar 2024 17:45:01 +0100 (CET)", "Fri,1 Mar 2024 17:45:01 -0000",
             "1-Mar-2024 17:45:01", "Fri, 1 March 2024 17:45:01 +0530", "\n Fri, 1 Mar 2024\n 17:45:01 +0100"]):
        with open(f"{folder}/{number}.eml", "w", encoding="ascii") as file:
            file.write(f"From: a@example.org\nTo: b@example.org\nDate: {date}\nSubject: x\n\nText\n")


def compare(program, paths):
    kinds = {}
    for batch in batches(paths):
        for line in run([program, "type", "--json", "--properties"] + batch).splitlines():
            found = json.loads(line)
            kinds[found["path"]] = found
    missing = [path for path in paths if path not in kinds]
    tags = by_exiftool(paths)

    def one(path):
        return references(path, kinds[path]["type"], tags.setdefault(path, {})) if path in kinds else {}

    with ThreadPoolExecutor(4) as pool:
        found = dict(zip(paths, pool.map(one, paths)))
    agreeing, known, differing = 0, [], [f"{path}: inboxctl says nothing of it" for path in missing]
    for path in paths:
        if path in missing or not found[path]:
            continue
        ours = parts(kinds[path]["date"]) if kinds[path]["date"] else None
        # The first by the contract counts; of the programs that read their own formats alone, one is enough.
        first = next((name for name in found[path] if name in ORDER), None)
        values = [value for name, value in found[path].items() if name == first or name not in ORDER]
        if ours and any(agrees(ours, parts(value)) for value in values):
            agreeing += 1
            continue
        words = f"{path}: {kinds[path]['date']} ({kinds[path]['dateFrom']}), not {found[path]}"
        reason = next((reason for reason, holds in REASONS if holds(path, ours, tags[path])), None)
        (known if reason else differing).append(f"{words}: {reason}" if reason else words)
    return agreeing, known, differing


def main():
    os.environ["TZ"] = "UTC"
    os.environ["LC_ALL"] = "C.UTF-8"
    program, folders = sys.argv[1], sys.argv[2:]
    with tempfile.TemporaryDirectory() as folder:
        if not folders:
            made(folder)
            folders = ["/usr/share", "/usr/lib/python3.11/test", "/usr/local/lib", folder]
        agreeing, known, differing = compare(program, list(files(folders)))
    print("\n".join(known + differing))
    every = agreeing + len(differing)
    print(f"{agreeing} of {every} agree; {len(known)} differ for a reason of the contract")
    return 0 if every >= 300 and agreeing * 100 >= every * 99 else 1


if __name__ == "__main__":
    sys.exit(main())
