// Every constant of Apple's framework: documents, media, bundles, archives and the rest.

extension UTType {
    /// `com.apple.property-list`: property list.
    public static let propertyList = builtIn("com.apple.property-list")

    /// `com.apple.xml-property-list`: XML property list.
    public static let xmlPropertyList = builtIn("com.apple.xml-property-list")

    /// `com.apple.binary-property-list`: binary property list.
    public static let binaryPropertyList = builtIn("com.apple.binary-property-list")

    /// `com.apple.rtfd`: rich text with attachments.
    public static let rtfd = builtIn("com.apple.rtfd")

    /// `com.apple.flat-rtfd`: flattened rich text with attachments.
    public static let flatRTFD = builtIn("com.apple.flat-rtfd")

    /// `com.apple.webarchive`: web archive.
    public static let webArchive = builtIn("com.apple.webarchive")

    /// `public.jpeg`: JPEG image.
    public static let jpeg = builtIn("public.jpeg")

    /// `public.tiff`: TIFF image.
    public static let tiff = builtIn("public.tiff")

    /// `com.compuserve.gif`: GIF image.
    public static let gif = builtIn("com.compuserve.gif")

    /// `public.png`: PNG image.
    public static let png = builtIn("public.png")

    /// `com.apple.icns`: icon image.
    public static let icns = builtIn("com.apple.icns")

    /// `com.microsoft.bmp`: Windows bitmap.
    public static let bmp = builtIn("com.microsoft.bmp")

    /// `com.microsoft.ico`: Windows icon.
    public static let ico = builtIn("com.microsoft.ico")

    /// `public.camera-raw-image`: camera raw image.
    public static let rawImage = builtIn("public.camera-raw-image")

    /// `public.svg-image`: SVG image.
    public static let svg = builtIn("public.svg-image")

    /// `com.apple.live-photo`: Live Photo.
    public static let livePhoto = builtIn("com.apple.live-photo")

    /// `public.heif`: HEIF image.
    public static let heif = builtIn("public.heif")

    /// `public.heic`: HEIC image.
    public static let heic = builtIn("public.heic")

    /// `public.heics`: HEIC image sequence.
    public static let heics = builtIn("public.heics")

    /// `org.webmproject.webp`: WebP image.
    public static let webP = builtIn("org.webmproject.webp")

    /// `com.ilm.openexr-image`: OpenEXR image.
    public static let exr = builtIn("com.ilm.openexr-image")

    /// `com.adobe.raw-image`: digital negative (DNG).
    public static let dng = builtIn("com.adobe.raw-image")

    /// `public.jpeg-xl`: JPEG XL image.
    public static let jpegxl = builtIn("public.jpeg-xl")

    /// `public.3d-content`: 3D content.
    public static let threeDContent = builtIn("public.3d-content")

    /// `com.pixar.universal-scene-description`: USD scene.
    public static let usd = builtIn("com.pixar.universal-scene-description")

    /// `com.pixar.universal-scene-description-mobile`: USDZ scene.
    public static let usdz = builtIn("com.pixar.universal-scene-description-mobile")

    /// `com.apple.reality`: reality file.
    public static let realityFile = builtIn("com.apple.reality")

    /// `com.apple.scenekit.scene`: SceneKit scene.
    public static let sceneKitScene = builtIn("com.apple.scenekit.scene")

    /// `com.apple.arobject`: augmented reality reference object.
    public static let arReferenceObject = builtIn("com.apple.arobject")

    /// `public.audiovisual-content`: audiovisual content.
    public static let audiovisualContent = builtIn("public.audiovisual-content")

    /// `public.movie`: movie.
    public static let movie = builtIn("public.movie")

    /// `public.video`: video without sound.
    public static let video = builtIn("public.video")

    /// `public.audio`: audio.
    public static let audio = builtIn("public.audio")

    /// `com.apple.quicktime-movie`: QuickTime movie.
    public static let quickTimeMovie = builtIn("com.apple.quicktime-movie")

    /// `public.mpeg`: MPEG movie.
    public static let mpeg = builtIn("public.mpeg")

    /// `public.mpeg-2-video`: MPEG-2 video.
    public static let mpeg2Video = builtIn("public.mpeg-2-video")

    /// `public.mpeg-2-transport-stream`: MPEG-2 transport stream.
    public static let mpeg2TransportStream = builtIn("public.mpeg-2-transport-stream")

    /// `public.mp3`: MP3 audio.
    public static let mp3 = builtIn("public.mp3")

    /// `public.mpeg-4`: MPEG-4 movie.
    public static let mpeg4Movie = builtIn("public.mpeg-4")

    /// `public.mpeg-4-audio`: MPEG-4 audio.
    public static let mpeg4Audio = builtIn("public.mpeg-4-audio")

    /// `com.apple.protected-mpeg-4-audio`: protected MPEG-4 audio.
    public static let appleProtectedMPEG4Audio = builtIn("com.apple.protected-mpeg-4-audio")

    /// `com.apple.protected-mpeg-4-video`: protected MPEG-4 movie.
    public static let appleProtectedMPEG4Video = builtIn("com.apple.protected-mpeg-4-video")

    /// `public.avi`: AVI movie.
    public static let avi = builtIn("public.avi")

    /// `public.aiff-audio`: AIFF audio.
    public static let aiff = builtIn("public.aiff-audio")

    /// `com.microsoft.waveform-audio`: WAVE audio.
    public static let wav = builtIn("com.microsoft.waveform-audio")

    /// `public.midi-audio`: MIDI audio.
    public static let midi = builtIn("public.midi-audio")

    /// `public.playlist`: playlist.
    public static let playlist = builtIn("public.playlist")

    /// `public.m3u-playlist`: M3U playlist.
    public static let m3uPlaylist = builtIn("public.m3u-playlist")

    /// `public.folder`: folder.
    public static let folder = builtIn("public.folder")

    /// `public.volume`: volume.
    public static let volume = builtIn("public.volume")

    /// `com.apple.package`: package.
    public static let package = builtIn("com.apple.package")

    /// `com.apple.bundle`: bundle.
    public static let bundle = builtIn("com.apple.bundle")

    /// `com.apple.plugin`: plug-in.
    public static let pluginBundle = builtIn("com.apple.plugin")

    /// `com.apple.metadata-importer`: Spotlight importer.
    public static let spotlightImporter = builtIn("com.apple.metadata-importer")

    /// `com.apple.quicklook-generator`: Quick Look generator.
    public static let quickLookGenerator = builtIn("com.apple.quicklook-generator")

    /// `com.apple.xpc-service`: XPC service.
    public static let xpcService = builtIn("com.apple.xpc-service")

    /// `com.apple.framework`: framework.
    public static let framework = builtIn("com.apple.framework")

    /// `com.apple.application`: application.
    public static let application = builtIn("com.apple.application")

    /// `com.apple.application-bundle`: application bundle.
    public static let applicationBundle = builtIn("com.apple.application-bundle")

    /// `com.apple.application-and-system-extension`: application extension.
    public static let applicationExtension = builtIn("com.apple.application-and-system-extension")

    /// `public.unix-executable`: Unix program.
    public static let unixExecutable = builtIn("public.unix-executable")

    /// `com.microsoft.windows-executable`: Windows program.
    public static let exe = builtIn("com.microsoft.windows-executable")

    /// `com.apple.systempreference.prefpane`: preference pane.
    public static let systemPreferencesPane = builtIn("com.apple.systempreference.prefpane")

    /// `public.archive`: archive.
    public static let archive = builtIn("public.archive")

    /// `org.gnu.gnu-zip-archive`: gzip archive.
    public static let gzip = builtIn("org.gnu.gnu-zip-archive")

    /// `public.bzip2-archive`: bzip2 archive.
    public static let bz2 = builtIn("public.bzip2-archive")

    /// `public.zip-archive`: ZIP archive.
    public static let zip = builtIn("public.zip-archive")

    /// `com.apple.archive`: Apple archive.
    public static let appleArchive = builtIn("com.apple.archive")

    /// `public.tar-archive`: tar archive.
    public static let tarArchive = builtIn("public.tar-archive")

    /// `public.spreadsheet`: spreadsheet.
    public static let spreadsheet = builtIn("public.spreadsheet")

    /// `public.presentation`: presentation.
    public static let presentation = builtIn("public.presentation")

    /// `public.database`: database.
    public static let database = builtIn("public.database")

    /// `public.message`: message.
    public static let message = builtIn("public.message")

    /// `public.contact`: contact.
    public static let contact = builtIn("public.contact")

    /// `public.vcard`: contact card.
    public static let vCard = builtIn("public.vcard")

    /// `public.to-do-item`: task.
    public static let toDoItem = builtIn("public.to-do-item")

    /// `public.calendar-event`: calendar event.
    public static let calendarEvent = builtIn("public.calendar-event")

    /// `public.email-message`: e-mail message.
    public static let emailMessage = builtIn("public.email-message")

    /// `com.apple.internet-location`: web location.
    public static let internetLocation = builtIn("com.apple.internet-location")

    /// `com.microsoft.internet-shortcut`: web shortcut.
    public static let internetShortcut = builtIn("com.microsoft.internet-shortcut")

    /// `public.font`: font.
    public static let font = builtIn("public.font")

    /// `public.bookmark`: bookmark.
    public static let bookmark = builtIn("public.bookmark")

    /// `com.rsa.pkcs-12`: PKCS #12 key store.
    public static let pkcs12 = builtIn("com.rsa.pkcs-12")

    /// `public.x509-certificate`: X.509 certificate.
    public static let x509Certificate = builtIn("public.x509-certificate")

    /// `org.idpf.epub-container`: EPUB book.
    public static let epub = builtIn("org.idpf.epub-container")

    /// `public.log`: log.
    public static let log = builtIn("public.log")

    /// `com.apple.haptics.ahap`: haptic pattern.
    public static let ahap = builtIn("com.apple.haptics.ahap")

    /// `public.geojson`: GeoJSON map data.
    public static let geoJSON = builtIn("public.geojson")

    /// `com.apple.linkpresentation.metadata`: link preview.
    public static let linkPresentationMetadata = builtIn("com.apple.linkpresentation.metadata")

    /// `com.apple.shazamsignature`: Shazam signature.
    public static let shazamSignature = builtIn("com.apple.shazamsignature")

    /// `com.apple.shazamcatalog`: Shazam catalogue.
    public static let shazamCustomCatalog = builtIn("com.apple.shazamcatalog")

    /// `net.daringfireball.markdown`: Markdown text.
    public static let markdown = builtIn("net.daringfireball.markdown")
}
