import InboxConfiguration
import InboxLinux

/// From the command line to the table.
struct Program {
    let options: Options

    /// Measures what was asked for; fails where something could not be measured, not where a goal is missed.
    func run() throws(CommandFailure) -> ExitStatus {
        if options.wantsHelp {
            write(Options.usage(Catalogue.subjects))
            return .done
        }
        do throws(SyscallError) { try Interruption.begin() } catch {
            throw .failed("cannot wait for signals: \(error.errno)")
        }
        let bench = Bench(isQuick: options.isQuick, programs: try Programs())
        defer { WorkFolders.shared.removeAll(keeping: options.keepsFolders) }
        let table: any Report = options.isJSON ? JSONReport() : Table()
        write(table.heading)
        var status = ExitStatus.done
        for subject in options.subjects {
            do {
                write(table.text(of: try subject.measure(bench), subject))
            } catch {
                // The folders may be gone because of a signal, which then ends the program.
                Interruption.waitIfInterrupted()
                complain("\(subject.name): cannot be measured: \(error)")
                status = .failed
            }
        }
        return status
    }
}
