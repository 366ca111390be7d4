import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Access to attributes over secured links")
struct AccessTests {
    static let kinds: [AttributeAccess] = [
        .open, .encrypted, .authenticated, .secureConnections, .authorized,
        AttributeAccess(security: .encrypted, minimumKeySize: 16),
        AttributeAccess(security: .authenticated, needsAuthorization: true),
    ]

    /// How a link can be: as the specification's table of errors has it. Core 6.0, Vol 3, Part C, 10.3.1.
    enum Link: CaseIterable {
        case noKey, keyNotUsed, unauthenticated, authenticated, secureConnections, shortKey

        var security: LinkSecurity {
            var link = LinkSecurity()
            link.hasKey = self != .noKey
            link.isEncrypted = ![.noKey, .keyNotUsed].contains(self)
            link.isAuthenticated = [.authenticated, .secureConnections, .shortKey].contains(self)
            link.isSecureConnections = self == .secureConnections
            link.keySize = !link.isEncrypted ? 0 : self == .shortKey ? 7 : 16
            return link
        }

        /// The errors for each of `kinds`; 0 for none. Without authorization.
        var errors: [UInt8] {
            switch self {
            case .noKey: [0, 0x05, 0x05, 0x05, 0x08, 0x05, 0x05]
            case .keyNotUsed: [0, 0x0F, 0x0F, 0x0F, 0x08, 0x0F, 0x0F]
            case .unauthenticated: [0, 0, 0x05, 0x05, 0x08, 0, 0x05]
            case .authenticated: [0, 0, 0, 0x05, 0x08, 0, 0x08]
            case .secureConnections: [0, 0, 0, 0, 0x08, 0, 0x08]
            case .shortKey: [0, 0, 0, 0x05, 0x08, 0x0C, 0x08]
            }
        }
    }

    @Test(
        "Each link is refused what it is not good enough for, with the error that says what is missing",
        arguments: Link.allCases
    )
    func table(_ link: Link) {
        for (access, code) in zip(Self.kinds, link.errors) {
            var security = link.security
            let error = access.error(on: security, refusal: .readNotPermitted)
            #expect(error == (code == 0 ? nil : ATTError(rawValue: code)), "\(access)")
            security.isAuthorized = true
            let authorized = access.error(on: security, refusal: .readNotPermitted)
            #expect(authorized == (code == 0 || code == 0x08 ? nil : ATTError(rawValue: code)), "\(access)")
            security.isWeakerThanBond = true
            let weaker = access.error(on: security, refusal: .readNotPermitted)
            let plain: ATTError = security.hasKey ? .insufficientEncryption : .insufficientAuthentication
            #expect(weaker == (access.security == .none ? nil : plain))
        }
    }

    @Test("Every way to read or to write is refused alike")
    func methods() throws {
        var pair = HostPairingTests.justWorks()
        try pair.connect()
        let link = pair.links[0]
        let handles = pair.handles
        func outcome(_ body: (Host, Instant, inout HostActions) throws(OrderError) -> ProcedureID) throws
            -> ProcedureResult?
        {
            _ = try pair.order(0, body)
            return pair.lastResult
        }
        func expect(_ error: ATTError) throws {
            #expect(try pair.read(1) == refused(error, handles[1].value))
            #expect(try pair.write([9], handles[1].value) == refused(error, handles[1].value, .writeRequest))
            let long = [UInt8](repeating: 1, count: 60)
            #expect(try pair.write(long, handles[1].value) == refused(error, handles[1].value, .prepareWriteRequest))
            for withLengths in [false, true] {
                let result = try outcome { host, now, actions throws(OrderError) in
                    try host.readMultiple(
                        link,
                        [handles[0].value, handles[1].value],
                        withLengths: withLengths,
                        at: now,
                        into: &actions
                    )
                }
                let request: ATTOpcode = withLengths ? .readMultipleVariableRequest : .readMultipleRequest
                #expect(result == refused(error, handles[1].value, request))
            }
            let byType = try outcome { host, now, actions throws(OrderError) in
                try host.readByUUID(link, 0xFFE2, at: now, into: &actions)
            }
            #expect(byType == refused(error, handles[1].value, .readByTypeRequest))
            let configuration = try #require(handles[1].clientConfiguration)
            #expect(try pair.write([1, 0], configuration) == refused(error, configuration, .writeRequest))
        }
        try expect(.insufficientAuthentication)
        #expect(try pair.read(0) == .value([1]))
        #expect(try pair.read(5) == refused(.insufficientAuthorization, handles[5].value))
        pair.host(1).authorize(pair.links[1])
        #expect(try pair.read(5) == .value([6]))
        pair.host(1).authorize(pair.links[1], false)
        #expect(try pair.read(5) == refused(.insufficientAuthorization, handles[5].value))

        try pair.pair()
        #expect(try pair.read(1) == .value([2]))
        #expect(try pair.write([9], handles[1].value) == .written)
        #expect(try pair.read(2) == refused(.insufficientAuthentication, handles[2].value))

        let encryptsByItself = HostConfiguration(seed: 1).encryptsBondedLinks
        #expect(encryptsByItself)
        pair.pair.inject(\.peripheral) { .encryptionChange(EncryptionChange(connection: $0, isEncrypted: false)) }
        pair.collect()
        try expect(.insufficientEncryption)
    }

    @Test("What was prepared over an encrypted link is not written over a plain one")
    func preparedBefore() throws {
        var pair = HostPairingTests.justWorks()
        try pair.connect()
        try pair.pair()
        let handle = pair.handles[1].value
        let bearer = ATTEnd.Bearer(pair.links[1], maximumMTU: 23)
        bearer.security.isEncrypted = true
        bearer.security.keySize = 16
        bearer.security.hasKey = true
        var actions = ATTActions()
        var server = pair.host(1).core.att.server
        func receive(_ pdu: ATTPDU) -> [UInt8] {
            let bytes = pdu.bytes
            server.handlePDU(bytes.span.bytes, pdu.opcode, on: &bearer.link, at: .zero, into: &actions)
            return Array(actions.outgoing.last?.dropFirst(OutgoingPDU.headroom) ?? [])
        }
        let prepared = PreparedWrite(handle: handle.rawValue, offset: 0, part: [7])
        #expect(receive(.prepareWriteRequest(prepared)).first == ATTOpcode.prepareWriteResponse.rawValue)
        bearer.security.isEncrypted = false
        let refusal = receive(.executeWriteRequest(ExecuteWriteRequest(.write)))
        #expect(refusal.first == ATTOpcode.errorResponse.rawValue && refusal.last == 0x0F)
        #expect(server.database.value(of: handle) == [2])
    }

    // MARK: Values sent by themselves, and what clients have set

    /// Bonded hosts, apart, whose central has subscribed to the value that needs encryption and to the open one.
    static func subscribed(encryptsByItself: Bool = true) throws -> SecuredPair {
        var pair = SecuredPair([HostPairingTests.settings(), HostPairingTests.settings()]) {
            $0.encryptsBondedLinks = encryptsByItself
        }
        try pair.connect()
        try pair.pair()
        for index in 0..<2 {
            let configuration = try #require(pair.handles[index].clientConfiguration)
            #expect(try pair.write([1, 0], configuration) == .written)
        }
        try pair.disconnect()
        pair.forget()
        return pair
    }

    static func notify(_ pair: inout SecuredPair, _ index: Int) -> [[UInt8]] {
        let handle = pair.handles[index].value
        pair.forget()
        pair.order(1) { host, now, actions in _ = host.notify([42], handle: handle, at: now, into: &actions) }
        return pair.others[0].compactMap {
            if case .client(.notificationReceived(_, _, let value, _)) = $0 { value } else { nil }
        }
    }

    @Test("What a bonded client has subscribed to is saved at once, and given back when it is encrypted again")
    func restored() throws {
        var pair = try Self.subscribed()
        let record = try #require(pair.stores[1].kept.all.first).clientRecord
        #expect(record.subscriptions.map(\.value) == [pair.handles[0].value, pair.handles[1].value])
        #expect(record.databaseHash == pair.host(1).clientRecordHash)
        try pair.connect()
        #expect(Self.notify(&pair, 0) == [[42]] && Self.notify(&pair, 1) == [[42]])
    }

    @Test("What it has subscribed to is forgotten where the service is removed")
    func removed() throws {
        var pair = try Self.subscribed()
        let kept = pair.stores[1].kept.all.first?.clientRecord.subscriptions ?? []
        #expect(kept.count == 2)
        let service = try #require(
            pair.host(1).database.discoverable.services.first { $0.handles.contains(kept[0].value) }
        )
        pair.order(1) { host, now, actions in
            try? host.removeService(at: service.handles.lowerBound, at: now, into: &actions)
        }
        #expect(pair.stores[1].kept.all.first?.clientRecord.subscriptions == [])
    }

    @Test("Until it is, nothing is sent that needs encryption, and nothing that only its bond remembers")
    func notBefore() throws {
        var pair = try Self.subscribed(encryptsByItself: false)
        try pair.connect()
        #expect(Self.notify(&pair, 0).isEmpty && Self.notify(&pair, 1).isEmpty)
        #expect(pair.pair.encryption.inClear.isEmpty)
        let link = pair.links[0]
        try pair.order(0) { host, now, actions in
            try host.secure(link, atLeast: .encrypted, at: now, into: &actions)
        }
        #expect(Self.notify(&pair, 0) == [[42]] && Self.notify(&pair, 1) == [[42]])
        // And no more once the link is in the clear again.
        pair.pair.inject(\.peripheral) { .encryptionChange(EncryptionChange(connection: $0, isEncrypted: false)) }
        pair.collect()
        #expect(Self.notify(&pair, 1).isEmpty && Self.notify(&pair, 0) == [[42]])
    }

    @Test("What somebody sets at the address of a bonded client, without its key, does not get into the bond")
    func impostor() throws {
        var pair = try Self.subscribed(encryptsByItself: false)
        let before = pair.stores[1].kept.all
        try pair.connect()
        let configuration = try #require(pair.handles[0].clientConfiguration)
        // On this connection nothing is set yet, so that taking back would be no change: something else is.
        #expect(try pair.write([2, 0], configuration) == .written)
        #expect(pair.stores[1].kept.all == before)
    }

    @Test("What a client has set before it is encrypted counts more than what its bond remembers")
    func newerSetting() throws {
        var pair = try Self.subscribed(encryptsByItself: false)
        try pair.connect()
        let configuration = try #require(pair.handles[0].clientConfiguration)
        #expect(try pair.write([0, 0], configuration) == .written)
        let link = pair.links[0]
        try pair.order(0) { host, now, actions in
            try host.secure(link, atLeast: .encrypted, at: now, into: &actions)
        }
        #expect(Self.notify(&pair, 0).isEmpty && Self.notify(&pair, 1) == [[42]])
        // And takes its place in the bond.
        try pair.disconnect()
        try pair.connect()
        let next = pair.links[0]
        try pair.order(0) { host, now, actions in
            try host.secure(next, atLeast: .encrypted, at: now, into: &actions)
        }
        #expect(Self.notify(&pair, 0).isEmpty && Self.notify(&pair, 1) == [[42]])
    }

    @Test("A client without a bond begins afresh")
    func fresh() throws {
        var pair = SecuredPair([HostPairingTests.settings { $0.bonding = false }, HostPairingTests.settings()])
        try pair.connect()
        let configuration = try #require(pair.handles[0].clientConfiguration)
        #expect(try pair.write([1, 0], configuration) == .written)
        #expect(Self.notify(&pair, 0) == [[42]])
        try pair.disconnect()
        try pair.connect()
        #expect(Self.notify(&pair, 0).isEmpty)
    }

    @Test("A bonded client hears on its return that the database has changed, and only once")
    func serviceChanged() throws {
        var pair = HostPairingTests.justWorks()
        try pair.connect()
        try pair.pair()
        let row = try #require(pair.host(1).database.attributes.first { $0.role == .serviceChanged })
        let configuration = try #require(row.handle.next)
        #expect(try pair.write([2, 0], configuration) == .written)
        try pair.disconnect()
        _ = try pair.order(1) { host, now, actions throws(DatabaseError) in
            try host.addServices([ServiceDefinition(0xFFD0)], at: now, into: &actions)
        }
        func indications() -> [[UInt8]] {
            pair.others[0].compactMap {
                if case .client(.notificationReceived(_, row.handle, let value, true)) = $0 { value } else { nil }
            }
        }
        pair.forget()
        try pair.connect()
        #expect(indications() == [[0x01, 0x00, 0xFF, 0xFF]])
        try pair.disconnect()
        pair.forget()
        try pair.connect()
        #expect(indications().isEmpty)
    }

    @Test("What a client has set is not told of as saved where the store fails")
    func failingStore() throws {
        var pair = HostPairingTests.justWorks()
        try pair.connect()
        try pair.pair()
        pair.stores[1].fails = true
        pair.forget()
        let configuration = try #require(pair.handles[0].clientConfiguration)
        #expect(try pair.write([1, 0], configuration) == .written)
        #expect(pair.security[1].contains { if case .bondStoreFailed = $0 { true } else { false } })
        #expect(pair.host(1).bonds == pair.stores[1].kept.all)
    }
}

extension Host {
    var clientRecordHash: [UInt8] { core.att.server.database.hash }
}
