import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatEvents
import BluethroatHost
import BluethroatKeyFobConsole

/// What the device tells.
extension PeerMachine {
    func tell(of event: HostEvent) {
        switch event {
        case .poweredOn(let identity): say("up") { $0.add(identity.address) }
        case .startFailed(let failure), .controllerFailed(let failure):
            say("error") { $0.add("message", "\(failure)") }
        case .advertisingStarted: say("advertising")
        case .connected(let description):
            connection = description.id
            say("connected") {
                $0.add(description.peer)
                if let identity = description.peerIdentity { $0.add("identity", identity.description) }
                $0.add("bonded", description.isBonded)
            }
        case .connectFailed(_, let failure): say("connectFailed") { $0.add("message", "\(failure)") }
        case .disconnected(let id, let reason):
            if connection == id { connection = nil }
            say("disconnected") { $0.add("code", Int(reason.rawValue)) }
        case .security(let event): tell(of: event)
        case .client(.procedureCompleted(_, _, let result)): tell(of: result)
        case .server(.valueWritten(_, let handle, let value)):
            say("written") {
                $0.add("handle", Int(handle.rawValue))
                $0.add("value", value.hex)
            }
        default: break
        }
    }

    private func tell(of event: SecurityEvent) {
        switch event {
        case .pairing(let event): tell(of: event)
        case .paired(_, let result):
            say("paired") {
                $0.add("method", Self.word(for: result.method))
                $0.add("bonded", result.isBonded)
                $0.add(result.linkKey)
                if let identity = result.peerIdentity { $0.add("identity", identity.description) }
            }
        case .encryptionChanged(let id, let security):
            say("encryption") {
                $0.add("on", security.isEncrypted)
                $0.add("authenticated", security.isAuthenticated)
                $0.add("secureConnections", security.isSecureConnections)
                $0.add("keySize", Int(security.keySize))
                $0.add("weakerThanBond", security.isWeakerThanBond)
                if let key = host.encryptionKey(of: id) { $0.add("key", key.value.littleEndianBytes.hex) }
            }
        case .encryptionFailed(_, let error): say("encryptionFailed") { $0.add("code", Int(error.rawValue)) }
        case .bondSaved(let bond): tell(of: bond)
        case .bondRemoved(let peer): say("bondRemoved") { $0.add(peer) }
        case .bondStoreFailed(let error): say("error") { $0.add("message", "\(error)") }
        }
    }

    private func tell(of event: PairingEvent) {
        switch event {
        case .consentRequested: say("consent")
        case .comparisonRequested(_, let digits): say("compare") { $0.add("digits", digits.description) }
        case .passkeyShown(_, let passkey): say("passkey") { $0.add("digits", passkey.description) }
        case .passkeyRequested: say("passkeyRequested")
        case .securityRequested: say("securityRequested")
        case .failed(_, .refused(let reason)):
            say("pairingFailed") {
                $0.add("by", "us")
                $0.add("code", Int(reason.rawValue))
            }
        case .failed(_, .refusedByPeer(let reason)):
            say("pairingFailed") {
                $0.add("by", "peer")
                $0.add("code", Int(reason.rawValue))
            }
        case .failed(_, let failure): say("pairingFailed") { $0.add("by", "\(failure)") }
        case .finished, .keypress: break
        }
    }

    func tell(of bond: Bond) {
        say("bond") {
            $0.add(bond.peer)
            if let key = bond.keyAsCentral { $0.add("keyAsCentral", key.value.littleEndianBytes.hex) }
            if let key = bond.keyAsPeripheral { $0.add("keyAsPeripheral", key.value.littleEndianBytes.hex) }
            if let key = bond.peerIdentityResolvingKey { $0.add("resolvingKey", key.littleEndianBytes.hex) }
        }
    }

    private func tell(of result: ProcedureResult) {
        switch result {
        case .value(let bytes): say("value") { $0.add("value", bytes.hex) }
        case .failed(.refused(let error, _, _)): say("refused") { $0.add("code", Int(error.rawValue)) }
        case .failed(let error): say("error") { $0.add("message", "\(error)") }
        default: break
        }
    }

    private static func word(for method: PairingMethod) -> String {
        switch method {
        case .justWorks: "just works"
        case .numericComparison: "comparison"
        case .passkeyEntry(.central): "peripheral types"
        case .passkeyEntry(.peripheral): "central types"
        case .passkeyEntry(nil): "both type"
        case .outOfBand: "out of band"
        }
    }
}

extension JSONLine {
    fileprivate mutating func add(_ address: DeviceAddress) {
        add("address", address.description)
        add("addressType", address.kind == .public ? "public" : "random")
    }

    fileprivate mutating func add(_ key: LongTermKey) {
        add("key", key.value.littleEndianBytes.hex)
        add("authenticated", key.isAuthenticated)
        add("secureConnections", key.isSecureConnections)
        add("keySize", key.size)
    }
}
