import InboxLinux

/// The comparison of a document with other files, byte by byte, which ends early where somebody would have to wait for it.
struct Comparison {
    /// The reason why there is no result.
    enum Failure: Error {
        /// A call has failed.
        case failed(SyscallError)
        /// The comparison has ended early, with this outcome for the document.
        case ended(FilingOutcome)
    }

    private let file: OpenFile
    private let isLeased: Bool
    private let end: Instant
    private let abandonment: Abandonment?

    /// The comparison of an open file, which nothing but its result ends.
    init(of file: OpenFile) {
        self.init(of: file, isLeased: false, until: .never, nil)
    }

    /// The comparison of an open file that may end early.
    /// - Parameters:
    ///   - isLeased: whether the file has a lease, for which a writer may come to wait.
    ///   - end: from then on it is left to whoever has the time for it.
    init(of file: OpenFile, isLeased: Bool, until end: Instant, _ abandonment: Abandonment?) {
        self.file = file
        self.isLeased = isLeased
        self.end = end
        self.abandonment = abandonment
    }

    /// Returns whether another file has the same bytes.
    /// - Parameter member: the file that is compared, where that is one that goes with this one.
    func isEqual(_ member: OpenFile? = nil, to other: OpenFile) throws(Failure) -> Bool {
        var outcome: FilingOutcome?
        let isSame: Bool
        do throws(SyscallError) {
            isSame = try (member ?? file).descriptor.hasContent(of: other.descriptor) { () throws(SyscallError) in
                outcome = try earlyEnd()
                return outcome != nil
            }
        } catch {
            throw .failed(error)
        }
        if let outcome { throw .ended(outcome) }
        return isSame
    }

    /// Returns the file's SHA-256.
    func sum() throws(Failure) -> [UInt8] {
        var digest = SHA256()
        var buffer = [UInt8](repeating: 0, count: Self.portion)
        var offset: Int64 = 0
        while true {
            let count: Int
            do throws(SyscallError) { count = try file.descriptor.read(into: &buffer, at: offset) } catch {
                throw .failed(error)
            }
            if count == 0 { return digest.digest() }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            offset += Int64(count)
            try goOn()
        }
    }

    /// Bytes: so much of a file is read between two questions whether somebody waits.
    private static let portion = 256 << 10

    /// Ends the comparison where somebody waits for that.
    func goOn() throws(Failure) {
        let outcome: FilingOutcome?
        do throws(SyscallError) { outcome = try earlyEnd() } catch { throw .failed(error) }
        if let outcome { throw .ended(outcome) }
    }

    private func earlyEnd() throws(SyscallError) -> FilingOutcome? {
        if abandonment?.isRequested == true { return .changed }
        if isLeased, try !ReadLease.isWhole(file.descriptor) { return .writer }
        return end != .never && end <= .now() ? .lengthy : nil
    }
}

/// The time that a batch spends on comparing each user's documents with other files while others wait for its end.
package struct ComparingTime: Sendable {
    private let most: Duration?
    private var spent: [UInt32: Duration] = [:]
    private var spentByAll: Duration = .zero

    /// It may take as long as it needs.
    var isUnlimited: Bool { most == nil }

    /// As long as it takes: nobody waits.
    package static let unlimited = ComparingTime(most: nil)

    /// So long that nobody notices who waits.
    package static let brief = ComparingTime(most: tested ?? .milliseconds(250))

    /// The longest time for a comparison whose end others wait for, in debug builds that read it from
    /// `INBOXD_COMPARING_TIME` (milliseconds); nil everywhere else.
    static let tested: Duration? = {
        #if DEBUG
            if let text = Process.environment("INBOXD_COMPARING_TIME") {
                return Int(String(decoding: text, as: UTF8.self)).map { .milliseconds($0) }
            }
        #endif
        return nil
    }()

    /// At most so long for each user, and twice as long for all: one can have files of many owners.
    init(most: Duration?) {
        self.most = most
    }

    /// When a comparison that begins now has to end.
    func end(for owner: UInt32, from now: Instant) -> Instant {
        guard let most else { return .never }
        return now + max(.zero, min(most - spent[owner, default: .zero], most * 2 - spentByAll))
    }

    /// A user's document was compared for so long.
    mutating func note(_ duration: Duration, for owner: UInt32) {
        spent[owner, default: .zero] += duration
        spentByAll += duration
    }
}
