extension FormatText {
    /// Office documents, books and pages.
    static let documents: StaticString = """
        application/pdf pdf is:pdf
          0:'%PDF-'
          1:'%PDF-'
          3:'%PDF-'
        application/illustrator ai in:pdf in:postscript
        application/fdf fdf com.adobe.fdf
          0:'%FDF-'
        application/postscript ps is:postscript
          0:'%!'
          0:04'%!'
          0:1B'%-12345X%!PS'
        image/x-eps eps is:postscript
          0:C5D0D3C6
        application/rtf rtf public.rtf
          0:7B'\\rtf'
        application/x-ole-storage ole is:compound
          0:D0CF11E0A1B11AE1
        application/msword doc in:compound
          0:DBA52D00
          0:9BA52100
          0:FE370023
        application/msword-template dot in:compound sub:application/msword
        application/vnd.ms-excel xls,xlt,xlw,xla in:compound in:protected
          0:09000400????1000
          0:09000400????2000
          0:09020600????1000
          0:09020600????2000
          0:09040600????1000
          0:09040600????2000
          0:09040600????0001
          0:09040600????4000
          0:09080800????0500
          0:09080800????1000
        application/vnd.ms-powerpoint ppt in:compound
        application/vnd.ms-outlook msg in:compound
        application/x-msi msi in:compound
        application/vnd.visio vsd in:compound
        application/vnd.ms-publisher pub in:compound
        application/vnd.ms-project mpp in:compound
        application/vnd.ms-works wps,wks,wdb,xlr,wcm in:compound
          0:FF000200040405540200
          0:205402000000055402
          0:01FE3200
          0:01FE3100
        application/x-thumbs-db - in:compound
        application/x-hwp hwp in:compound
          0:'HWP Document File'
        application/vnd.stardivision.writer sdw in:compound
        application/vnd.stardivision.calc sdc in:compound
        application/vnd.stardivision.draw sda in:compound
        application/vnd.stardivision.impress sdd in:compound
        application/vnd.stardivision.math smf in:compound
        application/vnd.stardivision.chart sds in:compound
        application/x-quattropro qpw,wb1,wb2,wb3,wq1,wq2 in:compound
          0:000002002051
          0:000002002151
          0:000002000110
          0:000002000210
          0:000002000710
        application/x-ooxml-protected - in:compound is:protected
        application/x-solidworks sldprt in:compound
        application/vnd.ms-officetheme thmx in:zip in:protected strict
        application/vnd.openxmlformats-officedocument.wordprocessingml.document docx in:zip in:protected strict
        application/vnd.openxmlformats-officedocument.wordprocessingml.template dotx in:zip in:protected strict sub:application/vnd.openxmlformats-officedocument.wordprocessingml.document
        application/vnd.ms-word.document.macroEnabled.12 docm in:zip in:protected strict
        application/vnd.ms-word.template.macroEnabled.12 dotm in:zip in:protected strict sub:application/vnd.ms-word.document.macroEnabled.12
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx in:zip in:protected strict
        application/vnd.openxmlformats-officedocument.spreadsheetml.template xltx in:zip in:protected strict sub:application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
        application/vnd.ms-excel.sheet.macroEnabled.12 xlsm in:zip in:protected strict
        application/vnd.ms-excel.template.macroEnabled.12 xltm in:zip in:protected strict sub:application/vnd.ms-excel.sheet.macroEnabled.12
        application/vnd.ms-excel.sheet.binary.macroEnabled.12 xlsb in:zip in:protected strict
        application/vnd.ms-excel.addin.macroEnabled.12 xlam in:zip in:protected strict sub:application/vnd.ms-excel.sheet.macroEnabled.12
        application/vnd.openxmlformats-officedocument.presentationml.presentation pptx in:zip in:protected strict
        application/vnd.openxmlformats-officedocument.presentationml.template potx in:zip in:protected strict sub:application/vnd.openxmlformats-officedocument.presentationml.presentation
        application/vnd.openxmlformats-officedocument.presentationml.slideshow ppsx in:zip in:protected strict sub:application/vnd.openxmlformats-officedocument.presentationml.presentation
        application/vnd.openxmlformats-officedocument.presentationml.slide sldx in:zip in:protected strict
        application/vnd.ms-powerpoint.presentation.macroEnabled.12 pptm in:zip in:protected strict
        application/vnd.ms-powerpoint.template.macroEnabled.12 potm in:zip in:protected strict sub:application/vnd.ms-powerpoint.presentation.macroEnabled.12
        application/vnd.ms-powerpoint.slideshow.macroEnabled.12 ppsm in:zip in:protected strict sub:application/vnd.ms-powerpoint.presentation.macroEnabled.12
        application/vnd.ms-powerpoint.addin.macroEnabled.12 ppam in:zip in:protected strict sub:application/vnd.ms-powerpoint.presentation.macroEnabled.12
        application/vnd.ms-visio.drawing.main+xml vsdx in:zip in:protected strict
        application/vnd.ms-visio.template.main+xml vstx in:zip in:protected strict
        application/vnd.ms-visio.stencil.main+xml vssx in:zip in:protected strict
        application/vnd.ms-visio.template.macroEnabled.main+xml vstm in:zip in:protected strict
        application/vnd.ms-visio.stencil.macroEnabled.main+xml vssm in:zip in:protected strict
        application/vnd.ms-visio.drawing.macroEnabled.main+xml vsdm in:zip in:protected strict
        application/vnd.oasis.opendocument.text odt in:zip strict
        application/vnd.oasis.opendocument.text-template ott in:zip strict
        application/vnd.oasis.opendocument.text-master odm in:zip strict
        application/vnd.oasis.opendocument.text-web oth in:zip strict
        application/vnd.oasis.opendocument.spreadsheet ods in:zip strict
        application/vnd.oasis.opendocument.spreadsheet-template ots in:zip strict
        application/vnd.oasis.opendocument.presentation odp in:zip strict
        application/vnd.oasis.opendocument.presentation-template otp in:zip strict
        application/vnd.oasis.opendocument.graphics odg in:zip strict
        application/vnd.oasis.opendocument.graphics-template otg in:zip strict
        application/vnd.oasis.opendocument.chart odc in:zip strict
        application/vnd.oasis.opendocument.chart-template otc in:zip strict
        application/vnd.oasis.opendocument.formula odf in:zip strict
        application/vnd.oasis.opendocument.formula-template otf in:zip strict
        application/vnd.oasis.opendocument.image odi in:zip strict
        application/vnd.oasis.opendocument.database odb in:zip strict
        application/vnd.sun.xml.writer sxw in:zip strict
        application/vnd.sun.xml.writer.template stw in:zip strict sub:application/vnd.sun.xml.writer
        application/vnd.sun.xml.writer.global sxg in:zip strict
        application/vnd.sun.xml.calc sxc in:zip strict
        application/vnd.sun.xml.calc.template stc in:zip strict sub:application/vnd.sun.xml.calc
        application/vnd.sun.xml.draw sxd in:zip strict
        application/vnd.sun.xml.draw.template std in:zip strict sub:application/vnd.sun.xml.draw
        application/vnd.sun.xml.impress sxi in:zip strict
        application/vnd.sun.xml.impress.template sti in:zip strict sub:application/vnd.sun.xml.impress
        application/vnd.sun.xml.math sxm in:zip strict
        application/vnd.openofficeorg.extension oxt in:zip
        application/vnd.apple.pages pages in:zip strict com.apple.iwork.pages.sffpages
        application/vnd.apple.numbers numbers in:zip strict com.apple.iwork.numbers.sffnumbers
        application/vnd.apple.keynote key in:zip strict com.apple.iwork.keynote.sffkey
        application/epub+zip epub in:zip strict
        application/x-ibooks+zip ibooks in:zip
        application/vnd.ms-xpsdocument xps in:zip in:protected strict
        application/oxps oxps in:zip in:protected strict sub:application/vnd.ms-xpsdocument
        application/vnd.google-earth.kmz kmz in:zip
        application/x-krita kra in:zip under:public.image
        application/x-kword kwd in:zip
        application/x-kspread ksp in:zip
        application/x-kpresenter kpr in:zip
        application/x-karbon karbon in:zip
        application/x-kivio flw in:zip
        application/x-kchart chrt in:zip
        application/x-kformula kfo in:zip
        application/x-kontour kon in:zip
        application/x-kugar kud in:zip
        model/3mf 3mf in:zip under:public.3d-content under:public.data
        model/vnd.usdz+zip usdz in:zip
        application/x-mobipocket-ebook mobi loose
        application/vnd.amazon.mobi8-ebook azw3 loose
        application/vnd.palm pdb loose vague
        application/x-aportisdoc pdb loose
        application/prs.plucker pdb loose
        application/x-fictionbook+xml fb2 text
        application/vnd.ms-htmlhelp chm
          0:'ITSF'0300
        application/winhlp hlp
          0:3F5F0300
        application/x-dvi dvi
          0:F702
        application/x-mswrite wri
          0:31BE0000
          0:32BE0000
        application/vnd.wordperfect wpd
          0:FF'WPC'????????01
        application/x-wpg wpg
          0:FF'WPC'????????0116
        application/vnd.lotus-1-2-3 wk1
          0:00000200060406000800
          0:00000200040406000800
          0:00001A00
        application/vnd.lotus-wordpro lwp
          0:'WordPro'
        application/x-abiword abw text
        application/x-indesign indd
          0:0606EDF5D81D46E5BD31EFE7FE74B71D
        application/x-appleworks-document cwk loose
          4:'BOBO'
        application/vnd.framemaker fm
          0:'<MakerFile'
          0:'<Maker'
        application/x-pagemaker pmd loose
        application/vnd.ms-outlook-pst pst,ost
          0:'!BDN'
        application/vnd.adobe.indesign-idml-package idml in:zip
        application/hwp+zip hwpx in:zip
        application/vnd.recordare.musicxml mxl in:zip
        application/x-webarchive webarchive in:plist com.apple.webarchive
        application/x-keepass2 kdbx,kdb
          0:03D9A29A67FB4BB5
          0:03D9A29A66FB4BB5
          0:03D9A29A65FB4BB5
        application/onenote one
          0:E4525C7B8CD8A74DAEB15378D02996D3
        application/vnd.ms-tnef tnef,dat loose vague
          0:789F3E22
        application/vnd.ms-access mdb
          0:00010000'Standard Jet DB'00
          0:00010000'Standard ACE DB'00
        application/x-dia-diagram dia in:gzip
        application/x-gnumeric gnumeric in:gzip
        application/x-gnucash gnucash in:gzip
        application/x-ichitaro jtd in:compound
        application/x-ufraw ufraw text
        application/x-amipro sam
          0:'[ver]'
        application/ofd ofd in:zip
        application/oda oda loose
        application/vnd.hp-pcl pcl loose
          0:1B'E'1B
          0:1B'%-12345X'
        application/x-tex-gf gf loose
        application/x-spss-por por loose either
          40:'ASCII SPSS PORT FILE'

        """
}
