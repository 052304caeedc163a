import Testing

@testable import InboxDetection

@Suite("The table of formats")
struct TableTests {
    @Test("Every line of the table can be read")
    func noFaults() {
        #expect(FormatTable.builtIn.faults.isEmpty)
        #expect(FormatTable.builtIn.formats.count > 400)
    }

    @Test("No MIME type stands in the table twice")
    func unique() {
        var seen: Set<String> = []
        for format in FormatTable.builtIn.formats {
            #expect(seen.insert(format.mime).inserted, "\(format.mime) stands twice")
        }
    }
}
