/// Extensions of formats that are kept in a general container and have no signature of their own: an honest name is
/// more specific than such a container.
struct CarrierNames: ~Copyable, Sendable {
    static let builtIn = CarrierNames()

    private var names = NameArena(expectedCount: 512)
    private var carriers: [CarrierSet] = []

    private init() {
        for (set, text) in Self.lists {
            var text = text
            text.withUTF8 { text in
                var words = Words(Bytes(UnsafeRawBufferPointer(text)))
                while let word = words.next() {
                    let index = Int(names.add(word))
                    if index == carriers.count { carriers.append([]) }
                    carriers[index].formUnion(set)
                }
            }
        }
    }

    /// What files with this extension, in small letters, may be written in.
    func carriers(ofExtension tag: [UInt8]) -> CarrierSet {
        names.find(tag).map { carriers[Int($0)] } ?? []
    }

    private static let lists: [(CarrierSet, String)] = [
        (
            [CarrierSet(.plist)],
            """
            webloc inetloc fileloc mailloc ftploc afploc vncloc newsloc webarchive mobileconfig configprofile mobile wflow \
            shortcut savedsearch textclipping strings stringsdict entitlements terminal nib aupreset tmlanguage tmtheme \
            itermcolors sfl sfl2 sfl3 webbookmark webhistory pset term xcsettings xcuserstate loctable \
            alfredpreferences workflow adobebridge pcast itpc clr graffle mom cst duck
            """
        ),
        (
            [CarrierSet(.sqlite)],
            """
            db db2 db3 sdb s3db sl2 sl3 sqlite sqlite3 sqlitedb gpkg mbtiles anki2 anki21 colpkg lrcat lrdata \
            store storedata cookies sqlar fossil gnucash realm itdb tvdb photosdb aplib cdb ldb qgz notes enml abcddb \
            rekordbox osm rmtree fp spatialite geopackage geodatabase trace ynab4 bar xcappdata kindle annot calibre
            """
        ),
        (
            [CarrierSet(.hdf)],
            """
            h5 hdf hdf4 hdf5 h4 he2 he4 he5 nc nc4 cdf netcdf mat keras hdfs cgns loom h5ad h5mu nxs nexus fast5 jld jld2 \
            mnc minc gdx vol silo medh5 med bag osmh5 sgy5 snirf ims pbh5 mtx5 dream3d ipf
            """
        ),
        ([CarrierSet(.xml)], "strings nfo kwd glade"),
        ([CarrierSet(.postscript)], "ai eps epsf epsi prn pfa"),
        ([CarrierSet(.disk)], "dmg img iso bin raw hfs dsk vfd flp cdr toast udif ima image"),
    ]
}
