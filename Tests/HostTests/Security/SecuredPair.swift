import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

/// Two hosts back to back whose controllers can encrypt, with a person at each who answers what is asked. End 0 is the
/// central, end 1 the peripheral.
struct SecuredPair {
    static var ends: [WritableKeyPath<HostPair, HostPair.End>] { [\.central, \.peripheral] }

    var pair: HostPair
    let stores: [FlakyBondStore]
    let configure: @Sendable (inout HostConfiguration) -> Void
    /// The connection as each end names it.
    var links: [ConnectionID] = []
    var security: [[SecurityEvent]] = [[], []]
    var others: [[HostEvent]] = [[], []]
    /// What the person at one end says to a question; nil is silence.
    var person: @Sendable (borrowing SecuredPair, Int, PairingEvent) -> PairingAnswer? = { pair, end, event in
        pair.honestAnswer(end, event)
    }

    static let services: [ServiceDefinition] = [
        .genericAttribute,
        ServiceDefinition(
            0xFFE0,
            characteristics: [
                CharacteristicDefinition(0xFFE1, properties: [.read, .notify, .indicate], value: [1]),
                CharacteristicDefinition(
                    0xFFE2,
                    properties: [.read, .write, .notify, .indicate],
                    permissions: AttributePermissions(read: .encrypted, write: .encrypted),
                    value: [2]
                ),
                CharacteristicDefinition(
                    0xFFE3,
                    properties: [.read, .write],
                    permissions: AttributePermissions(read: .authenticated, write: .authenticated),
                    value: [3]
                ),
                CharacteristicDefinition(0xFFE4, properties: [.authenticatedSignedWrites], value: [4]),
                CharacteristicDefinition(
                    0xFFE5,
                    properties: [.read],
                    permissions: AttributePermissions(read: .secureConnections),
                    value: [5]
                ),
                CharacteristicDefinition(
                    0xFFE6,
                    properties: [.read],
                    permissions: AttributePermissions(read: .authorized),
                    value: [6]
                ),
            ]
        ),
    ]
    var handles: [CharacteristicHandles] = []

    /// Settings of central and peripheral.
    init(
        _ settings: [PairingSettings],
        stores: [FlakyBondStore] = [FlakyBondStore(), FlakyBondStore()],
        seed: UInt64 = 7,
        services: [ServiceDefinition] = Self.services,
        configure: @escaping @Sendable (inout HostConfiguration) -> Void = { _ in }
    ) {
        self.stores = stores
        self.configure = configure
        pair = HostPair(encrypts: true, stores: stores) { configuration in
            configuration.seed = seed
            configuration.pairing = settings[Int(configuration.device) - 1]
            configure(&configuration)
        }
        pair.keepsEvents = true
        let added = try? pair.order(\.peripheral) { host, now, actions in
            try host.addServices(services, at: now, into: &actions)
        }
        handles = added?.last?.characteristics ?? []
        collect()
    }

    func host(_ end: Int) -> Host { pair[keyPath: Self.ends[end]].host }

    // MARK: Driving

    mutating func connect() throws {
        let connection = try pair.connect()
        links = [connection.central, connection.peripheral]
        collect()
        settle()
    }

    mutating func disconnect() throws {
        let link = links[0]
        try order(0) { host, now, actions in try host.disconnect(link, at: now, into: &actions) }
    }

    /// Gives one end an order, and lets people answer until nobody asks.
    @discardableResult
    mutating func order<Answer, Failure: Error>(
        _ end: Int,
        _ body: (Host, Instant, inout HostActions) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        let answer = try pair.order(Self.ends[end], body)
        collect()
        settle()
        return answer
    }

    mutating func pair(_ settings: PairingSettings? = nil) throws {
        let link = links[0]
        try order(0) { host, now, actions in try host.pair(link, settings: settings, at: now, into: &actions) }
    }

    mutating func run(for span: TimeSpan) {
        pair.run(for: span)
        collect()
        settle()
    }

    /// What a read of a value by the central came to.
    mutating func read(_ index: Int) throws -> ProcedureResult? {
        let link = links[0]
        let handle = handles[index].value
        _ = try order(0) { host, now, actions in try host.read(link, handle, at: now, into: &actions) }
        return lastResult
    }

    mutating func write(_ value: [UInt8], _ handle: AttributeHandle) throws -> ProcedureResult? {
        let link = links[0]
        _ = try order(0) { host, now, actions in try host.write(value, link, handle, at: now, into: &actions) }
        return lastResult
    }

    var lastResult: ProcedureResult? {
        for case .client(.procedureCompleted(_, _, let result)) in others[0].reversed() { return result }
        return nil
    }

    /// The news of both ends since the last call is forgotten.
    mutating func forget() {
        security = [[], []]
        others = [[], []]
        pair.encryption.inClear = []
    }

    private var questions: [(end: Int, event: PairingEvent)] = []

    private mutating func settle() {
        while let index = questions.indices.first(where: { person(self, questions[$0].end, questions[$0].event) != nil }
        ) {
            let (end, event) = questions.remove(at: index)
            guard let answer = person(self, end, event) else { continue }
            let link = links[end]
            try? pair.order(Self.ends[end]) { host, now, actions in
                try host.answer(answer, on: link, at: now, into: &actions)
            }
            collect()
        }
    }

    mutating func collect() {
        for (end, path) in Self.ends.enumerated() {
            for event in pair.takeEvents(path) {
                guard case .security(let event) = event else {
                    others[end].append(event)
                    continue
                }
                security[end].append(event)
                if case .pairing(let step) = event {
                    if step.isQuestion { questions.append((end, step)) }
                    if step.isEnd { questions.removeAll { $0.end == end } }
                }
            }
        }
    }

    // MARK: People

    func honestAnswer(_ end: Int, _ event: PairingEvent) -> PairingAnswer? {
        switch event {
        case .consentRequested: return .agree
        case .comparisonRequested(_, let digits):
            for case .pairing(.comparisonRequested(_, let other)) in security[1 - end].reversed() {
                return digits == other ? .agree : .refuse
            }
            return nil
        case .passkeyRequested:
            for case .pairing(.passkeyShown(_, let passkey)) in security[1 - end].reversed() {
                return .passkey(passkey)
            }
            let isAskedToo = security[1 - end].contains {
                if case .pairing(.passkeyRequested) = $0 { true } else { false }
            }
            return isAskedToo ? Passkey(123_456).map { .passkey($0) } : nil
        default: return nil
        }
    }

    // MARK: Results

    func results(_ end: Int) -> [PairingResult] {
        security[end].compactMap { if case .paired(_, let result) = $0 { result } else { nil } }
    }

    func failures(_ end: Int) -> [PairingFailure] {
        security[end].compactMap { if case .pairing(.failed(_, let failure)) = $0 { failure } else { nil } }
    }

    func encryptionFailures(_ end: Int) -> [ControllerError] {
        security[end].compactMap { if case .encryptionFailed(_, let error) = $0 { error } else { nil } }
    }

    func savedBonds(_ end: Int) -> [Bond] {
        security[end].compactMap { if case .bondSaved(let bond) = $0 { bond } else { nil } }
    }

    func link(_ end: Int) -> LinkSecurity? { host(end).security(of: links[end]) }

    /// Nothing is left of a pairing that failed: no timer, no key, no bond.
    func isClean(_ end: Int) -> Bool {
        let host = host(end)
        return host.nextDeadline == nil && host.bonds.isEmpty && stores[end].kept.all.isEmpty
            && host.hasNoKeys && host.openSlots.allSatisfy { host.core.links[$0].security.lastKey == nil }
    }
}

/// A store in memory that can be made to fail.
final class FlakyBondStore: BondStore {
    let kept = MemoryBondStore()
    var fails = false
    private(set) var saves = 0

    func bonds(of local: DeviceAddress) throws(BondStoreError) -> [Bond] { try kept.bonds(of: local) }

    func save(_ bond: Bond) throws(BondStoreError) {
        if fails { throw .writeFailed(reason: "no room") }
        saves += 1
        try kept.save(bond)
    }

    func remove(peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError) {
        if fails { throw .writeFailed(reason: "no room") }
        try kept.remove(peer: peer, of: local)
    }
}
