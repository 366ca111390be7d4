import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("The login's protocol: every order of messages up to length 6")
struct ProtocolModelTests {
    private static let length = 6

    /// Plays everything, tells how much that was, and gives all faults.
    private func explore<Model: ExploredModel>(_ name: String, _ model: Model, faults: @escaping (Model) -> [String])
        -> [String]
    {
        let probe = Probe(model, faults: faults)
        let exploration = Exploration(probe, length: Self.length)
        print(
            "\(name): \(Model.Symbol.allCases.count) symbols, \(exploration.ordersCovered) orders of \(Self.length) covered by "
                + "\(exploration.stepsPlayed) steps from \(exploration.states.count) states"
        )
        #expect(exploration.stepsPlayed > 50 && exploration.states.count > 3, "\(name): something is played")
        let likeness = Likeness(model, orders: 300, length: Self.length, seed: 1)
        #expect(likeness.differences.uniqued.prefix(3) == [], "\(name): what is called equal is equal")
        return probe.found.all.uniqued
    }

    @Test(
        "A rogue desk: credentials leave only in the one phase where they may, and no session is shown that is not there"
    )
    func rogueDesk() {
        let known = RogueDeskModel.rogueKey.publicKey, other = RoguePhoneModel.key.publicKey
        for (name, model) in [
            ("a first visit", RogueDeskModel(knownKey: nil)),
            (
                "a first visit, its own monitor in front of the person",
                RogueDeskModel(knownKey: nil, isItsMonitorSeen: true)
            ),
            ("a desk known by another key", RogueDeskModel(knownKey: other)),
            ("a known desk that has turned bad", RogueDeskModel(knownKey: known)),
        ] {
            #expect(explore(name, model) { $0.faults } == [], "\(name)")
            for prefix in [[.offer, .proof], [.offerThatDraws, .proof]] as [[RogueDeskModel.Symbol]] {
                var agreed = model
                for symbol in prefix { _ = agreed.play(symbol) }
                guard agreed.phone.phase != .over else { continue }
                #expect(explore("\(name), after \(prefix)", agreed) { $0.faults } == [], "\(name), after \(prefix)")
            }
        }
    }

    @Test("A rogue desk that nothing vouches for gets no credentials in any order; one that is known gets them")
    func rogueDeskGetsNothing() {
        var most = 0
        _ = explore("nothing vouches", RogueDeskModel(knownKey: nil)) {
            most = max(most, $0.sentCount)
            return []
        }
        #expect(most == 0)
        _ = explore("known", RogueDeskModel(knownKey: RogueDeskModel.rogueKey.publicKey)) {
            most = max(most, $0.sentCount)
            return []
        }
        #expect(most > 0, "the model can send at all")
    }

    @Test(
        "A rogue phone: a session opens only with right credentials of this visit, and with the digits that were drawn"
    )
    func roguePhone() {
        for (demandsCode, isMonitorSeen) in [(false, false), (true, false), (true, true)] {
            var sessions = 0
            for prefix in [[], [.hello, .reveal], [.hello, .reveal, .rightCredentials, .nothing]]
                as [[RoguePhoneModel.Symbol]]
            {
                var model = RoguePhoneModel(demandsCode: demandsCode, isMonitorSeen: isMonitorSeen)
                for symbol in prefix { _ = model.play(symbol) }
                let faults = explore(
                    "a rogue phone, digits \(demandsCode ? "drawn" : "not drawn"), seen \(isMonitorSeen), after \(prefix)",
                    model
                ) {
                    sessions = max(sessions, $0.sessions)
                    return $0.faults
                }
                #expect(faults == [])
            }
            #expect(
                (sessions > 0) == (!demandsCode || isMonitorSeen),
                "without the digits on the monitor no session opens; where none are drawn, passwords are enough"
            )
        }
    }

    @Test(
        "A man in the middle with keys of his own: what the phone sends only the desk can read, and only it opens a session"
    )
    func middle() {
        for (isKnown, demandsCode) in [(false, false), (true, false), (true, true), (false, true)] {
            for isAgreed in [false, true] {
                var model = MiddleModel(isKnown: isKnown, demandsCode: demandsCode)
                if isAgreed { model.agreeHonestly() }
                var (sent, sessions) = (0, 0)
                let name = "the middle, desk known \(isKnown), digits drawn \(demandsCode), agreed \(isAgreed)"
                let faults = explore(name, model) {
                    (sent, sessions) = (max(sent, $0.sent), max(sessions, $0.sessions))
                    return $0.faults
                }
                #expect(faults == [], "\(name)")
                #expect(sent > 0 && sessions > 0, "\(name): what is honest still works")
            }
        }
    }
}

/// A model that notes what it finds where all copies find it.
private struct Probe<Model: ExploredModel>: ExploredModel {
    final class Found { var all: [String] = [] }

    let found = Found()
    private var model: Model
    private let faults: (Model) -> [String]

    init(_ model: Model, faults: @escaping (Model) -> [String]) {
        (self.model, self.faults) = (model, faults)
        found.all += faults(model)
    }

    var key: String { model.key }

    mutating func play(_ symbol: Model.Symbol) -> Bool {
        let hasChanged = model.play(symbol)
        found.all += faults(model)
        return hasChanged
    }
}

extension [String] {
    fileprivate var uniqued: [String] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
