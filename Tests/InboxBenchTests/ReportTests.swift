import Testing

@testable import inbox_bench

/// What figures become: percentiles, ratios, and whether a goal is met.
@Suite("The benchmark's figures")
struct ReportTests {
    @Test("A percentile is one of the values: the first that so many percent do not exceed")
    func percentiles() throws {
        let samples = try #require(Samples((1...200).map { Double($0) }.shuffled()))
        #expect(samples.median == 100 && samples.percentile(99) == 198)
        #expect(samples.lowest == 1 && samples.highest == 200)
        #expect(Samples(7).median == 7 && Samples(7).percentile(99) == 7 && Samples([]) == nil)
    }

    @Test("The ratio is taken round by round, of the medians where the rounds differ, and never of nothing")
    func ratios() throws {
        let floor = try #require(Samples([10, 20, 40]))
        let figure = try #require(Samples([20, 60, 80]))
        #expect(figure.divided(by: floor)?.values == [2, 3, 2])
        #expect(Samples(60).divided(by: floor)?.values == [3])
        #expect(figure.divided(by: Samples(0)) == nil)
        #expect(figure.spread == 50 && Samples(60).spread == nil)
    }

    @Test("A goal is met at its limit, and missed beyond it")
    func goals() {
        let floor = (name: "the floor", samples: Samples(10))
        #expect(Measurement("", Samples(15), floor: floor, goal: .ratio(1.5)).isMet == true)
        #expect(Measurement("", Samples(16), floor: floor, goal: .ratio(1.5)).isMet == false)
        #expect(Measurement("", Samples(5), goal: .figure(5)).isMet == true)
        #expect(Measurement("", Samples(6), goal: .figure(5)).isMet == false)
        #expect(Measurement("", Samples(6)).isMet == nil)
    }

    @Test("A row of the table has the figure, its floor, the ratio, what is wanted and whether that is reached")
    func row() throws {
        let figure = try #require(Samples([19_000, 20_000, 21_000]))
        let missed = Measurement("filing", figure, floor: ("nothing but calls", Samples(10_000)), goal: .ratio(1.5))
        let peer = Measurement("mv", unit: .bytes, Samples(99_999), isPeer: true)
        let text = Table().text(of: Findings(measurements: [missed, peer], notes: ["missing: cp"]), TypesSubject())
        let rows = text.split(separator: "\n").map { $0.split(separator: " ", omittingEmptySubsequences: true) }
        #expect(rows[1].joined(separator: " ") == "filing 20 us ± 5 % 10 us 2 x ≤ 1.5 x no")
        #expect(rows[2].joined(separator: " ") == "mv 99999 B peer")
        #expect(rows[3].joined(separator: " ") == "floor: nothing but calls")
        #expect(rows[4].joined(separator: " ") == "missing: cp")
        #expect(1_000_000.grouped == "1,000,000" && 999.grouped == "999")
    }
}
