import Testing

@Suite("Waits of tests", .timeLimit(.minutes(1)))
struct WatchedStateTests {
    @Test("What has happened, and what happens while a test waits, ends the wait")
    func met() async {
        let state = WatchedState(1)
        #expect(await state.wait(for: "one") { $0 == 1 })
        async let isMet = state.wait(for: "two") { $0 == 2 }
        state.change { $0 = 2 }
        #expect(await isMet)
    }

    @Test("What does not happen in time fails the test in one line that says what it was")
    func late() async {
        let state = WatchedState(1)
        await withKnownIssue {
            #expect(await state.wait(for: "the number two", within: .milliseconds(1)) { $0 == 2 } == false)
        } matching: { issue in
            issue.comments.contains { $0.rawValue == "the number two within 0.001 seconds: that has not happened" }
        }
        // The wait that is over is forgotten: a change ends no wait twice.
        state.change { $0 = 2 }
    }
}
