/// Extensions of formats that are kept in a general container and have no signature of their own: an honest name is
/// more specific than such a container.
enum CarrierNames {
    /// Returns the carriers that files with this extension, in small letters, may be written in.
    ///
    /// The lists are short, and each extension is looked up once: making a table takes longer.
    static func carriers(ofExtension tag: [UInt8]) -> CarrierSet {
        var carriers: CarrierSet = []
        tag.withUnsafeBytes { tag in
            for (set, text) in lists {
                var words = Words(Bytes(text))
                while let word = words.next() {
                    if word.isEqual(to: Bytes(tag)) { carriers.formUnion(set) }
                }
            }
        }
        return carriers
    }

    private static let lists: [(CarrierSet, StaticString)] = [
        (
            [CarrierSet(.plist)],
            """
            webloc inetloc fileloc mailloc ftploc afploc vncloc newsloc webarchive mobileconfig configprofile mobile wflow \
            shortcut savedsearch textclipping strings stringsdict entitlements terminal nib aupreset tmlanguage tmtheme \
            itermcolors sfl sfl2 sfl3 webbookmark webhistory pset term xcsettings xcuserstate loctable \
            alfredpreferences workflow aae adobebridge pcast itpc clr graffle mom cst duck
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
        ([CarrierSet(.postscript)], "ai eps epsf epsi pfa"),
        ([CarrierSet(.disk)], "dmg img iso bin raw hfs dsk vfd flp cdr toast udif ima image"),
    ]
}
