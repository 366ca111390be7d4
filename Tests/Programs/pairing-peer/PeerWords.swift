import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatEvents
import BluethroatHost
import BluethroatKeyFobConsole
import BluethroatVirtualTime

/// What the device can be told: one order a line.
extension PeerMachine {
    // swift-format-ignore: the switch is a table.
    func obey(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        let rest = Array(words.dropFirst())
        switch words.first {
        case "advertise": advertise()
        case "stop": order { try $0.stopAdvertising(at: $1, into: &$2) }
        case "connect": connect(rest)
        case "disconnect": onConnection { try $0.disconnect($1, at: $2, into: &$3) }
        // With words of the pairing settings, which hold from now on.
        case "pair": onConnection { [self] in try $0.pair($1, settings: settings(rest), at: $2, into: &$3) }
        case "settings":
            order { [self] host, _, _ in
                host.pairingSettings = try settings(rest)
                say("settings")
            }
        case "secure":
            onConnection { [self] in
                guard let number = rest.first.flatMap({ UInt8($0) }), let level = SecurityLevel(rawValue: number) else {
                    throw PeerOptions.Unknown(line)
                }
                if try $0.secure($1, atLeast: level, at: $2, into: &$3) { say("secure") }
            }
        case "request": onConnection { try $0.requestSecurity($1, at: $2, into: &$3) }
        case "agree": onConnection { try $0.answer(.agree, on: $1, at: $2, into: &$3) }
        case "refuse": onConnection { try $0.answer(.refuse, on: $1, at: $2, into: &$3) }
        case "passkey":
            onConnection {
                guard let passkey = rest.first.flatMap({ Passkey(digits: $0) }) else { throw PeerOptions.Unknown(line) }
                try $0.answer(.passkey(passkey), on: $1, at: $2, into: &$3)
            }
        case "authorize":
            onConnection { [self] host, connection, _, _ in
                host.authorize(connection)
                say("authorized")
            }
        case "oob":
            let data = host.makeOutOfBandData()
            say("oob") {
                $0.add("confirm", data.confirm.littleEndianBytes.hex)
                $0.add("random", data.random.littleEndianBytes.hex)
            }
        case "read":
            onConnection {
                guard let handle = Self.handle(rest) else { throw PeerOptions.Unknown(line) }
                _ = try $0.read($1, handle, at: $2, into: &$3)
            }
        case "forget":
            for bond in host.bonds { order { try $0.removeBond(bond.peer, at: $1, into: &$2) } }
        case "bonds":
            for bond in host.bonds { tell(of: bond) }
            say("bonds") { $0.add("count", host.bonds.count) }
        default: order { _, _, _ in throw PeerOptions.Unknown(line) }
        }
    }

    private func settings(_ words: [String]) throws -> PairingSettings {
        for word in words { try options.take(pairing: word) }
        return options.pairing
    }

    private static func handle(_ words: [String]) -> AttributeHandle? {
        words.first.flatMap { UInt16($0) }.flatMap { AttributeHandle(rawValue: $0) }
    }

    private func onConnection(_ body: (Host, ConnectionID, Instant, inout HostActions) throws -> Void) {
        order { host, now, actions in
            guard let connection else { throw PairingOrderError.noConnection }
            try body(host, connection, now, &actions)
        }
    }

    private func advertise() {
        guard let interval = AdvertisingInterval(steps: 48) else { return }
        let data = AdvertisingData([.flags([.generalDiscoverable]), .completeLocalName(options.name)])
        order { try $0.startAdvertising(AdvertisingParameters(interval: interval), data: data, at: $1, into: &$2) }
    }

    /// An address and `public` or `random`.
    private func connect(_ words: [String]) {
        order { host, now, actions in
            guard words.count == 2,
                let address = DeviceAddress(words[0], kind: words[1] == "public" ? .public : .random)
            else { throw PeerOptions.Unknown(words.joined(separator: " ")) }
            var parameters = ConnectParameters()
            if let range = ConnectionParameterRange(
                minimumSteps: 6,
                maximumSteps: 6,
                latencyEvents: 0,
                timeoutSteps: 200
            ) {
                parameters.connection = range
            }
            try host.connect(to: address, parameters, at: now, into: &actions)
        }
    }
}
