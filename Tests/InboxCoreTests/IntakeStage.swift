import Glibc
import InboxTestSupport
import Testing

@testable import InboxConfiguration
@testable import InboxCore
@testable import InboxFiling
@testable import InboxLinux

/// An intake over a real folder, to which the test itself reports the events and the time.
final class IntakeStage {
    final class Ear {
        var words: [String] = []
    }

    let folder: TemporaryFolder
    let intake: Intake
    private let pool: FairPool?
    let ear: Ear
    private(set) var moment: Moment
    private var lastWatch: Int32 = 100

    static func configured(_ path: BytePath, _ settings: InboxSettings = InboxSettings()) -> ConfiguredInbox {
        ConfiguredInbox(path: path, origin: .builtIn, settings: settings, overrides: [:])
    }

    /// - Parameters:
    ///   - slow: how far its clocks lag those of the disk: what is written there seems to change now.
    ///   - survey: surveys packages on another thread; nil: whoever needs a survey waits for it.
    init(
        slow: Duration = .zero, _ change: (inout InboxSettings) -> Void = { _ in },
        survey: (@Sendable (SurveyJob) -> SurveyReport)? = nil
    ) throws {
        let current = Moment.current()
        moment = Moment(now: current.now - slow, wall: current.wall(at: current.now - slow))
        folder = try TemporaryFolder()
        let ear = Ear()
        self.ear = ear
        for made in ["inbox", "outside"] { folder.makeFolder(made) }
        pool = try survey.map { _ in try FairPool() }
        intake = Intake(
            inotify: nil, pool: pool, survey: survey ?? { $0.perform() },
            isPackage: { $0.bytes.suffix(5).elementsEqual(".rtfd".utf8) }
        ) { happening in
            switch happening {
            case .held(let path, let reason, _): ear.words.append("held \(path.name) \(reason.rawValue)")
            case .released(let path): ear.words.append("released \(path.name)")
            case .retrying(let path, _): ear.words.append("retrying \(path.name)")
            case .overflow: ear.words.append("overflow")
            case .warning(let words) where words.hasPrefix("dropped"): ear.words.append(words)
            default: break
            }
        }
        var settings = InboxSettings()
        change(&settings)
        intake.adopt([Self.configured(BytePath(folder.path + "/inbox"), settings)], at: moment)
        settle()
    }

    var top: Folder? { intake.inboxes.first?.top }

    /// The walked folder at a path inside the Inbox.
    func walked(_ path: String) -> Folder? {
        path.split(separator: "/").reduce(top) { $0?.folders[aName(String($1))] }
    }

    func advance(_ duration: Duration) {
        moment = Moment(now: moment.now + duration, wall: moment.wall(at: moment.now + duration))
        proceed()
    }

    func proceed() {
        repeat { intake.proceed(at: moment) } while intake.isReading && !intake.hasReady
        giveWatches()
        intake.rest()
    }

    /// Reads everything that waits to be read.
    func settle() {
        for _ in 0..<4 { proceed() }
    }

    private func giveWatches() {
        for folder in intake.parts.tree.folders where folder.position.watch == nil {
            lastWatch += 1
            intake.parts.tree.adopt(lastWatch, of: folder)
        }
    }

    /// Tells an event of a name in a folder of the Inbox.
    func event(_ mask: InotifyMask, _ name: String, in path: String = "", cookie: UInt32 = 0) {
        let watch = walked(path)?.position.watch ?? -7
        intake.note(InotifyEvent(watch: watch, mask: mask, cookie: cookie, name: FileName(name)), at: moment)
        giveWatches()
    }

    /// Makes a file in the Inbox and reports it. What is moved in has waited for what belongs to it.
    func drop(_ name: String, _ content: String = "content", _ mask: InotifyMask = .created) throws {
        try folder.write("inbox/" + name, content)
        event(mask, name)
        if mask == .movedTo { awaitCompany() }
    }

    /// Lets so much time pass as what is moved in waits for files that belong to it; a reading may take several steps.
    func awaitCompany() {
        repeat { advance(.milliseconds(50)) } while intake.isReading && !intake.hasReady
    }

    func rename(_ from: String, _ to: String) {
        #expect(Glibc.rename(folder.path + "/" + from, folder.path + "/" + to) == 0)
    }

    /// Each arrival's path inside the Inbox and its state.
    var arrivals: [String: String] {
        let prefix = folder.path.utf8.count + "/inbox/".utf8.count
        let rows = intake.arrivals().map { arrival in
            let path = EscapedBytes.text(arrival.path.bytes.dropFirst(prefix))
            return (path, arrival.state.reason ?? arrival.state.group.rawValue)
        }
        return Dictionary(rows) { "\($0) and \($1)" }
    }

    func id(_ name: String, in path: String = "") -> ArrivalID? {
        walked(path).flatMap { intake.parts.book.id(of: aName(name), in: $0) }
    }

    /// Takes the surveys that have ended.
    func takeSurveys(at moment: Moment) throws {
        try pool?.takeFinished()
        intake.parts.inspection.takeSurveys(at: moment)
    }

    /// Waits until nothing is left to read or to survey.
    func finishSurveys(at moment: Moment) throws {
        while intake.isReading {
            try takeSurveys(at: moment)
            sched_yield()
        }
    }

    /// Takes the numbers of what is ready.
    func ready(most: Int) -> [ArrivalID] { intake.takeReady(most: most, at: moment).map(\.id) }

    var sums: [Int] {
        let sum = intake.accounting
        return [sum.seen, sum.waiting, sum.held, sum.ignored, sum.withdrawn]
    }
}

extension BytePath {
    fileprivate var name: String { EscapedBytes.text(lastComponent) }
}
