import InboxFiling
import InboxLinux

/// Somebody pauses filing, and resumes it.
extension InboxWork {
    /// Files nothing more until ``resume()``: settling goes on, copies finish. Returns whether filing was not paused.
    package func pause() -> Bool {
        guard !isPaused else { return false }
        setPaused(true)
        intake.report(.notice("paused: nothing is filed until somebody resumes"))
        intake.events.record(.paused)
        return true
    }

    /// Files again. Returns whether filing was paused, and how many documents were ready.
    package func resume() -> (changed: Bool, ready: Int) {
        guard isPaused else { return (false, 0) }
        let ready = intake.readyCount + (filing?.queuedCount ?? 0)
        setPaused(false)
        intake.report(.notice("resumed: \(ready == 1 ? "1 document is" : "\(ready) documents are") ready to be filed"))
        intake.events.record(.resumed)
        return (true, ready)
    }

    /// Returns the reason, as one word, why an arrival is not filed: for one that is waiting or held, the word of
    /// section 1 of the contract.
    package func reason(of arrival: Arrival) -> String {
        if isPaused, arrival.isHeldUpByPause { return "paused" }
        return arrival.state.reason ?? arrival.ignoredBecause?.word ?? "ignored"
    }

    /// The same in words; nil where there is nothing to add. What an earlier try has found says nothing about a pause.
    package func detail(of arrival: Arrival) -> String? {
        if isPaused, arrival.isHeldUpByPause { return "somebody paused filing: \"inboxctl resume\" ends the pause" }
        return arrival.detail ?? arrival.ignoredWords
    }
}

extension Arrival {
    /// The arrival would be filed or copied now if filing were not paused.
    fileprivate var isHeldUpByPause: Bool {
        guard case .waiting = state else { return false }
        return phase == .queued || phase == .queuedForCopy
    }
}
