extension FormatText {
    /// Sound and moving pictures.
    static let media: StaticString = """
        audio/mpeg mp3 loose
        audio/mp2 mp2 loose
        audio/aac aac loose public.aac-audio
          0:'ADIF'
        audio/usac loas loose
        audio/ac3 ac3 loose
        audio/eac3 ec3,eac3,ac3 loose
        audio/flac flac
          0:'fLaC'
        application/ogg ogx is:ogg
          0:'OggS'00
        audio/ogg oga in:ogg org.xiph.ogg-audio sub:application/ogg
        audio/x-vorbis+ogg ogg in:ogg sub:audio/ogg
        audio/x-opus+ogg opus in:ogg sub:audio/ogg
        audio/x-speex+ogg spx in:ogg sub:audio/ogg
        audio/x-flac+ogg oga in:ogg sub:audio/ogg
        video/ogg ogv in:ogg sub:application/ogg
        video/x-theora+ogg ogg in:ogg sub:video/ogg
        video/x-ogm+ogg ogm in:ogg sub:video/ogg
        application/annodex anx in:ogg
        audio/annodex axa in:ogg
        video/annodex axv in:ogg
        audio/x-wav wav in:riff com.microsoft.waveform-audio
          0:'RIFF'????????'WAVE'
          0:'RIFX'????????'WAVE'
          0:'RF64'????????'WAVE'
          0:'BW64'????????'WAVE'
        audio/x-w64 w64
          0:'riff'2E91CF11A5D628DB04C10000
        video/x-msvideo avi in:riff public.avi
          0:'RIFF'????????'AVI '
        application/x-riff riff is:riff
          0:'RIFF'
          0:'RIFX'
        application/x-navi-animation ani in:riff
          0:'RIFF'????????'ACON'
        audio/x-soundfont sf2 in:riff
          0:'RIFF'????????'sfbk'
        audio/dls dls in:riff
          0:'RIFF'????????'DLS '
        application/vnd.corel-draw cdr loose
          8:'CDR'??'vrsn'
        audio/qcelp qcp in:riff
          0:'RIFF'????????'QLCM'
        audio/x-aiff aiff in:iff
          0:'FORM'????????'AIFF'
        audio/x-aifc aifc in:iff
          0:'FORM'????????'AIFC'
        audio/x-8svx 8svx in:iff
          0:'FORM'????????'8SVX'
        application/x-iff iff is:iff
          0:'FORM'
        audio/x-caf caf
          0:'caff'0001
        audio/basic au public.au-audio
          0:'.snd'
          0:'dns.'
        audio/midi mid
          0:'MThd'00000006
          0:'RIFF'????????'RMID'
        audio/AMR amr org.3gpp.adaptive-multi-rate-audio
          0:'#!AMR'0A
          0:'#!AMR_MC1.0'0A
        audio/AMR-WB awb
          0:'#!AMR-WB'0A
          0:'#!AMR-WB_MC1.0'0A
        audio/mp4 m4a public.mpeg-4-audio
        audio/x-m4a m4a com.apple.m4a-audio sub:audio/mp4
        audio/x-m4b m4b com.apple.protected-mpeg-4-audio-b sub:audio/mp4
        audio/x-m4p m4p sub:audio/mp4
        audio/x-m4r m4r com.apple.mpeg-4-ringtone sub:audio/mp4
        video/x-m4v m4v com.apple.m4v-video sub:video/mp4
        audio/vnd.audible.aax aax sub:audio/mp4
        audio/x-pn-audibleaudio aa loose
          4:57907536
        video/mp4 mp4 public.mpeg-4 is:media
        video/x-f4v f4v,f4p,f4a,f4b loose com.adobe.flash.video in:media sub:video/mp4
        video/quicktime mov
        video/3gpp 3gp
        audio/3gpp 3gp public.3gpp
        video/3gpp2 3g2
        video/x-matroska mkv in:matroska
        audio/x-matroska mka in:matroska
        video/x-matroska-3d mk3d in:matroska sub:video/x-matroska
        video/webm webm in:matroska sub:video/x-matroska
        audio/webm weba in:matroska sub:video/webm
        application/x-ebml ebml is:matroska
          0:1A45DFA3
        video/mpeg mpg
          0:000001BA
          0:000001B3
        video/mp2t ts loose
        video/vnd.avchd m2ts loose public.avchd-mpeg-2-transport-stream
        video/x-flv flv
          0:'FLV'01
        application/vnd.ms-asf asf
          0:3026B2758E66CF11A6D900AA0062CE6C
        audio/x-ms-wma wma sub:application/vnd.ms-asf
        video/x-ms-wmv wmv sub:application/vnd.ms-asf
        application/vnd.rn-realmedia rm
          0:'.RMF'
        audio/vnd.rn-realaudio ra
          0:'.ra'FD
        application/ram ram text loose
        video/x-flic fli loose
        video/dv dv loose
          0:1F0700
        application/mxf mxf
          0:060E2B34020501010D010201
        video/x-nsv nsv
          0:'NSVf'
          0:'NSVs'
        application/gxf gxf
          0:0000000001BC
        video/wtv wtv
          0:B7D800203749DA11A64E0007E95EAD8D
        video/x-sgi-movie movie
          0:'MOVI'
        video/vnd.radgamettools.bink bik
          0:'BIKi'
          0:'BIKf'
          0:'BIKh'
          0:'KB2'
        video/vnd.radgamettools.smacker smk
          0:'SMK2'
          0:'SMK4'
        video/x-mjpeg mjpeg loose
        audio/x-ape ape
          0:'MAC '
        audio/x-musepack mpc
          0:'MPCK'
          0:'MP+'
        audio/x-wavpack wv
          0:'wvpk'
        audio/x-tta tta
          0:'TTA1'
          0:'TTA2'
        audio/x-voc voc
          0:'Creative Voice File'1A
        audio/x-dsf dsf
          0:'DSD '1C
        audio/x-dff dff
          0:'FRM8'????????????????'DSD '
        audio/vnd.dts dts loose
          0:7FFE8001
          0:FE7F0180
          0:1FFFE800
          0:FF1F00E8
        audio/vnd.dts.hd dtshd
          0:'DTSHDHDR'
        audio/x-s3m s3m
          44:'SCRM'
        audio/x-xm xm
          0:'Extended Module: '
        audio/x-it it
          0:'IMPM'
        audio/x-mod mod loose
          1080:'M.K.'
          1080:'M!K!'
          1080:'FLT4'
          1080:'FLT8'
          1080:'4CHN'
          1080:'6CHN'
          1080:'8CHN'
          0:'MTM'10
          0:'MMD0'
          0:'MMD1'
        audio/x-mo3 mo3
          0:'MO3'
        audio/x-psf psf
          0:'PSF'01
        audio/prs.sid sid
          0:'PSID'
          0:'RSID'
        audio/x-xi xi
          0:'Extended Instrument: '
        audio/mobile-xmf mxmf
          0:'XMF_1.00'000001
        audio/x-xmf xmf
          0:'XMF_'
        application/vnd.smaf mmf
          0:'MMMD'
        audio/x-shorten shn
          0:'ajkg'
        application/vnd.adobe.flash.movie swf
          0:'FWS'
          0:'CWS'
          0:'ZWS'
        application/vnd.ms-wpl wpl text
        audio/x-mpegurl m3u text
        application/vnd.apple.mpegurl m3u8 text sub:audio/x-mpegurl
        audio/x-scpls pls text
        audio/x-ms-asx asx text
        application/xspf+xml xspf text
        video/vnd.vivo viv
          0:0D'Version:Vivo/'
        video/x-ivf ivf
          0:'DKIF'0000
        video/x-yuv4mpeg y4m
          0:'YUV4MPEG2 '
        audio/x-gsm gsm loose
        audio/x-stm stm loose
        audio/vnd.dolby.mlp mlp loose
          4:F8726FBB

        """
}
