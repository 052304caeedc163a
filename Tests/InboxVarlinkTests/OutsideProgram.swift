import Glibc

// Alone: the JSON of the tests is another one than that of the protocol.
import class InboxTestSupport.Program
import class InboxTestSupport.TestRun
import struct InboxTestSupport.TestPath

/// Programs that others wrote.
enum OutsideProgram {
    /// How a program ended, and what it wrote, errors last.
    typealias Run = (exit: Program.Exit, text: String)

    /// Runs a program that is found in the `PATH`; one that is not there ends with 127, as in a shell.
    static func run(_ name: String, _ arguments: [String], variables: [String] = []) async throws -> Run {
        let folder = try TestRun.current.makeFolder().description
        let (output, errors) = (folder + "/output", folder + "/errors")
        defer {
            unlink(output)
            unlink(errors)
            rmdir(folder)
        }
        let names: [String] = ["PATH", "HOME", "VIRTUAL_ENV", "PYTHONPATH"]
        let inherited: [String] = names.compactMap { name in
            getenv(name).map { "\(name)=\(String(cString: $0))" }
        }
        let program: Program
        do {
            program = try Program(
                TestPath(name), arguments.map { TestPath($0) }, environment: inherited + variables,
                output: TestPath(output), errors: TestPath(errors))
        } catch {
            return (.status(127), "\(error)")
        }
        let exit = try await program.ended()
        return (exit, [output, errors].map(text).joined())
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
