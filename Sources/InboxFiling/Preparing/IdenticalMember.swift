import InboxLinux

/// A file beside an identical document that has the same bytes as one that goes with a document: that is discarded with it.
struct IdenticalMember: Sendable {
    /// Its name.
    let name: FileName
    /// Its status when the bytes were compared.
    let status: FileStatus

    /// Finds one for each file that goes with a document, in their order; nil where one is missing or differs: of such a
    /// document nothing is discarded.
    /// - Parameters:
    ///   - source: the folder that the document of the request lies in.
    ///   - twin: the name of the identical document.
    ///   - rights: of a user to whom files count only as far as they can be read; nil where all count.
    static func all(
        of request: FilingRequest, from source: OpenFolder, beside twin: FileName, in reached: ReachedFolder,
        _ comparison: Comparison, readableBy rights: ReadingRights? = nil
    ) throws(Comparison.Failure) -> [IdenticalMember]? {
        var members: [IdenticalMember] = []
        for member in request.members {
            guard let name = MemberName.renamed(member.name, of: request.name, as: twin) else { return nil }
            let own: OpenFile
            let other: (file: OpenFile, status: FileStatus)
            do throws(SyscallError) {
                own = OpenFile(try source.directory.file(member.name, mayCross: false))
                let status = try own.descriptor.status()
                guard let found = try IdenticalDocument.file(name, in: reached.folder, like: status),
                    try rights?.mayRead(found.file.descriptor, in: reached) != false
                else { return nil }
                other = found
            } catch {
                // What has gone or may not be read is not known to be identical.
                return nil
            }
            guard try comparison.isEqual(own, to: other.file) else { return nil }
            members.append(IdenticalMember(name: name, status: other.status))
        }
        return members
    }
}
