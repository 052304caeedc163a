extension FormatText {
    /// Images: each signature is from the format's own specification.
    static let images: StaticString = """
        image/png png
          0:89'PNG'0D0A1A0A
        image/apng apng public.png sub:image/png
        image/x-jng jng
          0:8B'JNG'0D0A1A0A
        video/x-mng mng
          0:8A'MNG'0D0A1A0A
        image/jls jls
          0:FFD8FFF7
        image/jpeg jpg
          0:FFD8FF
        image/gif gif
          0:'GIF87a'
          0:'GIF89a'
        image/tiff tif is:tiff
          0:'II'2A00
          0:'MM'002A
          0:'II'2B000800
          0:'MM'002B0008
        image/x-canon-cr2 cr2 in:tiff
          0:'II'2A00????????'CR'02
        image/x-canon-cr3 cr3
        image/x-canon-crw crw
          0:'II'????????'HEAPCCDR'
        image/x-nikon-nef nef in:tiff
        image/x-nikon-nrw nrw in:tiff
        image/x-sony-arw arw in:tiff
        image/x-sony-sr2 sr2 in:tiff
        image/x-sony-srf srf in:tiff
        image/x-pentax-pef pef in:tiff
        image/x-samsung-srw srw in:tiff
        image/x-kodak-dcr dcr in:tiff
        image/x-kodak-kdc kdc in:tiff
        image/x-kodak-k25 k25 in:tiff
        image/x-epson-erf erf in:tiff
        image/x-hasselblad-3fr 3fr in:tiff
        image/x-phaseone-iiq iiq in:tiff
        image/x-leica-rwl rwl in:tiff
        image/x-adobe-dng dng in:tiff
        image/x-olympus-orf orf
          0:'IIRO'
          0:'IIRS'
          0:'MMOR'
        image/x-panasonic-rw2 rw2
          0:'IIU'0018
        image/x-panasonic-rw raw
          0:'IIU'0008
        image/x-fuji-raf raf
          0:'FUJIFILMCCD-RAW '
        image/x-minolta-mrw mrw
          0:00'MRM'
        image/x-sigma-x3f x3f
          0:'FOVb'
        image/webp webp in:riff
          0:'RIFF'????????'WEBP'
        image/heif heif public.heif
        image/heic heic public.heic sub:image/heif
        image/heif-sequence heifs sub:image/heif
        image/heic-sequence heics sub:image/heif
        image/avci avci
        image/avcs avcs
        image/avif avif
        image/jxl jxl
          0:0000000C'JXL '0D0A870A
          0:FF0A
        image/jp2 jp2 public.jpeg-2000
          0:0000000C'jP  '0D0A870A
          0:0000000C'jP'1A1A0D0A870A
        image/jpx jpf public.jpeg-2000
        image/jpm jpm public.jpeg-2000
        video/mj2 mj2
        image/x-jp2-codestream j2c public.jpeg-2000
          0:FF4FFF51
        image/vnd.adobe.photoshop psd
          0:'8BPS'0001
        application/x-photoshop-large psb com.adobe.photoshop-large-image
          0:'8BPS'0002
        image/vnd.microsoft.icon ico loose
        image/x-win-bitmap cur loose
        image/bmp bmp
        image/x-xcf xcf
          0:'gimp xcf '
        image/x-gimp-gbr gbr loose
          20:'GIMP'
        image/x-gimp-pat pat loose
          20:'GPAT'
        image/x-gimp-gih gih loose
          0:'GIMP Brush Pipe'
        image/vnd.djvu djvu
          0:'AT&TFORM'????????'DJVU'
        image/vnd.djvu+multipage djvu com.lizardtech.djvu
          0:'AT&TFORM'????????'DJVM'
        image/x-exr exr
          0:'v/1'01
        image/vnd.radiance hdr
          0:'#?RADIANCE'
          0:'#?RGBE'
        image/x-dds dds com.microsoft.dds
          0:'DDS '7C000000
        image/ktx ktx
          0:AB'KTX 11'BB0D0A1A0A
        image/ktx2 ktx2
          0:AB'KTX 20'BB0D0A1A0A
        image/astc astc
          0:13ABA15C
        image/x-pvr pvr loose
          0:'PVR'03
        image/x-icns icns com.apple.icns
          0:'icns'
        image/vnd.zbrush.pcx pcx loose
        image/x-tga tga loose
        image/x-sgi sgi loose
        image/x-sun-raster ras
          0:59A66A95
        image/x-xwindowdump xwd loose
        image/x-xcursor cur
          0:'Xcur'
        image/wmf wmf loose
          0:D7CDC69A
        image/emf emf
          0:01000000 40:' EMF'
        image/x-pict pct com.apple.pict loose
        image/x-macpaint mac loose
        image/x-portable-bitmap pbm loose either
        image/x-portable-graymap pgm loose either
        image/x-portable-pixmap ppm loose either
        image/x-portable-anymap pam loose either
        image/x-portable-floatmap pfm loose
        image/x-xpixmap xpm text
          0:'/* XPM'
          0:'! XPM2'
        image/x-xbitmap xbm text
        image/x-xfig fig text
          0:'#FIG'
        image/x-skencil sk text
          0:'##Sketch '
        image/svg+xml svg text
        image/svg+xml-compressed svgz public.svg-image in:gzip
        image/x-ilbm ilbm in:iff
          0:'FORM'????????'ILBM'
          0:'FORM'????????'PBM '
        video/x-anim anim in:iff
          0:'FORM'????????'ANIM'
        image/x-photo-cd pcd loose
          2048:'PCD_IPI'
        image/fits fits
          0:'SIMPLE  =                    T'
        image/vnd.ms-modi mdi
          0:'EP'2A00
        image/vnd.dgn dgn in:compound
          0:0809FE02
          0:C809FE02
        image/x-os2-bitmap-array bga,bmp loose
          0:'BA' 14:'BM'
          0:'BA' 14:'CI'
          0:'BA' 14:'IC'
          0:'BA' 14:'CP'
          0:'BA' 14:'PT'
        image/vnd.dwg dwg
          0:'AC10'
        image/vnd.dxf dxf text
        image/x-dpx dpx
          0:'SDPX'
          0:'XPDS'
        image/cineon cin
          0:802A5FD7
        image/bpg bpg
          0:'BPG'FB
        image/flif flif
          0:'FLIF'
        image/x-qoi qoi
          0:'qoif'
        image/x-fpx fpx in:compound
        image/x-niff nif
          0:'IIN1'
        image/jxr jxr
          0:'II'BC01
          0:'II'BC00
        image/x-cmu-raster ras
          0:F10040BB
        image/x-jbig2 jb2
          0:97'JB2'0D0A1A0A
        image/x-3ds 3ds loose
        image/cgm cgm loose
        image/g3fax g3 loose
        image/vnd.wap.wbmp wbmp loose
        image/openraster ora in:zip under:public.image
        image/x-msod msod loose
        image/x-quicktime qif
        image/x-compressed-xcf xcf.gz loose

        """
}
