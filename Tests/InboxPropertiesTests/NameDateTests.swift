import InboxLinux
import Testing

@testable import InboxProperties

@Suite("Dates in names")
struct NameDateTests {
    /// 2026-11-28.
    static let now = Timestamp(seconds: 1_795_824_000, nanoseconds: 0)

    @Test(
        "A date is found as people and cameras write it, with a time where one fits",
        arguments: [
            ("2024-03-01 Rechnung.pdf", "2024-03-01"), ("scan_2024_03_01.pdf", "2024-03-01"),
            ("2024.03.01.pdf", "2024-03-01"), ("Brief 01.03.2024.pdf", "2024-03-01"),
            ("IMG_20240301_174501.jpg", "2024-03-01T17:45:01"), ("IMG20240301T1745.jpg", "2024-03-01T17:45"),
            ("shot 2024-03-01 17-45-01.png", "2024-03-01T17:45:01"), ("a2024-03-01b.txt", "2024-03-01"),
            ("PXL_20240301_174501123.jpg", "2024-03-01"), ("2024-03-01_2561.txt", "2024-03-01"),
            ("2024-03-01 17-45.txt", "2024-03-01"), ("20241301 20240301.txt", "2024-03-01"),
            ("2024-02-30 2024-02-29.txt", "2024-02-29"), ("1969-01-01 2031-01-01 1970-01-01", "1970-01-01"),
            ("x.2024-03-01", "2024-03-01"), ("2024-03-01.x", "2024-03-01"), ("2026-11-28.txt", "2026-11-28"),
            ("2024-03-01-2025-01-02.pdf", "2024-03-01"), ("20240301_2025.01.02.pdf", "2024-03-01"),
        ])
    func found(_ name: String, _ date: String) throws {
        #expect(DocumentDate(inName: try #require(FileName(name)), now: Self.now)?.text == date)
    }

    @Test(
        "Numbers that a date would be a part of are no date",
        arguments: [
            "12024-03-01.txt", "2024-03-012.txt", "1.2024.03.01.txt", "2024.03.01.5.txt", "20240301174501.jpg",
            "2024-03.01.txt", "2024-3-1.txt", "01-03-2024.txt", "v1.01.03.2024.txt", "2026-12-02.txt", "0000-00-00",
            "99999999", "2024", "20240230",
        ])
    func none(_ name: String) throws {
        #expect(DocumentDate(inName: try #require(FileName(name)), now: Self.now) == nil)
    }
}
