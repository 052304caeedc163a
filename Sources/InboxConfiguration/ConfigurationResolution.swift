import InboxLinux

/// The last step: paths become absolute, each Inbox gets its settings, and what contradicts itself is found.
struct ConfigurationResolution {
    let paths: PathResolution
    let stateFolder: BytePath?
    let defaultSocket: BytePath?
    let defaultDocuments: InboxPlaces.Entry
    private(set) var types: ConfiguredTypes
    private(set) var assembly: ConfigurationAssembly

    private struct ChosenPath {
        let path: BytePath
        let origin: ConfigurationOrigin
    }

    init(
        _ assembly: ConfigurationAssembly, paths: PathResolution, stateFolder: BytePath?, defaultSocket: BytePath?,
        defaultDocuments: InboxPlaces.Entry, types: ConfiguredTypes
    ) {
        self.assembly = assembly
        self.paths = paths
        self.stateFolder = stateFolder
        self.defaultSocket = defaultSocket
        self.defaultDocuments = defaultDocuments
        self.types = types
    }

    /// Makes the configuration, or adds to the problems and gives nil.
    mutating func finish() -> Configuration? {
        let documents = resolve(assembly.places.documents ?? defaultDocuments, "Documents", relativeTo: nil)
        if let documents, documents.path == BytePath("/") {
            complain(documents.origin, "Documents: it cannot be /, the root of all folders; name a folder in it")
        }
        let places = documents.map { inboxPlaces($0) } ?? []
        if let documents { checkOverlaps(places, documents) }
        var inboxes = configuredInboxes(places, documents?.path)
        resolveRejected(&inboxes, documents?.path)
        noteChecks(inboxes)
        resolveDestinations(documents?.path, places.map(\.path))
        resolveConditions(documents?.path, places.map(\.path))
        let notices = assembly.noticeSections.notices
        assembly.problems += notices.flatMap(\.problems)
        assembly.notices += notices.flatMap(\.surprises)
        var control = assembly.control.values
        let socket = socket(control.socket)
        control.socket = socket?.path
        if stateFolder == nil {
            complain(.builtIn, "there is no place for the state folder: set HOME, or give --state")
        }
        guard let documents, let stateFolder, let socket, assembly.problems.isEmpty else { return nil }
        return Configuration(
            documents: documents.path, inboxes: inboxes, inboxDefaults: assembly.inbox.values,
            history: assembly.history.values, control: control, notices: notices, ownTypes: types, socket: socket,
            stateFolder: stateFolder,
            documentsOrigin: documents.origin, inboxOrigins: assembly.places.inboxOrigins,
            inboxDefaultsOrigins: assembly.inbox.origins, historyOrigins: assembly.history.origins,
            controlOrigins: assembly.control.origins)
    }

    private mutating func resolve(
        _ entry: InboxPlaces.Entry, _ key: String, relativeTo base: BytePath?
    ) -> ChosenPath? {
        do throws(ValueProblem) {
            let path =
                try entry.isLiteral
                ? paths.literal(entry.path, relativeTo: base) : paths.resolve(entry.path, relativeTo: base)
            return ChosenPath(path: path, origin: entry.origin)
        } catch {
            complain(entry.origin, "\(key): \(error.text)")
            return nil
        }
    }

    private mutating func inboxPlaces(_ documents: ChosenPath) -> [ChosenPath] {
        let entries = assembly.places.inboxes
        if entries.isEmpty {
            complain(
                assembly.places.inboxOrigins.last ?? .builtIn, "Inbox: the list is empty; there is nothing to watch")
        }
        var known = Set<BytePath>()
        var result: [ChosenPath] = []
        for entry in entries {
            // One Inbox in two spellings is one Inbox.
            guard let place = resolve(entry, "Inbox", relativeTo: documents.path), known.insert(place.path).inserted
            else { continue }
            result.append(place)
        }
        return result
    }

    private mutating func checkOverlaps(_ places: [ChosenPath], _ documents: ChosenPath) {
        for (index, place) in places.enumerated() {
            for earlier in places[..<index] {
                let (inner, outer) = place.path.isInside(earlier.path) ? (place, earlier) : (earlier, place)
                guard inner.path.isInside(outer.path) else { continue }
                // The later of both is the one to mend; what it meets is named with its place.
                complain(
                    place.origin, "Inbox \(inner.path) lies inside Inbox \(outer.path) (\(earlier.origin))")
            }
            if let what = relation(of: documents.path, to: place.path) {
                let origin = place.origin == .builtIn ? documents.origin : place.origin
                complain(origin, "Documents \(documents.path) (\(documents.origin)) \(what) Inbox \(place.path)")
            }
            if let stateFolder, let what = relation(of: stateFolder, to: place.path) {
                complain(place.origin, "the state folder \(stateFolder) \(what) Inbox \(place.path)")
            }
        }
    }

    private func relation(of path: BytePath, to inbox: BytePath) -> String? {
        if path == inbox { return "is the same folder as" }
        return path.isInside(inbox) ? "lies inside" : nil
    }

    private mutating func configuredInboxes(_ places: [ChosenPath], _ documents: BytePath?) -> [ConfiguredInbox] {
        let general = assembly.inbox
        var entries: [BytePath: [ParsedEntry]] = [:]
        for override in assembly.overrides {
            let entry = InboxPlaces.Entry(path: override.path, origin: override.origin)
            let place = documents.flatMap { resolve(entry, "[Inbox PATH]", relativeTo: $0) }
            if let place, let known = Self.folder(place.path, among: places.map(\.path)) {
                entries[known, default: []] += override.entries
                continue
            }
            // Its keys are checked all the same: every problem is shown at once.
            _ = assembly.settings(of: override.entries, over: general)
            if let place { noSuchInbox(place, places) }
        }
        return places.map { place in
            guard let own = entries[place.path] else {
                return ConfiguredInbox(path: place.path, origin: place.origin, settings: general.values, overrides: [:])
            }
            let tracked = assembly.settings(of: own, over: general)
            return ConfiguredInbox(
                path: place.path, origin: place.origin, settings: tracked.values, overrides: tracked.origins)
        }
    }

    /// Returns the path of a list that leads to the same folder as another path: by the spelling or, where none is spelt so, on
    /// the disk, as far as that is certain to answer.
    private static func folder(_ path: BytePath, among known: [BytePath]) -> BytePath? {
        if known.contains(path) { return path }
        guard let mounts = MountTable.ofThisProcess, let folder = RealPath.ofFolder(path, besides: mounts) else {
            return nil
        }
        return known.prefix(16).first { RealPath.ofFolder($0, besides: mounts) == folder }
    }

    private mutating func noSuchInbox(_ place: ChosenPath, _ places: [ChosenPath]) {
        let text = "[Inbox \(place.path)]: there is no such Inbox"
        if assembly.places.inboxOrigins == [.commandLine] {
            // The command line chose other Inboxes for once; the file is not wrong because of that.
            assembly.notices.append(ConfigurationProblem(place.origin, text + " this time"))
            return
        }
        // The first few: with hundreds of Inboxes and as many such sections the search would take its time.
        let hint = nearest(to: place.path.displayText, among: places.prefix(16).map(\.path.displayText), limit: .max)
        complain(place.origin, text + (hint.map { "; the nearest is \($0)" } ?? ""))
    }

    /// Makes the destinations absolute or relative to Documents, and finds those that lie in an Inbox whatever the
    /// document is.
    private mutating func resolveDestinations(_ documents: BytePath?, _ inboxes: [BytePath]) {
        for index in types.documentTypes.indices {
            let entry = types.documentTypes[index]
            let origin = entry.origins["Destination"]?.last ?? entry.origin
            do throws(ValueProblem) {
                let template = try entry.settings.destination.resolved(paths, in: documents)
                types.documentTypes[index].settings.destination = template
                guard let documents else { continue }
                let start = template.literalNames.reduce(template.isAbsolute ? BytePath("/") : documents) {
                    $0.appending($1)
                }
                if let inbox = inboxes.first(where: { start == $0 || start.isInside($0) }) {
                    let what = start == inbox ? "is the Inbox itself" : "lies inside Inbox \(inbox)"
                    throw ValueProblem("\(start) \(what): documents would never leave it")
                }
            } catch {
                complain(origin, "Destination: \(error.text)")
            }
        }
    }

    /// Makes the folders for rejected documents absolute or relative to Documents; none lies in an Inbox.
    private mutating func resolveRejected(_ inboxes: inout [ConfiguredInbox], _ documents: BytePath?) {
        let paths = inboxes.map(\.path)
        // What [Inbox] says holds for several Inboxes.
        var complaints: Set<String> = []
        for index in inboxes.indices {
            guard let folder = inboxes[index].settings.rejected else { continue }
            let origin =
                (inboxes[index].overrides["Rejected"] ?? assembly.inbox.origins["Rejected"])?.last
                ?? inboxes[index].origin
            do throws(ValueProblem) {
                let template = try folder.resolved(self.paths, in: documents)
                inboxes[index].settings.rejected = template
                guard let documents else { continue }
                let place = template.literalNames.reduce(template.isAbsolute ? BytePath("/") : documents) {
                    $0.appending($1)
                }
                if let inbox = paths.first(where: { place == $0 || place.isInside($0) }) {
                    let what = place == inbox ? "is the Inbox itself" : "lies inside Inbox \(inbox)"
                    throw ValueProblem("\(place) \(what): rejected documents would arrive again")
                }
            } catch {
                if complaints.insert("\(origin): \(error.text)").inserted {
                    complain(origin, "Rejected: \(error.text)")
                }
            }
        }
    }

    /// Finds what depends on checks that are not there.
    private mutating func noteChecks(_ inboxes: [ConfiguredInbox]) {
        func origin(_ key: String, of entry: ConfiguredDocumentType) -> ConfigurationOrigin {
            entry.origins[key]?.last ?? entry.origin
        }
        let isChecked = inboxes.contains { $0.settings.check != nil }
        if !isChecked, inboxes.contains(where: { $0.settings.rejected != nil }),
            types.documentTypes.allSatisfy({ $0.settings.check == nil }),
            let origin = assembly.inbox.origins["Rejected"]?.last
        {
            note(origin, "Rejected: no Check= is configured that could reject anything")
        }
        for entry in types.documentTypes where !isChecked {
            if !entry.settings.facts.isEmpty {
                note(
                    origin("Facts", of: entry),
                    "Facts: no Inbox has a Check= that could say them, so that it accepts nothing")
            }
            let pieces = entry.settings.destination.components.flatMap(\.self) + (entry.settings.name?.pieces ?? [])
            for case .fact(let key) in pieces.flatMap(\.alternatives).map(\.source) where entry.settings.check == nil {
                let place = entry.settings.name?.pieces.contains {
                    $0.alternatives.contains { $0.source == .fact(key) }
                }
                note(
                    origin(place == true ? "Name" : "Destination", of: entry),
                    "{fact.\(key)}: no Check= is configured that could say it")
            }
        }
    }

    private mutating func note(_ origin: ConfigurationOrigin, _ text: String) {
        assembly.notices.append(ConfigurationProblem(origin, text))
    }

    /// Makes the Inboxes of conditions absolute, and finds what an entry contradicts itself in.
    private mutating func resolveConditions(_ documents: BytePath?, _ inboxes: [BytePath]) {
        for index in types.documentTypes.indices {
            let entry = types.documentTypes[index]
            let settings = entry.settings
            func origin(_ key: String) -> ConfigurationOrigin { entry.origins[key]?.last ?? entry.origin }
            if let least = settings.minSize, let most = settings.maxSize, least > most {
                complain(
                    origin("MinSize"),
                    "MinSize=\(ValueText.size(least)) is above MaxSize=\(ValueText.size(most)) "
                        + "(\(origin("MaxSize"))): no document has such a size")
            }
            for word in settings.inboxes {
                do throws(ValueProblem) {
                    let path = try paths.resolve(try WordList.path(word: word), relativeTo: documents)
                    if let known = Self.folder(path, among: inboxes) {
                        types.documentTypes[index].settings.inboxPaths.append(known)
                        continue
                    }
                    if assembly.places.inboxOrigins == [.commandLine] {
                        // The command line chose other Inboxes for once; the file is not wrong because of that.
                        types.documentTypes[index].settings.inboxPaths.append(path)
                        continue
                    }
                    let names = inboxes.prefix(16).map(\.displayText)
                    let hint = nearest(to: path.displayText, among: names, limit: .max)
                    throw ValueProblem("\(path) is no Inbox\(hint.map { "; the nearest is \($0)" } ?? "")")
                } catch {
                    complain(origin("Inboxes"), "Inboxes: \(error.text)")
                }
            }
            checkPlaceholders(of: entry)
        }
    }

    /// Finds placeholders of an entry that nothing gives a value to.
    private mutating func checkPlaceholders(of entry: ConfiguredDocumentType) {
        let settings = entry.settings
        let captures = settings.pattern?.captures ?? []
        let keys = Set(settings.annotations.compactMap { DocumentTypeSettings.annotation($0)?.key })
        let facts = Set(settings.facts.compactMap { DocumentTypeSettings.annotation($0)?.key })
        let templates: [(key: String, pieces: [TemplatePiece])] = [
            ("Destination", settings.destination.components.flatMap(\.self)), ("Name", settings.name?.pieces ?? []),
        ]
        for (key, pieces) in templates {
            let origin = entry.origins[key]?.last ?? entry.origin
            for piece in pieces {
                var unknown: String?
                var isSure = false
                for alternative in piece.alternatives {
                    switch alternative.source {
                    case .placeholder(.origin): isSure = isSure || !settings.origins.isEmpty
                    case .placeholder(let placeholder): isSure = isSure || placeholder.isCertain
                    case .annotation(let key): isSure = isSure || keys.contains(key)
                    case .fact(let key): isSure = isSure || facts.contains(key)
                    case .capture(let name):
                        if !captures.contains(name) { unknown = name }
                        isSure = true
                    case .text(let text): isSure = isSure || !text.isEmpty
                    }
                }
                if let unknown {
                    let hint = TemplatePiece.hint(for: unknown, besides: captures)
                    complain(origin, "\(key): {\(unknown)} is no placeholder\(hint)")
                } else if key == "Destination", !piece.alternatives.isEmpty, !isSure {
                    let words = piece.alternatives.map(\.description).joined(separator: "|")
                    complain(
                        origin,
                        "Destination: not every document has a {\(words)}; give another value: {\(words)|\"Unknown\"}")
                }
            }
        }
    }

    private mutating func socket(_ given: BytePath?) -> SocketAddress? {
        let origin = assembly.control.origins["Socket"]?.last ?? .builtIn
        let entry = given.map { InboxPlaces.Entry(path: $0, origin: origin) }
        guard let path = entry.map({ resolve($0, "Socket", relativeTo: nil)?.path }) ?? defaultSocket else {
            return nil
        }
        if let address = SocketAddress(path) { return address }
        let most = "the \(SocketAddress.longest) bytes of a socket's path"
        complain(origin, "Socket: \(quotedExcerpt(path.bytes)) is longer than \(most)")
        return nil
    }

    private mutating func complain(_ origin: ConfigurationOrigin, _ text: String) {
        assembly.problems.append(ConfigurationProblem(origin, text))
    }
}
