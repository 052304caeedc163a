import InboxTestSupport
import Testing

@testable import InboxCore
@testable import InboxLinux

@Suite("Loops of handlers")
struct HandlerLoopsTests {
    @Test(
        "A name that has grown eight times in ten minutes shows one, at either end; other names, and slower ones, do not"
    )
    func growing() {
        for (pause, isLoop) in [(1, true), (100, false)] {
            var loops = HandlerLoops()
            var (name, now) = ("scan", Instant(nanoseconds: 0))
            for growth in 0..<HandlerLoops.most {
                #expect(!loops.holds(aName(name + ".pdf"), at: now))
                loops.note(aName(name + ".pdf"), at: now)
                name = growth % 2 == 0 ? name + "-ocr" : "ocr-" + name
                now = now + .seconds(pause)
            }
            #expect(loops.holds(aName(name + ".txt"), at: now) == isLoop)
            #expect(!loops.holds(aName("scan.pdf"), at: now) && !loops.holds(aName("other.pdf"), at: now))
            #expect(!loops.holds(aName(name + ".txt"), at: now + HandlerLoops.span))
        }
    }
}
