extension FormatText {
    /// Programs, databases, fonts, models and what science and machines write.
    static let programs: StaticString = """
        application/x-executable - public.unix-executable
          0:7F'ELF'??01 16:0200
          0:7F'ELF'??02 16:0002
        application/x-sharedlib so public.unix-executable
          0:7F'ELF'??01 16:0300
          0:7F'ELF'??02 16:0003
        application/x-object o public.object-code
          0:7F'ELF'??01 16:0100
          0:7F'ELF'??02 16:0001
        application/x-core core loose
          0:7F'ELF'??01 16:0400
          0:7F'ELF'??02 16:0004
        application/x-mach-binary - com.apple.mach-o-binary
          0:CEFAEDFE
          0:CFFAEDFE
          0:FEEDFACE
          0:FEEDFACF
        application/x-ms-dos-executable exe com.microsoft.windows-executable
        application/vnd.microsoft.portable-executable dll com.microsoft.windows-dynamic-link-library sub:application/x-ms-dos-executable
        application/x-java-jmod jmod
          0:'JM'0100
        application/x-java class com.sun.java-class
        application/wasm wasm
          0:00'asm'01000000
          0:00'asm'0D000100
        application/x-llvm bc
          0:'BC'C0DE
        application/x-dex dex
          0:'dex'0A
        application/x-lua-bytecode luac
          0:1B'Lua'
        application/x-python-bytecode pyc loose
        application/vnd.sqlite3 sqlite3 is:sqlite
          0:'SQLite format 3'00
        application/x-sqlite2 sqlite2
          0:'** This file contains an SQLite 2'
        application/x-gdbm gdbm
          0:CE9A5713
          0:CD9A5713
          0:13579ACE
        application/x-berkeley-db - loose
          12:00053162
          12:62310500
          12:00061561
          12:61150600
        application/x-dbf dbf loose
        font/ttf ttf
        font/otf otf
          0:'OTTO'00
        font/collection ttc
          0:'ttcf'00
        font/woff woff
          0:'wOFF'
        font/woff2 woff2
          0:'wOF2'
        application/vnd.ms-fontobject eot loose
          34:'LP'
        application/x-font-type1 pfb com.adobe.postscript-font
          0:'%!PS-AdobeFont-1.'
          0:'%!FontType1'
          0:8001????????'%!PS-AdobeFont-1.'
          0:8001????????'%!FontType1'
        application/x-font-pcf pcf
          0:01'fcp'
        application/x-font-bdf bdf text
          0:'STARTFONT '
        application/x-font-afm afm text
          0:'StartFontMetrics'
        application/x-font-linux-psf psf
          0:3604
          0:72B54A86
        application/x-font-speedo spd
          0:'D1.0'0D
        application/x-font-ttx ttx text
        application/vnd.iccprofile icc
          36:'acsp'
        application/x-hdf h5 is:hdf
          0:89'HDF'0D0A1A0A
          0:0E031301
        application/x-netcdf nc in:hdf
          0:'CDF'01
          0:'CDF'02
          0:'CDF'05
        application/x-grib grib,grb,grib2,grb2
          0:'GRIB'??????01
          0:'GRIB'??????02
        application/vnd.shp shp
          0:0000270A 28:E8030000 100:00000001
        application/vnd.shx shx
          0:0000270A 28:E8030000 100:00000032
        application/x-mysql-table-definition frm
          0:FE0107
          0:FE0108
          0:FE0109
          0:FE010A
        application/x-mysql-misam-index myi
          0:FEFE07
          0:FEFE03
        model/e57 e57
          0:'ASTM-E57'
        application/cbor cbor loose
        application/dicom dcm loose
          128:'DICM'
        application/fits fits
        application/x-matlab-data mat loose in:hdf
          0:'MATLAB 5.0 MAT-file'
          0:'MATLAB 7.3 MAT-file'
        application/x-spss-sav sav loose
          0:'$FL2@(#)'
          0:'$FL3@(#)'
        application/x-stata-dta dta loose
          0:'<stata_dta>'
        application/x-sas-data sas7bdat
          0:000000000000000000000000C2EA8160
        application/vnd.apache.parquet parquet
          0:'PAR1'
        application/vnd.apache.arrow.file arrow
          0:'ARROW1'0000
        application/x-orc orc
          0:'ORC'
        application/avro avro
          0:'Obj'01
        application/vnd.tcpdump.pcap pcap
          0:D4C3B2A1
          0:A1B2C3D4
          0:4D3CB2A1
          0:A1B23C4D
        application/x-pcapng pcapng
          0:0A0D0D0A????????4D3C2B1A
          0:0A0D0D0A????????1A2B3C4D
        application/x-blender blend
          0:'BLENDER'
        model/gltf-binary glb
          0:'glTF'
        model/gltf+json gltf text
        model/stl stl loose either
        model/obj obj text
        model/mtl mtl text under:public.3d-content under:public.text
        model/vrml wrl text under:public.3d-content under:public.data
          0:'#VRML '
          0:'#X3D '
        model/iges igs,iges text loose under:public.3d-content under:public.data
        model/vnd.usd usdc com.pixar.universal-scene-description
          0:'PXR-USDC'
        model/vnd.usda usda text
          0:'#usda '
        model/x-ply ply public.polygon-file-format loose either
          0:'ply'0A
          0:'ply'0D
        model/vnd.collada+xml dae text
        application/x-alembic abc public.alembic
          0:'Ogawa'
        model/x3d+xml x3d text in:xml under:public.3d-content under:public.xml
        application/vnd.sketchup.skp skp loose vague under:public.3d-content under:public.data
          0:FFFEFF0E'S'00'k'00'e'00't'00'c'00'h'00'U'00'p'00
        model/fbx fbx under:public.3d-content under:public.data
          0:'Kaydara FBX Binary  '00
        image/x-lwo lwo in:iff
          0:'FORM'????????'LWOB'
          0:'FORM'????????'LWO2'
        application/pkix-cert cer text public.x509-certificate
        application/x-x509-ca-cert crt text sub:application/pkix-cert
        application/pkcs12 p12 loose either
        application/pkcs10 p10 text
          0:'-----BEGIN CERTIFICATE REQUEST-----'
          0:'-----BEGIN NEW CERTIFICATE REQUEST-----'
        application/pkcs7-mime p7m loose either
        application/pkcs7-signature p7s loose either sub:application/pkcs7-mime
        application/x-pkcs7-certificates p7b loose either sub:application/pkcs7-mime
        application/pkcs8 p8,key loose either
        application/pkix-crl crl loose either
        application/x-der-key der,key loose either
        application/x-pem-key pem,key,pub text
        application/x-java-keystore jks
          0:FEEDFEED
        application/x-java-jce-keystore jceks
          0:CECECECE
        application/pgp-keys asc,gpg,pgp,key,pub loose either
        application/pgp-encrypted asc,gpg,pgp loose either
        application/pgp-signature sig,asc,gpg,pgp loose either
        application/x-gettext-translation mo
          0:DE120495
          0:950412DE
        application/x-terminfo - loose
          0:1A01
        application/x-timezone -
          0:'TZif'
        application/x-magic-database mgc
          0:1C041EF1
        application/x-bplist plist is:plist com.apple.binary-property-list
          0:'bplist'
        application/x-apple-bookmark - com.apple.bookmark
          0:'book'00000000'mark'00000000
        application/x-bom bom com.apple.bom-archive
          0:'BOMStore'
        application/x-ds-store ds_store
          0:00000001'Bud1'
        application/x-ms-shortcut lnk
          0:4C0000000114020000000000C000000000000046
        application/x-ms-registry-hive hiv,hve,dat
          0:'regf'
        application/x-ms-evtx evtx
          0:'ElfFile'00
        application/x-minidump dmp
          0:'MDMP'93A7
        application/x-journal journal
          0:'LPKSHHRH'
        application/x-swap swp
          0:'b0VIM '
        application/x-nes-rom nes
          0:'NES'1A
        application/x-fds-disk fds
          0:'FDS'1A
          0:01'*NINTENDO-HVC*'
        application/x-n64-rom n64
          0:80371240
          0:37804012
          0:40123780
        application/x-gameboy-rom gb loose
          260:CEED6666CC0D000B
        application/x-gameboy-color-rom gbc loose
          260:CEED6666CC0D000B 323:80
          260:CEED6666CC0D000B 323:C0
        application/x-genesis-rom gen loose
          256:'SEGA GENESIS'
          256:'SEGA MEGA DRIVE'
          256:'SEGA_MEGA_DRIVE'
        application/x-genesis-32x-rom 32x loose
          256:'SEGA 32X'
        application/x-sega-pico-rom - loose
          256:'SEGA PICO'
        application/x-saturn-rom - loose
          0:'SEGA SEGASATURN'
          16:'SEGA SEGASATURN'
        application/x-sega-cd-rom - loose
          0:'SEGADISCSYSTEM' 256:'SEGA'
          0:'SEGADISCSYSTEM'
          16:'SEGADISCSYSTEM' 272:'SEGA'
          16:'SEGADISCSYSTEM'
        application/x-dreamcast-rom iso loose
          0:'SEGA SEGAKATANA'
          16:'SEGA SEGAKATANA'
        application/x-atari-7800-rom a78 loose
          1:'ATARI7800'
        application/x-atari-lynx-rom lnx loose
          0:'LYNX'00
        application/x-neo-geo-pocket-rom ngp loose
          0:'COPYRIGHT BY SNK CORPORATION'
          0:' LICENSED BY SNK CORPORATION'
        application/x-neo-geo-pocket-color-rom ngc loose
          0:'COPYRIGHT BY SNK CORPORATION' 35:10
          0:' LICENSED BY SNK CORPORATION' 35:10
        application/x-amiga-disk-format adf loose
          0:'DOS'00
          0:'DOS'01
        application/x-qpress qp
          0:'qpress10'
        application/x-gba-rom gba loose
          4:24FFAE51699AA221
        application/x-nintendo-3ds-rom 3ds loose
          256:'NCSD'
          256:'NCCH'
        application/x-elc elc
          0:';ELC'
        application/x-glade glade text
        application/x-ms-compress -
          0:'SZDD'88F02733
          0:'KWAJ'88F027D1
        application/vnd.symbian.install sis loose
          8:19040010
        x-epoc/x-sisx-app sisx loose
          0:7A1A2010
        application/x-wii-wad wad loose
          4:'Is'0000
          4:'ib'0000
        application/x-virtualbox-sav -
          0:7F'VirtualBox SavedState V'
        application/x-ipod-firmware - loose
          0:'S T O P'

        """
}
