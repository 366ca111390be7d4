import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("The brake against guessing")
struct DeskGuardTests {
    /// How many tries fit into a time, each as soon as it is possible; with a login by another name before each, if wanted.
    private func tries(within seconds: Double, ownName: Bool = false, names: (Int) -> String) -> Int {
        var watch = DeskGuard()
        var (now, count) = (0.0, 0)
        while now < seconds {
            let name = names(count)
            if let wait = watch.wait(at: now) ?? watch.wait(for: name, at: now) {
                now += Double(wait)
                continue
            }
            if ownName { watch.succeeded(user: "mallory", at: now) }
            _ = watch.failed(user: name, at: now)
            count += 1
            now += 0.1
        }
        return count
    }

    @Test("At one name 12 tries in the first hour and four in each further one, also with valid logins in between")
    func oneName() {
        for ownName in [false, true] {
            #expect(tries(within: 3_600, ownName: ownName) { _ in "alice" } == 12)
            #expect(tries(within: 86_400, ownName: ownName) { _ in "alice" } == 104)
        }
    }

    @Test("At many names 17 tries in the first hour and four in each further one")
    func manyNames() {
        #expect(tries(within: 3_600) { "user\($0)" } == 17)
        #expect(tries(within: 86_400) { "user\($0)" } == 109)
    }

    @Test("A success makes its own user's failures forgotten, at the desk as well, and no other user's")
    func success() {
        var watch = DeskGuard()
        for _ in 0..<4 { _ = watch.failed(user: "alice", at: 0) }
        for _ in 0..<4 { _ = watch.failed(user: "bob", at: 0) }
        watch.succeeded(user: "bob", at: 1)
        #expect(watch.failed(user: "alice", at: 1).user == 30, "the fifth of hers")
        #expect(watch.wait(for: "bob", at: 2) == nil && watch.wait(at: 2) == nil)
        // Five are counted at the desk.
        for _ in 0..<4 { #expect(watch.failed(at: 3) == nil) }
        #expect(watch.failed(at: 3) == 30)
    }

    @Test("Each hour without a failure makes one forgotten")
    func decay() {
        var watch = DeskGuard()
        for _ in 0..<5 { _ = watch.failed(user: "alice", at: 0) }
        #expect(watch.wait(for: "alice", at: 29) == 1 && watch.wait(for: "alice", at: 31) == nil)
        #expect(watch.failed(user: "alice", at: 3_500).user == 60, "nothing is forgotten yet")
        #expect(watch.failed(user: "alice", at: 3_500 + 3 * 3_600).user == nil, "three are")
        #expect(watch.failed(user: "alice", at: 3_500 + 3 * 3_600).user == 30)
    }

    @Test("Time that a visit takes without a session is counted, half a minute as a failure")
    func held() {
        var watch = DeskGuard()
        var closed: [Int] = []
        for minute in 0..<12 {
            if let seconds = watch.heldUp(for: 60, at: Double(minute) * 60) { closed.append(seconds) }
        }
        #expect(closed.first == 30 && closed.count == 8)
        watch = DeskGuard()
        for second in 0..<9 { #expect(watch.heldUp(for: 0.02, isFailure: true, at: Double(second)) == nil) }
        #expect(watch.heldUp(for: 0.02, isFailure: true, at: 9) == 30)
    }
}
