import Testing

@testable import BluethroatWorkstationLogin

/// The tables say what follows; here each cell is played, and the phase that it leads to is looked at.
@Suite("Each cell of the login's tables")
struct ProtocolCellTests {
    /// Which phases a reaction may lead to; nil where the phase stays.
    private static func phases(after reaction: DeskProtocol.Reaction) -> [DeskProtocol.Phase]? {
        switch reaction {
        case .offer: [.offered, .idle]
        case .agree: [.agreed]
        case .check: [.checking, .agreed, .idle]
        case .conclude: [.inside, .agreed, .idle]
        case .cannotCheck: [.agreed]
        case .end, .tooSlow, .busy, .forget, .intrusion: [.idle]
        case .lock, .ignore: nil
        }
    }

    private static func phases(after reaction: PhoneProtocol.Reaction) -> [PhoneProtocol.Phase]? {
        switch reaction {
        case .answer: [.revealing, .over]
        case .verify: [.awaitingCode, .trusted, .over]
        case .compare: [.trusted, .over]
        case .send: [.sent]
        case .enter: [.inside]
        case .again: [.trusted, .awaitingCode, .over]
        case .order: [.inside, .ending]
        case .leave, .giveUp, .intrusion: [.over]
        case .show, .ignore: nil
        }
    }

    @Test("A desk: what is said of a cell in the page is where it leads", arguments: DeskProtocol.Phase.allCases)
    func desk(phase: DeskProtocol.Phase) {
        let way: [RoguePhoneModel.Symbol] = [.hello, .reveal, .rightCredentials, .firstVerdict]
        let there = Array(way.prefix(DeskProtocol.Phase.allCases.firstIndex(of: phase) ?? 0))
        for input in DeskProtocol.Input.allCases {
            var model = RoguePhoneModel(demandsCode: false)
            for symbol in there { _ = model.play(symbol) }
            #expect(model.desk.phase == phase)
            let symbol: RoguePhoneModel.Symbol =
                switch input {
                case .hello: .hello
                case .reveal: .reveal
                case .credentials: .rightCredentials
                case .end: .end
                case .lock: .lock
                case .unopened: .unreadable
                case .foreign: .nothing
                case .verdict: .firstVerdict
                case .time: .timeIsUp
                case .leave: .sessionEnds
                case .keyboard: .keyboardLogin
                case .link: .linkLost
                }
            _ = model.play(symbol)
            // Without keys nothing is sealed, and what is not sealed with them is no message.
            let isSealed = [.credentials, .end, .lock].contains(input) && (phase == .idle || phase == .offered)
            let heard = isSealed ? DeskProtocol.Input.unopened : input
            let reaction = DeskProtocol.reaction(in: phase, to: heard)
            let expected = Self.phases(after: reaction) ?? [phase]
            #expect(expected.contains(model.desk.phase), "\(phase), \(input): \(reaction), \(model.desk.phase)")
            #expect(model.faults == [])
        }
    }

    @Test("A phone: what is said of a cell in the page is where it leads", arguments: PhoneProtocol.Phase.allCases)
    func phone(phase: PhoneProtocol.Phase) {
        let isKnown = ![.awaitingCode].contains(phase)
        let way: [RogueDeskModel.Symbol] =
            switch phase {
            case .greeting: []
            case .revealing: [.offer]
            case .awaitingCode, .trusted: [.offer, .proof]
            case .sent: [.offer, .proof, .credentials]
            case .inside: [.offer, .proof, .credentials, .accepted]
            case .ending: [.offer, .proof, .credentials, .accepted, .end]
            case .over: [.nothing]
            }
        for input in PhoneProtocol.Input.allCases {
            let key = isKnown ? RogueDeskModel.rogueKey.publicKey : nil
            var model = RogueDeskModel(knownKey: key, isItsMonitorSeen: true)
            for symbol in way { _ = model.play(symbol) }
            #expect(model.phone.phase == phase)
            let symbol: RogueDeskModel.Symbol =
                switch input {
                case .offer: .offer
                case .proof: .proof
                case .refusal: .busy
                case .accepted: .accepted
                case .rejected: .rejected
                case .ended: .ended
                case .locked: .locked
                case .unlocked: .unlocked
                case .foreign: .nothing
                case .code: .rightCode
                case .credentials: .credentials
                case .end: .end
                case .lock: .lock
                }
            _ = model.play(symbol)
            let reaction = PhoneProtocol.reaction(in: phase, to: input)
            let expected = Self.phases(after: reaction) ?? [phase]
            #expect(expected.contains(model.phone.phase), "\(phase), \(input): \(reaction), \(model.phone.phase)")
            #expect(model.faults == [])
        }
    }

    @Test("The page names every phase that a reaction leads to")
    func meanings() {
        for reaction in DeskProtocol.Reaction.allCases {
            for phase in Self.phases(after: reaction) ?? [] {
                #expect(reaction.meaning.contains(phase.rawValue), "\(reaction), \(phase)")
            }
        }
        for reaction in PhoneProtocol.Reaction.allCases where reaction != .order {
            for phase in Self.phases(after: reaction) ?? [] {
                #expect(reaction.meaning.contains(phase.rawValue), "\(reaction), \(phase)")
            }
        }
    }
}
