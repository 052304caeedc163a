extension FormatText {
    /// Archives, compressed streams, packages and disk images.
    static let archives: StaticString = """
        application/zip zip is:zip
          0:'PK'0304
          0:'PK'0506
          0:'PK'3030'PK'0304
          0:'PK'0708'PK'0304
        application/x-java-archive jar in:zip com.sun.java-archive
        application/x-java-ear ear in:zip under:public.zip-archive
        application/x-webarchive+zip war in:zip com.sun.web-application-archive
        application/vnd.android.package-archive apk in:zip
        application/x-xpinstall xpi in:zip
        application/x-chrome-extension crx
          0:'Cr24'
        application/x-itunes-ipa ipa in:zip com.apple.itunes.ipa
        application/vnd.apple.pkpass pkpass in:zip
        application/vnd.comicbook+zip cbz in:zip
        application/vnd.comicbook-rar cbr
        application/x-cb7 cb7
        application/x-cbt cbt
        application/x-7z-compressed 7z
          0:'7z'BCAF271C
        application/vnd.rar rar
          0:'Rar!'1A0700
          0:'Rar!'1A070100
        application/x-ace ace loose under:public.archive under:public.data
          7:'**ACE**'
        application/x-arj arj
          0:60EA????????????????02
          0:60EA????????????????00
        application/x-lha lzh loose
          2:'-lh0-'
          2:'-lh1-'
          2:'-lh4-'
          2:'-lh5-'
          2:'-lh6-'
          2:'-lh7-'
          2:'-lhd-'
          2:'-lzs-'
          2:'-lz4-'
          2:'-lz5-'
        application/x-zoo zoo under:public.archive under:public.data
          20:DCA7C4FD
        application/x-alz alz under:public.archive under:public.data
          0:'ALZ'01
        application/x-stuffit sit
          0:'SIT!' 10:'rLau'
          0:'StuffIt (c)'
        application/x-stuffitx sitx
          0:'StuffIt!'
          0:'StuffIt?'
        application/x-tar tar loose
        application/x-gtar gtar public.tar-archive
        application/gzip gz is:gzip
          0:1F8B08
        application/x-compressed-tar tar.gz in:gzip
        application/x-bzip bz2 is:bzip
          0:'BZh'??314159265359
          0:'BZh'??177245385090
        application/x-bzip-compressed-tar tar.bz2 in:bzip
        application/x-xz xz is:xz
          0:FD'7zXZ'00
        application/x-xz-compressed-tar tar.xz in:xz
        application/x-lzma lzma is:lzma loose
        application/x-lzma-compressed-tar tar.lzma in:lzma
        application/zstd zst is:zstd under:public.archive under:public.data
          0:28B52FFD
          0:22B52FFD
        application/x-zstd-compressed-tar tar.zst,tzst in:zstd under:public.archive under:public.data
        application/x-lz4 lz4 is:lz4 under:public.archive under:public.data
          0:04224D18
          0:02214C18
        application/x-lz4-compressed-tar tar.lz4,tlz4 in:lz4 under:public.archive under:public.data
        application/x-lzip lz is:lzip under:public.archive under:public.data
          0:'LZIP'
        application/x-lzip-compressed-tar tar.lz in:lzip under:public.archive under:public.data
        application/x-lzop lzo under:public.archive under:public.data
          0:89'LZO'000D0A1A0A
        application/x-tzo tar.lzo,tzo under:public.archive under:public.data
        application/x-lrzip lrz under:public.archive under:public.data
          0:'LRZI'
        application/x-lrzip-compressed-tar tar.lrz under:public.archive under:public.data
        application/x-compress z is:compress
          0:1F9D
        application/x-tarz tar.z in:compress
        application/zlib zz loose
        application/x-brotli br loose vague under:public.archive under:public.data
        application/x-snappy-framed sz
          0:FF060000'sNaPpY'
        application/vnd.ms-cab-compressed cab
          0:'MSCF'00000000
        application/x-installshield cab
          0:'ISc('
        application/vnd.debian.binary-package deb sub:application/x-archive
          0:'!<arch>'0A'debian'
        application/x-archive a,ar under:public.archive under:public.data
          0:'!<arch>'0A
          0:'!<thin>'0A
        application/x-rpm rpm
          0:EDABEEDB
        application/x-source-rpm src.rpm sub:application/x-rpm com.redhat.rpm-archive
          0:EDABEEDB????0001
        application/x-cpio cpio loose
          0:'070701'
          0:'070702'
          0:'070707'
          0:C771
          0:71C7
        application/x-xar xar
          0:'xar!'
        application/x-shar shar text
        application/mac-binhex40 hqx text
        application/x-applesingle as
          0:00051600
        multipart/appledouble dbl
          0:00051607
        application/x-macbinary bin loose vague
        application/x-cd-image iso
        application/x-udf-image udf public.iso-image
        application/x-apple-diskimage dmg is:disk
        application/x-raw-disk-image img,raw,dsk,hfs loose is:disk vague
        application/x-qemu-disk qcow2
          0:'QFI'FB
        application/x-qed-disk qed
          0:'QED'00
        application/x-vhd-disk vhd
          0:'conectix'
        application/x-vhdx-disk vhdx
          0:'vhdxfile'
        application/x-vmdk-disk vmdk
          0:'KDMV'
          0:'COWD'
          0:'# Disk DescriptorFile'
        application/x-vdi-disk vdi
          64:7F10DABE
        application/x-ms-wim wim,swm,esd under:public.archive under:public.data
          0:'MSWIM'000000
        application/vnd.squashfs sqsh,sfs,squashfs,snap under:public.archive under:public.data
          0:'hsqs'
          0:'sqsh'
        application/vnd.snap snap sub:application/vnd.squashfs under:public.archive under:public.data
        application/vnd.flatpak flatpak under:public.archive under:public.data
          0:'xdg-app'0001008900E5
          0:'flatpak'0001008900E5
        application/x-compressed-iso cso
          0:'CISO'
        application/x-par2 par2
          0:'PAR2'00'PKT'
        application/x-partial-download part loose vague
        application/x-pak pak
          0:'PACK'
        application/x-doom-wad wad
          0:'IWAD'
          0:'PWAD'
        application/x-asar asar loose
        application/x-nuget nupkg in:zip under:public.archive under:public.data
        application/x-python-egg egg in:zip org.python.python-egg
        application/x-wheel+zip whl in:zip
        application/x-ipsw ipsw in:zip com.apple.itunes.ipsw
        application/x-sketch sketch in:zip com.bohemiancoding.sketch.drawing
        application/x-dar dar
          0:0000007B
        application/x-lzfse lzfse
          0:'bvx2'
          0:'bvxn'
          0:'bvx-'
        application/x-apple-archive aar com.apple.archive
          0:'AA01'
          0:'YAA1'
        application/x-apple-encrypted-archive aea com.apple.encrypted-archive
          0:'AEA1'
        application/x-bittorrent torrent
          0:'d8:announce'
          0:'d13:announce-list'
          0:'d7:comment'
          0:'d10:created by'
          0:'d13:creation date'
          0:'d4:infod'
        application/x-mame-chd chd
          0:'MComprHD'
        application/x-openzim zim
          0:'ZIM'04
        application/x-java-pack200 pack
          0:CAFED00D
        application/warc warc text
        application/x-internet-archive arc text
        application/x-bsdiff bsdiff
          0:'BSDIFF40'
          0:'BSDIFN40'
        application/x-ips-patch ips
          0:'PATCH'
        application/x-bps-patch bps
          0:'BPS1'
        application/x-unix-dump -
          24:6CEA0000
          24:0000EA6C
        application/x-iso9660-appimage appimage
          8:'AI'01
        application/vnd.appimage appimage
          8:'AI'02
        application/x-git-pack pack
          0:'PACK'00000002
        application/x-zip-compressed-fb2 fb2.zip in:zip

        """
}
