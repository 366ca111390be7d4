import BluethroatAppEnvironment
import Crypto
import Foundation
import FuzzInputs

@testable import BluethroatWorkstationLogin

/// Messages, frames, texts and files of the login: what a hostile phone or desk sends, and what may stand in a file.
enum LoginFuzzTargets {
    static let all = [
        messages, sealedMessages, frames, users, frameSequences, pipes, sealedChannels, texts, vaults,
        phoneConversation, deskConversation, phone, desk,
    ]

    // MARK: Decoders

    static let messages = FuzzTarget(decoder: "login-messages", upTo: 100) { bytes in
        guard let message = LoginMessage(Data(bytes)) else { return }
        hold(message.bytes == Data(bytes), "\(message) has more than one form")
    }

    static let sealedMessages = FuzzTarget(decoder: "login-sealed-messages", upTo: 700) { bytes in
        guard let message = SealedMessage(Data(bytes)) else { return }
        hold(message.bytes == SecretBytes(bytes), "\(message) has more than one form")
    }

    static let frames = FuzzTarget(decoder: "login-frames", upTo: 100) { bytes in
        guard let frame = Frame(Data(bytes)) else { return }
        hold(frame.packet == Data(bytes), "\(frame) is written as another")
    }

    static let users = FuzzTarget(decoder: "login-users-file", upTo: 600) { bytes in
        guard let text = String(validating: bytes, as: UTF8.self), let list = try? UserList(parsing: text) else {
            return
        }
        hold((try? UserList(parsing: list.text)) == list, "a list of users is written as another")
    }

    // MARK: Machines

    /// Packets of any kind: no message is longer than is taken, and each is what its digest says.
    static let frameSequences = FuzzTarget(machine: "login-frame-sequences") { input in
        var assembler = FrameAssembler(maximumLength: 64)
        while !input.isEmpty {
            let payload = Data(input.bytes(input.index(24)))
            let outcome: FrameAssembler.Outcome
            if input.index(2) == 0 {
                let isHonest = input.index(2) == 0
                let length = isHonest ? UInt32(payload.count) : UInt32(truncatingIfNeeded: input.next(below: 80))
                let digest = isHonest ? Frame.digest(of: payload) : Data(input.bytes(8))
                outcome = assembler.begin(id: UInt32(input.index(40)), length: length, digest: digest, payload: payload)
            } else {
                outcome = assembler.more(number: UInt8(input.index(4)), payload: payload)
            }
            if case .message(_, let message) = outcome {
                hold(message.count <= 64, "a message of \(message.count) bytes")
            }
        }
    }

    /// Both ends of a pipe, and someone in between who loses, changes, repeats and invents packets: what arrives was sent,
    /// or has a digest that the one in between has made.
    static let pipes = FuzzTarget(machine: "login-pipes") { input in
        let world = HostilePipe()
        while !input.isEmpty { world.step(&input) }
        world.checkWorks()
    }

    /// Someone between two sealed channels: nothing opens that was not sealed, once and in its order.
    static let sealedChannels = FuzzTarget(machine: "login-sealed-channels", upTo: 400) { input in
        let keys = [
            SymmetricKey(data: Data(repeating: 1, count: 32)), SymmetricKey(data: Data(repeating: 2, count: 32)),
        ]
        var phone = SealedChannel(sending: keys[0], receiving: keys[1], bound: Data([7]))
        var desk = SealedChannel(sending: keys[1], receiving: keys[0], bound: Data([7]))
        let orders: [SealedMessage] = [.lock, .unlock, .end(walkedAway: true), .end(walkedAway: false)]
        var sealed: [(message: SealedMessage, box: Data)] = []
        var opened = 0
        while !input.isEmpty {
            if input.index(2) == 0 {
                let message = input.pick(orders)
                guard case .sealed(let box)? = LoginMessage(phone.seal(message)) else {
                    return hold(false, "what is sealed is no message")
                }
                sealed.append((message, box))
            }
            let index = opened + input.index(4) - 1
            var box = sealed.indices.contains(index) ? [UInt8](sealed[index].box) : input.bytes(input.index(40))
            let isChanged = input.index(2) == 0
            if isChanged { box = input.mutate(box) }
            guard let message = try? desk.open(Data(box)) else { continue }
            hold(
                opened < sealed.count && Data(box) == sealed[opened].box,
                "something opens that was not sealed as the next"
            )
            hold(opened < sealed.count && message == sealed[opened].message, "another message comes out")
            opened += 1
        }
    }

    /// A phone's machine in front of a rogue desk: credentials leave, and a session is shown, only where they may.
    static let phoneConversation = FuzzTarget(machine: "login-phone-conversation", upTo: 100) { input in
        FuzzedConversations.phone(&input)
    }

    /// A desk's machine in front of a rogue phone: a session opens only with credentials of this visit.
    static let deskConversation = FuzzTarget(machine: "login-desk-conversation", upTo: 100) { input in
        FuzzedConversations.desk(&input)
    }

    /// The whole app of a phone, with its person, in front of a rogue desk on the air.
    static let phone = FuzzTarget(machine: "login-phone", upTo: 60) { input in
        var world = VictimPhone(&input)
        while !input.isEmpty { world.step(&input) }
        world.check()
    }

    /// The whole app of a desk in front of a rogue phone on the air.
    static let desk = FuzzTarget(machine: "login-desk", upTo: 60) { input in
        var world = VictimDesk(&input)
        while !input.isEmpty { world.step(&input) }
        world.check()
    }

    /// Text that comes in pieces: it is what it would be in one, whatever characters are cut.
    static let texts = FuzzTarget(machine: "login-texts") { input in
        var pieces = TextPieces(), whole: [UInt8] = [], text = ""
        while !input.isEmpty {
            let piece = input.bytes(1 + input.index(8))
            whole += piece
            text += pieces.take(Data(piece))
        }
        text += pieces.end() ?? ""
        hold(Array(text.utf8) == Array(String(decoding: whole, as: UTF8.self).utf8), "\(whole) became \(text)")
    }

    /// Two files with any contents, of which some are those of a vault: it opens, or says what is wrong, and what it gives
    /// out again it can read.
    static let vaults = FuzzTarget(machine: "login-vault-files", upTo: 1_500) { input in
        let storage = MemoryVaultStorage()
        let vault = CredentialVault(storage, random: RandomBytes.seeded(1))
        _ = try vault.open()
        for part in VaultPart.allCases {
            switch input.index(3) {
            case 0: break
            case 1: storage.parts[part] = Data(input.bytes(input.index(500)))
            default:
                var text = [UInt8](storage.parts[part] ?? Data())
                for _ in 0...input.index(4) { text = input.mutate(text) }
                storage.parts[part] = Data(text)
            }
        }
        let again = CredentialVault(storage, random: RandomBytes.seeded(2))
        try? again.check()
        _ = again.triesLeft
        // With a PIN it would take scrypt a tenth of a second.
        guard !again.needsPIN, let record = try? again.open() else { return }
        try again.save(record)
        hold((try? CredentialVault(storage).open()) == record, "a vault is saved that does not open")
    }
}

extension FuzzedTime {
    /// A clock of an app that runs in this time.
    var clock: AppClock {
        // One thread has the time and its clock.
        nonisolated(unsafe) unowned let time = self
        return AppClock {
            time.now
        } calling: { seconds, action in
            time.calls.append((time.now + seconds, action))
        }
    }
}

/// Time that moves when it is told to.
final class FuzzedTime {
    private(set) var now: TimeInterval = 0
    fileprivate var calls: [(time: TimeInterval, action: () -> Void)] = []

    func pass(_ seconds: TimeInterval) {
        now += seconds
        let due = calls.filter { $0.time <= now }
        calls.removeAll { $0.time <= now }
        for call in due { call.action() }
    }
}
