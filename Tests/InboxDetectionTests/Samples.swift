/// The shortest honest sample of a format, and what it must be called.
struct Sample: Sendable {
    /// A name with the format's usual extension.
    let name: String
    /// Nil where the format has none.
    let mime: String?
    /// The identifier; nil where the type is a dynamic one.
    let identifier: String?
    let bytes: [UInt8]
}

/// Samples written as `extension MIME-type|- identifier|- bytes`, the bytes as hexadecimal digits, `'text'` and `*count`
/// for that many zeros.
enum SampleText {
    static func samples(_ text: String) -> [Sample] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true).map(String.init)
            guard words.count == 4 else { return nil }
            let names = words[1...2].map { $0 == "-" ? nil : $0 }
            return Sample(name: "sample." + words[0], mime: names[0], identifier: names[1], bytes: bytes(words[3]))
        }
    }

    static func bytes(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            switch first {
            case UInt8(ascii: "'"):
                let end = rest.firstIndex(of: UInt8(ascii: "'")) ?? rest.endIndex
                bytes += rest[..<end]
                rest = rest[end...].dropFirst()
            case UInt8(ascii: "*"):
                let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
                bytes += [UInt8](repeating: 0, count: Int(String(decoding: digits, as: UTF8.self)) ?? 0)
                rest = rest.dropFirst(digits.count)
            case UInt8(ascii: " "): continue
            default:
                let pair = String(decoding: [first, rest.popFirst() ?? 0x30], as: UTF8.self)
                bytes.append(UInt8(pair, radix: 16) ?? 0)
            }
        }
        return bytes
    }

    static let pictures = """
        png image/png public.png 89'PNG'0D0A1A0A 0000000D'IHDR'00000001000000010802000000 907753DE
        apng image/apng public.png 89'PNG'0D0A1A0A 0000000D'IHDR'00000001000000010802000000907753DE 00000008'acTL'0000000100000000B42DE9A0
        jng image/x-jng - 8B'JNG'0D0A1A0A 00000010'JHDR'
        mng video/x-mng - 8A'MNG'0D0A1A0A 0000001C'MHDR'
        jpg image/jpeg public.jpeg FFD8FFE00010'JFIF'000101
        jpeg image/jpeg public.jpeg FFD8FFE11000'Exif'0000
        gif image/gif com.compuserve.gif 'GIF89a'01000100800000
        gif image/gif com.compuserve.gif 'GIF87a'01000100800000
        tif image/tiff public.tiff 'II'2A0008000000 0100 0001030001000000 01000000 00000000
        tiff image/tiff public.tiff 'MM'002A00000008 0001 0100000300000001 00010000 00000000
        cr2 image/x-canon-cr2 com.canon.cr2-raw-image 'II'2A0010000000'CR'0200
        crw image/x-canon-crw com.canon.crw-raw-image 'II'1A000000'HEAPCCDR'
        orf image/x-olympus-orf com.olympus.raw-image 'IIRO'08000000
        rw2 image/x-panasonic-rw2 com.panasonic.rw2-raw-image 'IIU'0018000000 *8
        raf image/x-fuji-raf com.fuji.raw-image 'FUJIFILMCCD-RAW 0201'
        mrw image/x-minolta-mrw com.konicaminolta.raw-image 00'MRM'00010000
        x3f image/x-sigma-x3f - 'FOVb'00020000
        webp image/webp org.webmproject.webp 'RIFF'1A000000'WEBPVP8L'
        jxl image/jxl public.jpeg-xl 0000000C'JXL '0D0A870A
        jp2 image/jp2 public.jpeg-2000 0000000C'jP  '0D0A870A 00000014'ftypjp2 '
        j2k image/x-jp2-codestream public.jpeg-2000 FF4FFF510029
        psd image/vnd.adobe.photoshop com.adobe.photoshop-image '8BPS'0001 *6
        psb application/x-photoshop-large com.adobe.photoshop-large-image '8BPS'0002 *6
        ico image/vnd.microsoft.icon com.microsoft.ico 000001000100 1010 00 00 0100 2000 68040000 16000000
        cur image/x-win-bitmap - 000002000100 1010 00 00 0000 0000 68040000 16000000
        bmp image/bmp com.microsoft.bmp 'BM'3A00000000000000 36000000 28000000 0100000001000000
        xcf image/x-xcf org.gimp.xcf 'gimp xcf v011'00
        djvu image/vnd.djvu com.lizardtech.djvu 'AT&TFORM'00000010'DJVUINFO'
        exr image/x-exr com.ilm.openexr-image 'v/1'0102000000
        hdr image/vnd.radiance public.radiance '#?RADIANCE'0A'FORMAT=32-bit_rle_rgbe'0A
        dds image/x-dds com.microsoft.dds 'DDS '7C000000 *8
        ktx image/ktx org.khronos.ktx AB'KTX 11'BB0D0A1A0A
        ktx2 image/ktx2 org.khronos.ktx2 AB'KTX 20'BB0D0A1A0A
        astc image/astc org.khronos.astc 13ABA15C040401
        icns image/x-icns com.apple.icns 'icns'00000010'TOC '
        pcx image/vnd.zbrush.pcx - 0A050108 0000 0000 0100 0100 *52 00 01 0200 *60
        tga image/x-tga com.truevision.tga-image 00000200 *8 0200 0200 18 20 0000FF 00FF00 FF0000 FFFFFF
        sgi image/x-sgi com.sgi.sgi-image 01DA 01 01 0003 0001 0001 0003
        ras image/x-sun-raster - 59A66A95 00000001 00000001
        xwd image/x-xwindowdump - 00000064 00000007 00000002 00000018
        wmf image/wmf - D7CDC69A 0000
        emf image/emf - 01000000 6C000000 *32 ' EMF' *4
        pct image/x-pict com.apple.pict *512 0000 0000000000100010 0011 02FF 0C00
        pbm image/x-portable-bitmap public.pbm 'P4 1 1'0A80
        pgm image/x-portable-graymap public.pbm 'P5 1 1 255'0A80
        ppm image/x-portable-pixmap public.pbm 'P6 1 1 255'0A808080
        xpm image/x-xpixmap - '/* XPM */'0A'static char *x[] = {'0A
        xbm image/x-xbitmap public.xbitmap-image '#define x_width 1'0A'#define x_height 1'0A
        fig image/x-xfig - '#FIG 3.2'0A
        ilbm image/x-ilbm - 'FORM'00000010'ILBMBMHD'
        fits image/fits - 'SIMPLE  =                    T'
        dwg image/vnd.dwg - 'AC1027'0000
        jxr image/jxr - 'II'BC0108000000
        bpg image/bpg - 'BPG'FB2000
        qoi image/x-qoi - 'qoif'0000000100000001
        heic image/heic public.heic 00000018'ftypheic'00000000'mif1heic'
        heif image/heif public.heif 00000014'ftypmif1'00000000'mif1'
        avif image/avif public.avif 00000018'ftypavif'00000000'mif1avif'
        cr3 image/x-canon-cr3 com.canon.cr3-raw-image 00000018'ftypcrx '00000001'crx isom'
        fli video/x-flic public.flc-animation 80000000 12AF 0100 1400 1400 0800
        miff image/x-miff - 'id=ImageMagick  version=1.0'0A
        dcx image/x-dcx - B168DE3A 04100000
        ntf application/vnd.nitf - 'NITF02.10'
        vic image/x-vicar - 'LBLSIZE=1024    FORMAT='
        p7 image/x-xv-thumbnail - 'P7 332'0A

        """

    static let media = """
        mp3 audio/mpeg public.mp3 'ID3'03000000000000 FFFB9064
        aac audio/aac public.aac-audio FFF15080 01 7FFC *4 FFF15080
        ac3 audio/ac3 public.ac3-audio 0B77 0000 14 40 2F84
        flac audio/flac org.xiph.flac 'fLaC'00000022
        wav audio/x-wav com.microsoft.waveform-audio 'RIFF'24000000'WAVEfmt '
        avi video/x-msvideo public.avi 'RIFF'24000000'AVI LIST'
        ani application/x-navi-animation - 'RIFF'24000000'ACONanih'
        sf2 audio/x-soundfont com.soundblaster.soundfont 'RIFF'24000000'sfbkLIST'
        aiff audio/x-aiff public.aiff-audio 'FORM'00000024'AIFFCOMM'
        aifc audio/x-aifc public.aifc-audio 'FORM'00000024'AIFCFVER'
        caf audio/x-caf com.apple.coreaudio-format 'caff'00010000'desc'
        au audio/basic public.au-audio '.snd'0000001800000000
        mid audio/midi public.midi-audio 'MThd'00000006000000010060
        amr audio/AMR org.3gpp.adaptive-multi-rate-audio '#!AMR'0A3C
        awb audio/AMR-WB org.3gpp.adaptive-multi-rate-audio '#!AMR-WB'0A44
        mp4 video/mp4 public.mpeg-4 00000014'ftypisom'00000200'isom'
        mp4 video/mp4 public.mpeg-4 00000014'ftypmp42'00000000'mp42'
        mov video/quicktime com.apple.quicktime-movie 00000014'ftypqt  '20050300'qt  '
        mov video/quicktime com.apple.quicktime-movie 00000008'wide'00000010'mdat'
        m4a audio/mp4 public.mpeg-4-audio 00000014'ftypM4A '00000000'M4A '
        m4b audio/x-m4b com.apple.protected-mpeg-4-audio-b 00000014'ftypM4B '00000000'M4A '
        m4v video/x-m4v com.apple.m4v-video 00000014'ftypM4V '00000000'M4V '
        3gp video/3gpp public.3gpp 00000014'ftyp3gp4'00000000'3gp4'
        3g2 video/3gpp2 public.3gpp2 00000014'ftyp3g2a'00000000'3g2a'
        mkv video/x-matroska org.matroska.mkv 1A45DFA3 8B 428288'matroska'
        webm video/webm org.webmproject.webm 1A45DFA3 87 428284'webm'
        mpg video/mpeg public.mpeg 000001BA 44000400
        mpg video/mpeg public.mpeg 000001B3 16012013
        flv video/x-flv com.adobe.flash.video 'FLV'01050000000900000000
        asf application/vnd.ms-asf com.microsoft.advanced-systems-format 3026B2758E66CF11A6D900AA0062CE6C *8
        rm application/vnd.rn-realmedia com.real.realmedia '.RMF'00000012
        ra audio/vnd.rn-realaudio com.real.realaudio '.ra'FD0003
        mxf application/mxf org.smpte.mxf 060E2B34020501010D01020101020400
        nsv video/x-nsv org.videolan.nsv 'NSVf'00000000
        ape audio/x-ape org.videolan.ape 'MAC 'A60F0000
        mpc audio/x-musepack org.videolan.mpc 'MPCKSH'00
        wv audio/x-wavpack org.videolan.wv 'wvpk'18000000
        tta audio/x-tta org.videolan.tta 'TTA1'01000200
        voc audio/x-voc org.videolan.voc 'Creative Voice File'1A1A00
        dsf audio/x-dsf - 'DSD '1C00000000000000
        dff audio/x-dff - 'FRM8' *8 'DSD '
        dtshd audio/vnd.dts.hd - 'DTSHDHDR' *8
        dts audio/vnd.dts org.videolan.dts 7FFE8001FC3C
        s3m audio/x-s3m org.videolan.s3m *28 1A10 *14 'SCRM'
        xm audio/x-xm org.videolan.xm 'Extended Module: '
        it audio/x-it org.videolan.it 'IMPM' *8
        mo3 audio/x-mo3 - 'MO3'05
        sid audio/prs.sid - 'PSID'0002007C
        swf application/vnd.adobe.flash.movie - 'FWS'0A20000000
        bik video/vnd.radgamettools.bink - 'BIKi'00000000
        smk video/vnd.radgamettools.smacker - 'SMK2'00000000
        ivf video/x-ivf - 'DKIF'00002000'VP80'
        y4m video/x-yuv4mpeg - 'YUV4MPEG2 W2 H2'0A
        adx audio/x-adx - 80000024 03120401 0000AC44 00001000
        sph audio/x-nist - 'NIST_1A'0A'   1024'0A
        sf audio/x-ircam - 64A30400 0000FA45 01000000 04000000
        nut video/x-nut - 'nut/multimedia container'00

        """

    static let files = """
        7z application/x-7z-compressed org.7-zip.7-zip-archive '7z'BCAF271C0004
        rar application/vnd.rar com.rarlab.rar-archive 'Rar!'1A0700
        rar application/vnd.rar com.rarlab.rar-archive 'Rar!'1A07010033
        gz application/gzip org.gnu.gnu-zip-archive 1F8B0800000000000003 03000000000000000000
        bz2 application/x-bzip public.bzip2-archive 'BZh9'314159265359
        xz application/x-xz org.tukaani.xz-archive FD'7zXZ'000004
        lzma application/x-lzma org.tukaani.lzma-archive 5D00008000 FFFFFFFFFFFFFFFF 0026
        zst application/zstd - 28B52FFD2000010000
        lz4 application/x-lz4 - 04224D1864
        lz application/x-lzip - 'LZIP'010C
        lzo application/x-lzop - 89'LZO'000D0A1A0A
        z application/x-compress public.z-archive 1F9D90
        sz application/x-snappy-framed - FF060000'sNaPpY'
        cab application/vnd.ms-cab-compressed com.microsoft.cab 'MSCF'00000000 *8
        deb application/vnd.debian.binary-package org.debian.deb-archive '!<arch>'0A'debian-binary   '
        rpm application/x-rpm com.redhat.rpm-archive EDABEEDB03000000
        cpio application/x-cpio public.cpio-archive '07070100000001000081A40000000000000000000000016553F10000000002000000000000000000000000000000000000000200000000a'00
        xar application/x-xar com.apple.xar-archive 'xar!'001C0001
        arj application/x-arj org.7-zip.arj-archive 60EA2900 221E0B01 00 10 02
        lzh application/x-lha org.7-zip.lha-archive 2000'-lh5-' *8
        ace application/x-ace - 00000000000000'**ACE**'
        zoo application/x-zoo - 'ZOO 2.10 Archive.'1A0000DCA7C4FD
        sit application/x-stuffit com.stuffit.archive.sit 'SIT!'000100000000'rLau'
        qcow2 application/x-qemu-disk - 'QFI'FB00000003
        vhdx application/x-vhdx-disk - 'vhdxfile'
        vmdk application/x-vmdk-disk - 'KDMV'01000000
        vdi application/x-vdi-disk - '<<< Oracle VM VirtualBox Disk Image >>>'0A *24 7F10DABE
        wim application/x-ms-wim - 'MSWIM'000000D0000000
        sqsh application/vnd.squashfs - 'hsqs'01000000
        torrent application/x-bittorrent org.bittorrent.torrent 'd8:announce3:udpe'
        par2 application/x-par2 - 'PAR2'00'PKT'
        crx application/x-chrome-extension org.chromium.extension 'Cr24'03000000
        pdf application/pdf com.adobe.pdf '%PDF-1.7'0A
        fdf application/fdf com.adobe.fdf '%FDF-1.2'0A
        ps application/postscript com.adobe.postscript '%!PS-Adobe-3.0'0A
        eps image/x-eps com.adobe.encapsulated-postscript '%!PS-Adobe-3.0 EPSF-3.0'0A
        rtf application/rtf public.rtf '{'5C'rtf1'5C'ansi}'
        chm application/vnd.ms-htmlhelp com.microsoft.chm-archive 'ITSF'0300000060000000
        hlp application/winhlp - 3F5F030000000000
        dvi application/x-dvi org.tug.tex.dvi F702018392C01C3B
        wpd application/vnd.wordperfect - FF'WPC'10000000 01 0A
        mdb application/vnd.ms-access - 00010000'Standard Jet DB'00
        one application/onenote - E4525C7B8CD8A74DAEB15378D02996D3
        tnef application/vnd.ms-tnef com.microsoft.outlook.dat 789F3E220100
        indd application/x-indesign com.adobe.indesign-document 0606EDF5D81D46E5BD31EFE7FE74B71D
        mobi application/x-mobipocket-ebook - 'Book' *56 'BOOKMOBI' *10 00
        class application/x-java com.sun.java-class CAFEBABE00000034
        wasm application/wasm - 00'asm'01000000
        dex application/x-dex - 'dex'0A'035'00
        pyc application/x-python-bytecode - A70D0D0A *12
        sqlite3 application/vnd.sqlite3 - 'SQLite format 3'00
        ttf font/ttf public.truetype-ttf-font 00010000000A0080
        otf font/otf public.opentype-font 'OTTO'000A0080
        ttc font/collection public.truetype-collection-font 'ttcf'00010000
        woff font/woff org.w3.woff 'wOFF'00010000
        woff2 font/woff2 org.w3.woff2 'wOF2'00010000
        pfb application/x-font-type1 com.adobe.postscript-font 8001100000 00'%!PS-AdobeFont-1.0'
        pcf application/x-font-pcf - 01'fcp'08000000
        bdf application/x-font-bdf - 'STARTFONT 2.1'0A
        icc application/vnd.iccprofile com.apple.colorsync-profile 0000020C *32 'acsp'
        h5 application/x-hdf - 89'HDF'0D0A1A0A
        nc application/x-netcdf - 'CDF'0100000000
        dcm application/dicom org.nema.dicom *128 'DICM'
        zsav application/x-spss-sav - '$FL2@(#) '
        parquet application/vnd.apache.parquet - 'PAR1'1504
        avro application/avro - 'Obj'0104
        pcap application/vnd.tcpdump.pcap - D4C3B2A102000400
        pcapng application/x-pcapng - 0A0D0D0A1C0000004D3C2B1A
        blend application/x-blender org.blenderfoundation.blender.file 'BLENDER-v300REND'48000000
        glb model/gltf-binary org.khronos.glb 'glTF'02000000
        usdc model/vnd.usd com.pixar.universal-scene-description 'PXR-USDC'
        ply model/x-ply public.polygon-file-format 'ply'0A'format ascii 1.0'0A
        fbx model/fbx - 'Kaydara FBX Binary  '00
        jks application/x-java-keystore - FEEDFEED00000002
        mo application/x-gettext-translation - DE12049500000000
        lnk application/x-ms-shortcut - 4C0000000114020000000000C000000000000046
        evtx application/x-ms-evtx - 'ElfFile'00
        nes application/x-nes-rom - 'NES'1A02010000
        dbf application/x-dbf - 03 7B0101 00000000 4100 0A00 *20 'NAME' *7 'C' *20
        o application/x-object public.object-code 7F'ELF'020101 *9 0100 3E00
        so application/x-sharedlib public.unix-executable 7F'ELF'020101 *9 0300 3E00 *44
        exe application/x-ms-dos-executable com.microsoft.windows-executable 'MZ'9000 0300 *54 40000000 'PE'0000 64860300 *14 2200
        dll application/vnd.microsoft.portable-executable com.microsoft.windows-dynamic-link-library 'MZ'9000 0300 *54 40000000 'PE'0000 64860300 *14 0221
        dylib application/x-mach-binary com.apple.mach-o-binary CFFAEDFE07000001
        dwarf application/x-mach-binary com.apple.mach-o-binary CAFEBABE00000002
        gb application/x-gameboy-rom - *260 CEED6666CC0D000B *60
        beam application/x-erlang-beam - 'FOR1'00000010'BEAM'
        ppu application/x-freepascal-unit - 'PPU207'0000000000
        cmo application/x-ocaml-object - 'Caml1999O031'
        rrd application/x-rrd - 'RRD'00'0003'00
        tdb application/x-tdb - 'TDB file'0A
        o application/x-object public.object-code CFFAEDFE07000001 03000000 01000000
        rz application/x-rzip - 'RZIP'0201
        zpaq application/x-zpaq - '7kSt'A031
        vcdiff application/x-vcdiff - D6C3C40000
        enc application/x-openssl-encrypted - 'Salted__'0102030405060708
        bundle application/x-git-bundle - '# v2 git bundle'0A
        warc application/warc - 'WARC/1.0'0D0A'WARC-Type: warcinfo'0D0A
        img application/x-raw-disk-image com.apple.disk-image-udif *1024 E2E1F5E0 *60
        img application/x-raw-disk-image com.apple.disk-image-udif *4086 'SWAPSPACE2'
        img application/x-raw-disk-image com.apple.disk-image-udif 851901E00C000000
        pak application/x-pak - 'PACK'0C000000 40000000
        p12 application/pkcs12 com.rsa.pkcs-12 3012 020103 300D 06092A864886F70D010701 3000
        cer application/pkix-cert public.x509-certificate 300A 3008 A003020102 020101

        """
}
