import InboxFiling
import InboxLinux

/// Folders that are one document: each is surveyed in the pool, and then taken for a file.
extension NameInspection {
    /// A folder that is one document is surveyed, and then taken for a file of that size and those times.
    func foundPackage(
        _ name: FileName, in parent: Folder, _ status: FileStatus, because cause: Cause, at moment: Moment
    ) {
        if let known = book.id(of: name, in: parent).flatMap({ book[$0] }), known.isInFlight,
            known.isFile(status, FileMark(status))
        {
            return
        }
        discovery.follow(status, to: name, in: parent, at: moment)
        var request = PackageSurveys.Request(name: name, folder: parent, cause: cause)
        request.isNew = !isWaiting(name, in: parent)
        // One that is waiting already has nobody else who inspects it again.
        guard !request.isNew || cause.isRequest || surveys.hasRoom(for: status.owner) else {
            return discovery.crowded(parent)
        }
        surveys.request(request, owner: status.owner)
        beginSurveys(at: moment)
    }

    private func isWaiting(_ name: FileName, in parent: Folder) -> Bool {
        book.id(of: name, in: parent).map { book.state(of: $0)?.group == .waiting } ?? false
    }

    /// Begins the next survey.
    func beginSurveys(at moment: Moment) {
        while let (request, report) = surveys.begin({ opened($0, at: moment) }) {
            surveyed(request, report, at: moment)
        }
    }

    /// The folder that a package is in; nil where it cannot be opened, from which the conclusions are drawn.
    private func opened(_ request: PackageSurveys.Request, at moment: Moment) -> OpenFolder? {
        do throws(FolderError) { return try tree.open(request.folder) } catch {
            failed(request.name, in: request.folder, error, at: moment)
            return nil
        }
    }

    /// Takes the survey that the pool has finished.
    func takeSurveys(at moment: Moment) {
        while let (request, report) = surveys.takeFinished() { surveyed(request, report, at: moment) }
        beginSurveys(at: moment)
    }

    private func surveyed(_ request: PackageSurveys.Request, _ report: SurveyReport, at moment: Moment) {
        let (name, parent) = (request.name, request.folder)
        guard !parent.isGone else { return }
        guard let status = report.status else {
            if let failure = report.failure { surveyFailed(name, in: parent, failure, at: moment) }
            return
        }
        do throws(FolderError) {
            // Meanwhile another may have the name, or nobody.
            guard try tree.status(of: name, in: parent).identity.file == status.identity.file else {
                return inspect(name, in: parent, because: request.cause, at: moment)
            }
        } catch {
            return failed(name, in: parent, error, at: moment)
        }
        if let walked = tree.folder(status.identity.file), !walked.isGone { course.absorb(walked) }
        var package = ArrivalFacts.Package(
            hasFiles: report.hasFiles, hasPartial: report.hasPartial, cost: report.cost)
        package.isYoung = report.hasYoungRepository && !isWhole(name, in: parent)
        discovery.found(name, in: parent, status, package, because: request.cause, at: moment)
    }

    /// Something went while it was surveyed: the name itself, which may be back by now, or what was in it.
    private func vanished(_ name: FileName, in parent: Folder, at moment: Moment) {
        do throws(FolderError) {
            _ = try tree.status(of: name, in: parent)
        } catch {
            return failed(name, in: parent, error, at: moment)
        }
        if let id = book.id(of: name, in: parent) {
            if book[id]?.isInFlight == false { course.wait(id, .settling, nil, at: moment) }
        } else {
            scanner.requestFullScan(notBefore: moment.now + .seconds(1))
        }
    }

    private func surveyFailed(
        _ name: FileName, in parent: Folder, _ failure: FolderWalk.Failure, at moment: Moment
    ) {
        switch failure {
        case .failed(let error) where error.errno.isAbsent:
            vanished(name, in: parent, at: moment)
        case .denied(let error, let names):
            let words = error.words(at: names.reduce(parent.path(of: name)) { $0.appending($1) })
            hold(name, in: parent, words, at: moment)
        case .mounted:
            let words = "a filesystem is mounted in it, and would not move with it: unmount that, then inboxctl retry"
            hold(name, in: parent, words, at: moment)
        case .failed(let error) where book.id(of: name, in: parent) != nil || error.errno.isWantOfResources:
            failed(name, in: parent, .failed(error), at: moment)
        case .failed, .tooLarge:
            // As an unwalked folder it is at least accounted for, and held.
            do throws(FolderError) {
                let status = try tree.status(of: name, in: parent)
                discovery.found(name, in: parent, status, because: .scan, at: moment)
            } catch {
                failed(name, in: parent, error, at: moment)
            }
        }
    }

    /// Something in it keeps it from travelling whole: it is held until that has changed.
    private func hold(_ name: FileName, in parent: Folder, _ words: String, at moment: Moment) {
        if book.id(of: name, in: parent) == nil {
            do throws(FolderError) {
                let status = try tree.status(of: name, in: parent)
                let package = ArrivalFacts.Package(hasFiles: true, hasPartial: false, cost: .zero)
                discovery.found(name, in: parent, status, package, because: .scan, at: moment)
            } catch {
                return failed(name, in: parent, error, at: moment)
            }
        }
        guard let id = book.id(of: name, in: parent), book[id]?.isInFlight == false else { return }
        course.hold(id, .permission, words, at: moment)
    }
}
