import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// Two security managers, 0 a central and 1 a peripheral, on a link without air. Controllers are imitated: a link is
/// encrypted if the peripheral has the key that the central encrypts with.
struct SecurityPair {
    enum Item {
        case pdu([UInt8])
        case encryption(ControllerError)
    }

    static let connection = SecurityConnection.id
    static let addresses = [
        DeviceAddress(value: 0xF0F1_F2F3_F4F5, kind: .random), DeviceAddress(value: 0x66_7788_99AA_BB, kind: .public),
    ]
    static let identities = [
        LocalIdentity(
            address: DeviceAddress(value: 0xC0DE_0000_0001, kind: .random),
            resolvingKey: Block128(high: 1, low: 1)
        ),
        LocalIdentity(
            address: DeviceAddress(value: 0x0011_2233_4455, kind: .public),
            resolvingKey: Block128(high: 2, low: 2)
        ),
    ]

    var managers: [SecurityEnd]
    var events: [[PairingEvent]] = [[], []]
    var now = Instant.zero
    /// PDUs as they were sent, those of the central with 0 in front.
    var sent: [(from: Int, pdu: [UInt8])] = []
    /// The key by which the link is encrypted.
    var linkKey: LongTermKey?
    /// Keys that left a manager, in orders to encrypt and in answers to a controller.
    var releasedKeys = 0
    var queue: [(to: Int, item: Item)] = []

    /// What the person at one end says to a question; nil is silence. Asked until there is an answer.
    var person: @Sendable (inout SecurityPair, Int, PairingEvent) -> PairingAnswer? = { pair, end, event in
        pair.honestAnswer(end, event)
    }
    /// What becomes of a PDU: its number, who sent it, its bytes. False if it gets lost.
    var mangle: (Int, Int, inout [UInt8]) -> Bool = { _, _, _ in true }
    /// How the controllers answer an order to encrypt, if not by comparing keys.
    var encryptionResult: ControllerError?
    /// Whether the controllers leave an order to encrypt lying.
    var neverEncrypts = false
    private var questions: [(end: Int, event: PairingEvent)] = []

    init(_ settings: [PairingSettings], seed: UInt64 = 1) {
        managers = (0..<2).map { end in
            var random = SeededRandom(seed: seed, device: UInt64(end), purpose: "pairing")
            return SecurityEnd(
                settings: settings[end],
                identity: Self.identities[end],
                random: CipherRandom(from: &random)
            )
        }
        open()
    }

    /// A connection, to a central with another address than the usual one if wanted.
    mutating func open(central: DeviceAddress = Self.addresses[0]) {
        let addresses = [central, Self.addresses[1]]
        for end in 0..<2 {
            managers[end].open(
                Self.connection,
                role: end == 0 ? .central : .peripheral,
                own: addresses[end],
                peer: addresses[1 - end]
            )
        }
    }

    mutating func close() {
        for end in 0..<2 {
            var actions = SecurityActions()
            managers[end].close(Self.connection, at: now, into: &actions)
            collect(actions, from: end)
        }
        queue = []
        questions = []
        linkKey = nil
    }

    // MARK: Driving

    /// Gives one end something to do, and lets both talk until all is quiet.
    mutating func perform(
        _ end: Int,
        _ body: (inout SecurityEnd, Instant, inout SecurityActions) throws -> Void
    ) rethrows {
        var actions = SecurityActions()
        try body(&managers[end], now, &actions)
        collect(actions, from: end)
        settle()
    }

    mutating func pair(_ settings: PairingSettings? = nil) throws {
        try perform(0) { manager, now, actions in
            try manager.pair(Self.connection, settings, at: now, into: &actions)
        }
    }

    mutating func answer(_ end: Int, _ answer: PairingAnswer) throws {
        try perform(end) { manager, now, actions in
            try manager.answer(answer, on: Self.connection, at: now, into: &actions)
        }
    }

    /// Lets one end hear a PDU.
    mutating func receive(_ end: Int, _ pdu: SMPPDU) { receive(end, pdu.bytes) }

    mutating func receive(_ end: Int, _ bytes: [UInt8]) {
        perform(end) { manager, now, actions in
            manager.handlePDU(bytes.span.bytes, on: Self.connection, at: now, into: &actions)
        }
    }

    mutating func advance(by span: TimeSpan) {
        now += span
        for end in 0..<2 where managers[end].nextDeadline.map({ $0 <= now }) ?? false {
            perform(end) { manager, now, actions in manager.expire(at: now, into: &actions) }
        }
    }

    private mutating func settle() {
        repeat { deliver() } while answerOne()
    }

    /// Lets a person answer the first question that one has an answer to; false if no person says anything. The question is
    /// taken off the list before: its answer may end the pairing, and with it all questions at that end.
    private mutating func answerOne() -> Bool {
        for (index, (end, event)) in questions.enumerated() {
            guard let answer = person(&self, end, event) else { continue }
            questions.remove(at: index)
            var actions = SecurityActions()
            // A pairing may have ended before its question was answered.
            try? managers[end].answer(answer, on: Self.connection, at: now, into: &actions)
            collect(actions, from: end)
            return true
        }
        return false
    }

    private mutating func deliver() {
        while !queue.isEmpty {
            let (end, item) = queue.removeFirst()
            var actions = SecurityActions()
            switch item {
            case .pdu(let bytes):
                managers[end].handlePDU(bytes.span.bytes, on: Self.connection, at: now, into: &actions)
            case .encryption(let result):
                managers[end].encryptionChanged(to: result, on: Self.connection, at: now, into: &actions)
            }
            collect(actions, from: end)
        }
    }

    private mutating func collect(_ actions: SecurityActions, from end: Int) {
        for action in actions.list {
            switch action {
            case .send(let buffer):
                var pdu = Array(buffer[OutgoingPDU.headroom...])
                let number = sent.count
                sent.append((end, pdu))
                if mangle(number, end, &pdu) { queue.append((1 - end, .pdu(pdu))) }
            case .startEncryption(let key):
                releasedKeys += 1
                if !neverEncrypts { encrypt(key) }
            case .emit(let event):
                events[end].append(event)
                if event.isQuestion { questions.append((end, event)) }
                if event.isEnd { questions.removeAll { $0.end == end } }
            }
        }
    }

    private mutating func encrypt(_ key: LongTermKey) {
        let answer = managers[1].longTermKey(for: key.identification, on: Self.connection)
        if answer != nil { releasedKeys += 1 }
        let result = encryptionResult ?? (answer == key ? .success : .pinOrKeyMissing)
        if result == .success { linkKey = key }
        queue.append((1, .encryption(result)))
        queue.append((0, .encryption(result)))
    }

    // MARK: People

    /// What somebody says who sees both devices.
    func honestAnswer(_ end: Int, _ event: PairingEvent) -> PairingAnswer? {
        switch event {
        case .consentRequested: return .agree
        case .comparisonRequested(_, let digits):
            guard let other = compared(1 - end) else { return nil }
            return digits == other ? .agree : .refuse
        case .passkeyRequested:
            // One shows, the other types; or somebody types the same into both.
            if let shown = shown(1 - end) { return .passkey(shown) }
            return isAsked(1 - end) ? Passkey(123_456).map { .passkey($0) } : nil
        default: return nil
        }
    }

    func shown(_ end: Int) -> Passkey? {
        for case .passkeyShown(_, let passkey) in events[end].reversed() { return passkey }
        return nil
    }

    func compared(_ end: Int) -> Passkey? {
        for case .comparisonRequested(_, let digits) in events[end].reversed() { return digits }
        return nil
    }

    func isAsked(_ end: Int) -> Bool {
        events[end].contains { if case .passkeyRequested = $0 { true } else { false } }
    }

    // MARK: Results

    func results(_ end: Int) -> [PairingResult] {
        events[end].compactMap { if case .finished(_, let result) = $0 { result } else { nil } }
    }

    func failures(_ end: Int) -> [PairingFailure] {
        events[end].compactMap { if case .failed(_, let failure) = $0 { failure } else { nil } }
    }

    /// Whether no manager has a pairing, a timer or a key, and none has anything to say.
    var isClean: Bool {
        guard queue.isEmpty else { return false }
        for end in 0..<2 {
            guard managers[end].nextDeadline == nil else { return false }
            for link in managers[end].links { if case .pairing = link.state { return false } }
            var manager = managers[end]
            guard manager.longTermKey(for: .none, on: Self.connection) == nil else { return false }
        }
        return true
    }
}

enum SecurityConnection {
    static let id: ConnectionID = {
        guard let handle = ConnectionHandle(rawValue: 0x40) else { preconditionFailure() }
        return ConnectionID(handle: handle, generation: 1)
    }()
}

extension PairingEvent {
    var isQuestion: Bool {
        switch self {
        case .consentRequested, .comparisonRequested, .passkeyRequested: true
        default: false
        }
    }

    var isEnd: Bool {
        switch self {
        case .finished, .failed: true
        default: false
        }
    }
}
