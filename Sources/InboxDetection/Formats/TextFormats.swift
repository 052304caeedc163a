extension FormatText {
    /// Formats that are text: none of them must begin with anything.
    static let texts: StaticString = """
        text/plain txt public.plain-text text
        text/html html public.html text in:xhtml
        application/xhtml+xml xhtml text is:xhtml
        application/xml xml public.xml text is:xml
        application/xfdf xfdf com.adobe.xfdf text in:xml
        application/xml-dtd dtd text in:xml
        application/xml-external-parsed-entity ent text in:xml
        application/xslt+xml xsl text
        application/rss+xml rss text
        application/atom+xml atom text
        application/rdf+xml rdf text
        application/owl+xml owl text
        application/gpx+xml gpx com.topografix.gpx text
        application/vnd.google-earth.kml+xml kml text
        application/gml+xml gml text
        application/mathml+xml mml text
        application/smil+xml smil text
        application/xliff+xml xliff text
        application/x-docbook+xml docbook text
        application/x-xbel xbel text
        application/vnd.mozilla.xul+xml xul text
        application/metalink+xml metalink text
        application/metalink4+xml meta4 text
        application/x-nzb nzb text
        text/x-opml+xml opml text
        application/x-gtk-builder ui text
        application/x-designer ui text
        text/vnd.trolltech.linguist ts text in:xml
        application/x-dia-shape shape text
        application/vnd.oasis.opendocument.text-flat-xml fodt text
        application/vnd.oasis.opendocument.spreadsheet-flat-xml fods text
        application/vnd.oasis.opendocument.presentation-flat-xml fodp text
        application/vnd.oasis.opendocument.graphics-flat-xml fodg text
        application/x-apple-systemprofiler+xml spx text
        application/x-plist plist com.apple.xml-property-list text is:plist sub:application/xml
        text/x-maven+xml pom text
        application/sparql-results+xml srx text
        application/x-java-jnlp-file jnlp text
        text/vnd.wap.wml wml text
        text/x-xslfo fo text
        text/x-xmi xmi text
        application/ttml+xml ttml text
        application/wsdl+xml wsdl text
        application/vnd.recordare.musicxml+xml musicxml text
        application/ovf ova
        application/x-kexi-connectiondata kexic text
        application/x-mozilla-bookmarks html text sub:text/html
        audio/x-amzxml amz text
        text/x-mrml mrml text
        application/pkcs8-encrypted p8e,p8,key text
        text/x-r r text under:public.source-code
        application/json json text is:json
        application/geo+json geojson text
        application/ld+json jsonld text
        application/schema+json json text
        application/json-patch+json json-patch text
        application/jrd+json jrd text
        application/x-ipynb+json ipynb text
        application/x-ndjson ndjson public.ndjson text sub:application/json
        application/feed+json json text
        application/manifest+json webmanifest text
        application/har+json har text
        application/x-yaml yaml public.yaml text
        application/toml toml text
        text/csv csv text
        text/tab-separated-values tsv text
        text/markdown md text
        message/rfc822 eml text
        application/mbox mbox text sub:message/rfc822
        text/vcard vcf text
        text/calendar ics text
        text/x-vcalendar vcs text sub:text/calendar
        text/x-patch patch public.patch-file text
        text/x-ldif ldif text
        text/vtt vtt text
          0:'WEBVTT'
        application/x-subrip srt text
        text/x-ssa ssa text
        text/x-microdvd sub text
        text/x-mpl2 mpl text
        text/x-mpsub sub text
        text/x-subviewer sub text
        application/x-sami smi text
        application/x-shellscript sh text public.shell-script
        application/x-csh csh text
        application/x-perl pl text
        text/x-python py text
        text/x-python3 py text sub:text/x-python
        application/x-ruby rb text
        application/x-php php text
        application/x-awk awk text
        application/javascript js text com.netscape.javascript-source
        text/javascript js text com.netscape.javascript-source
        text/x-lua lua text under:public.source-code
        text/x-tcl tcl text under:public.source-code
        text/tcl tcl text
        text/x-csrc c text
        text/x-chdr h text
        text/x-c++src cpp text
        text/x-objcsrc m text
        text/x-objc++src mm text
        text/x-java java text
        text/x-go go text under:public.source-code
        text/rust rs text under:public.source-code
        text/css css text
        text/x-sass sass text
        text/x-scss scss text
        text/x-makefile mak text
        text/x-tex tex text
        text/x-bibtex bib text
        text/troff tr text
        application/x-troff-man man text
        text/x-lilypond ly text
        text/x-erlang erl,hrl text under:public.source-code
        text/x-haskell hs text under:public.source-code
        text/x-scheme scm text under:public.source-code
        text/x-common-lisp lisp text under:public.source-code
        text/x-qml qml text
        text/x-modelica mo text
        text/x-matlab m text under:public.source-code
        text/x-groovy groovy,gradle text under:public.source-code
        text/x-scala scala,sc text under:public.source-code
        text/x-kotlin kt,kts text under:public.source-code
        text/x-dart dart text under:public.source-code
        text/x-vala vala text under:public.source-code
        text/x-csharp cs text under:public.source-code
        text/x-dsrc d text under:public.source-code
        text/x-verilog v text under:public.source-code
        text/x-svsrc sv text
        text/x-svhdr svh text
        text/x-fortran f text
        text/x-pascal pas text
        text/x-ocaml ml,mli text under:public.source-code
        text/x-crystal cr text
        text/x-zig zig text under:public.source-code
        text/x-nix nix text under:public.source-code
        text/x-ooc ooc text
        text/x-gherkin feature text
        text/x-sagemath sage text
        application/vnd.coffeescript coffee text under:public.source-code
        text/vbscript vbs text under:public.source-code
        text/x-rst rst text
        text/org org text
        text/turtle ttl text
        application/trig trig text
        application/sparql-query rq text
        application/sql sql text
        text/vnd.graphviz gv,dot text
        text/x-cmake cmake text under:public.source-code
        text/x-meson meson text
        text/x-gettext-translation po text
        text/x-gettext-translation-template pot text
        text/x-rpm-spec spec text
        text/x-uuencode uu text
        text/sgml sgml text
        text/x-systemd-unit service text
        text/x-dbus-service service text
        application/x-desktop desktop text
        application/x-mswinurl url text
        text/x-ms-regedit reg text
        text/cache-manifest manifest text
        text/x-iMelody ime text
        text/x-iptables iptables text
        application/vnd.flatpak.ref flatpakref text
        application/vnd.flatpak.repo flatpakrepo text
        application/vnd.chess-pgn pgn text
        application/sdp sdp text
        application/x-cue cue text
        application/x-cdrdao-toc toc text
        application/x-ica ica text
        application/x-gedcom ged text
        application/x-godot-project godot text
        application/x-godot-scene tscn text
        application/x-godot-resource tres text
        application/x-godot-shader gdshader text
        application/x-gdscript gd text
        application/x-mif mif text
        text/spreadsheet slk text
        text/x-uri uri text
        text/richtext rtx text
        text/enriched rtx text
        text/x-log log text
        application/pem-certificate-chain pem public.x509-certificate text
        application/x-mimearchive mhtml text sub:message/rfc822
        multipart/related mht com.microsoft.word.mhtml text
        text/x-ssh-public-key pub text
        text/x-setext etx text
        text/x-opencl-src cl text
        text/x-mof mof text
        text/x-genie gs text
        text/x-twig twig text
        text/csv-schema csvs text
        application/raml+yaml raml text
        text/x-kaitai-struct ksy text
        application/x-cisco-vpn-settings pcf text
        text/x-typescript ts,mts,cts,tsx com.microsoft.typescript text
        text/x-go-mod mod text
        text/vnd.abc abc text
        application/x-endnote-refer enw text
        text/x-dif dif text
        application/x-bat bat,cmd text under:public.source-code
        text/x-vb vb,bas,frm,cls,vba text under:public.source-code
        text/x-elixir ex,exs text under:public.source-code
        text/x-clojure clj,cljs,cljc,edn text under:public.source-code
        text/x-julia jl text under:public.source-code
        text/x-fsharp fs,fsx,fsi text under:public.source-code
        application/x-powershell ps1,psm1,psd1 text under:public.source-code
        text/x-prolog pl,pro,prolog text under:public.source-code
        text/x-emacs-lisp el text
        text/x-asm s,asm text
        text/x-vhdl vhd,vhdl text under:public.source-code
        text/x-vim vim text under:public.source-code
        text/x-dockerfile - text under:public.source-code
        text/x-protobuf proto text
        text/x-adasrc adb text
        text/x-plantuml puml,plantuml text
        chemical/x-pdb pdb,ent text
        application/x-intel-hex hex,bin text
        application/vnd.ant.fit fit loose vague
          8:'.FIT'
        text/x-swift swift public.swift-source text
        application/x-fluid fl text
        application/x-quicktime-media-link qtl text
        text/x-gcode-gx gx
        text/x.gcode gcode text

        """
}
