/// Samples of text formats.
enum TextSamples {
    static let all: [Sample] = markup + data + others

    private static func sample(_ tag: String, _ mime: String, _ identifier: String?, _ text: String) -> Sample {
        Sample(name: "sample." + tag, mime: mime, identifier: identifier, bytes: Array(text.utf8))
    }

    private static let xml = "<?xml version=\"1.0\"?>\n"

    static let markup: [Sample] = [
        sample("html", "text/html", "public.html", "<!DOCTYPE html><title>x</title>"),
        sample("htm", "text/html", "public.html", "<html><body>x</body></html>"),
        sample(
            "xhtml", "application/xhtml+xml", "public.xhtml", xml + "<html xmlns=\"http://www.w3.org/1999/xhtml\"/>"),
        sample("xml", "application/xml", "public.xml", xml + "<a/>"),
        sample("svg", "image/svg+xml", "public.svg-image", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
        sample("svg", "image/svg+xml", "public.svg-image", xml + "<!-- x --><svg/>"),
        sample("rss", "application/rss+xml", "public.rss", xml + "<rss version=\"2.0\"/>"),
        sample("atom", "application/atom+xml", nil, xml + "<feed xmlns=\"http://www.w3.org/2005/Atom\"/>"),
        sample("gpx", "application/gpx+xml", "com.topografix.gpx", xml + "<gpx version=\"1.1\"/>"),
        sample(
            "kml", "application/vnd.google-earth.kml+xml", "com.google.earth.kml",
            xml + "<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>"),
        sample(
            "plist", "application/x-plist", "com.apple.xml-property-list",
            xml + "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"x\">\n<plist version=\"1.0\"/>"),
        sample("opml", "text/x-opml+xml", "org.opml.opml", xml + "<opml version=\"2.0\"/>"),
        sample(
            "xsl", "application/xslt+xml", nil,
            xml + "<xsl:stylesheet xmlns:xsl=\"http://www.w3.org/1999/XSL/Transform\"/>"),
        sample(
            "rdf", "application/rdf+xml", "com.seriflabs.xmp",
            xml + "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/>"),
        sample("fb2", "application/x-fictionbook+xml", nil, xml + "<FictionBook/>"),
        sample("xspf", "application/xspf+xml", nil, xml + "<playlist xmlns=\"http://xspf.org/ns/0/\"/>"),
        sample("dae", "model/vnd.collada+xml", "org.khronos.collada.digital-asset-exchange", xml + "<COLLADA/>"),
        sample("mml", "application/mathml+xml", nil, xml + "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"/>"),
        sample(
            "fodt", "application/vnd.oasis.opendocument.text-flat-xml", nil,
            xml
                + "<office:document xmlns:office=\"urn:x\" office:mimetype=\"application/vnd.oasis.opendocument.text\"/>"
        ),
        sample("php", "application/x-php", "public.php-script", "<?php echo 1;\n"),
    ]

    static let data: [Sample] = [
        sample("json", "application/json", "public.json", "{\"a\": [1, true, null]}"),
        sample("geojson", "application/geo+json", "public.geojson", "{\"type\": \"Point\", \"coordinates\": [1, 2]}"),
        sample("ipynb", "application/x-ipynb+json", nil, "{\"cells\": [], \"nbformat\": 4}"),
        sample("jsonld", "application/ld+json", nil, "{\"@context\": \"https://schema.org\"}"),
        sample("gltf", "model/gltf+json", "org.khronos.gltf", "{\"asset\": {\"version\": \"2.0\"}, \"scenes\": []}"),
        sample("ndjson", "application/x-ndjson", "public.ndjson", "{\"a\": 1}\n{\"a\": 2}\n"),
        sample("csv", "text/csv", "public.comma-separated-values-text", "a,b,c\n1,2,3\n4,5,6\n"),
        sample("tsv", "text/tab-separated-values", "public.tab-separated-values-text", "a\tb\tc\n1\t2\t3\n4\t5\t6\n"),
        sample("vcf", "text/vcard", "public.vcard", "BEGIN:VCARD\r\nVERSION:4.0\r\nEND:VCARD\r\n"),
        sample("ics", "text/calendar", "com.apple.ical.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"),
        sample("vcs", "text/x-vcalendar", "com.apple.ical.vcs", "BEGIN:VCALENDAR\r\nVERSION:1.0\r\nEND:VCALENDAR\r\n"),
        sample(
            "eml", "message/rfc822", "com.apple.mail.email",
            "From: a@example.com\r\nTo: b@example.com\r\nSubject: x\r\n\r\nx\r\n"),
        sample(
            "mbox", "application/mbox", "com.c-command.mbox",
            "From a Mon Jan 1 00:00:00 2024\nSubject: x\n\nx\n\nFrom b Mon Jan 1 00:00:00 2024\nSubject: y\n\ny\n"),
        sample("ldif", "text/x-ldif", nil, "dn: cn=x\ncn: x\n"),
        sample("yaml", "application/x-yaml", "public.yaml", "%YAML 1.2\n---\na: 1\n"),
    ]

    static let others: [Sample] = [
        sample("sh", "application/x-shellscript", "public.shell-script", "#!/bin/sh\necho x\n"),
        sample("py", "text/x-python3", "public.python-script", "#!/usr/bin/env python3\nprint(1)\n"),
        sample("pl", "application/x-perl", "public.perl-script", "#!/usr/bin/perl -w\nprint 1;\n"),
        sample("rb", "application/x-ruby", "public.ruby-script", "#!/usr/bin/env ruby\nputs 1\n"),
        sample("js", "application/javascript", "com.netscape.javascript-source", "#!/usr/bin/env node\nvar a;\n"),
        sample("patch", "text/x-patch", "public.patch-file", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"),
        sample("diff", "text/x-patch", "public.patch-file", "diff --git a/x b/x\n"),
        sample("pem", "application/pkix-cert", "public.x509-certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n"),
        sample("asc", "application/pgp-keys", nil, "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ\n"),
        sample("sig", "application/pgp-signature", nil, "-----BEGIN PGP SIGNATURE-----\n\niQ\n"),
        sample("srt", "application/x-subrip", nil, "1\n00:00:01,000 --> 00:00:02,000\nx\n"),
        sample("vtt", "text/vtt", "org.w3.webvtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nx\n"),
        sample("ssa", "text/x-ssa", nil, "[Script Info]\nTitle: x\n"),
        sample("m3u", "audio/x-mpegurl", "public.m3u-playlist", "#EXTM3U\n#EXTINF:1,x\nx.mp3\n"),
        sample("m3u8", "application/vnd.apple.mpegurl", "public.m3u-playlist", "#EXTM3U\n#EXT-X-VERSION:3\n"),
        sample("pls", "audio/x-scpls", "public.pls-playlist", "[playlist]\nFile1=x\n"),
        sample("desktop", "application/x-desktop", nil, "[Desktop Entry]\nType=Link\n"),
        sample("url", "application/x-mswinurl", "com.microsoft.internet-shortcut", "[InternetShortcut]\r\nURL=x\r\n"),
        sample("service", "text/x-systemd-unit", nil, "[Unit]\nDescription=x\n"),
        sample("reg", "text/x-ms-regedit", nil, "Windows Registry Editor Version 5.00\r\n"),
        sample("tex", "text/x-tex", "org.tug.tex", "\\documentclass{article}\n"),
        sample("ps", "application/postscript", "com.adobe.postscript", "%!PS\n"),
        sample("wrl", "model/vrml", nil, "#VRML V2.0 utf8\n"),
        sample("usda", "model/vnd.usda", "com.pixar.universal-scene-description-utf8", "#usda 1.0\n"),
        sample("pgn", "application/vnd.chess-pgn", "com.apple.chess.pgn", "[Event \"x\"]\n"),
        sample("po", "text/x-gettext-translation", nil, "msgid \"\"\nmsgstr \"\"\n"),
        sample("slk", "text/spreadsheet", "com.microsoft.excel.slk", "ID;PWXL;N;E\n"),
        sample("ged", "application/x-gedcom", nil, "0 HEAD\n1 SOUR x\n"),
        sample("txt", "text/plain", "public.plain-text", "Just words, and nothing more.\n"),
        sample("txt", "text/plain", "public.plain-text", "Größe: fünf Grüße\n"),
        Sample(
            name: "sample.txt", mime: "text/plain", identifier: "public.plain-text",
            bytes: SampleText.bytes("FFFE 4700 7200 FC00 DF00 6500")),
        Sample(
            name: "sample.txt", mime: "text/plain", identifier: "public.plain-text",
            bytes: SampleText.bytes("0000FEFF 00000047 00000072 000000FC 000000DF")),
        Sample(
            name: "sample.txt", mime: "text/plain", identifier: "public.plain-text",
            bytes: SampleText.bytes("'Gr'FCDF'e aus dem Norden'0A")),
    ]
}
