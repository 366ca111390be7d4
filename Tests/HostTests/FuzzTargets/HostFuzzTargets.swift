import BluethroatByteCoding
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// Hosts between controllers and peers that send anything.
enum HostFuzzTargets {
    static let all = [
        att, smp, signalling, controller, client, server, pairing(startsHonestly: false), pairing(startsHonestly: true),
        links, channels, privacy(resolves: false), privacy(resolves: true),
        hosts(choosesKeySizes: false), hosts(choosesKeySizes: true), keySizes,
    ]

    // MARK: Decoders

    static let att = FuzzTarget(decoder: "att-pdus", upTo: 520) { bytes in
        guard let pdu = try? ATTPDU(parsing: bytes.span.bytes) else { return }
        hold(pdu.bytes == bytes, "\(bytes.hex) became \(pdu), written as \(pdu.bytes.hex)")
    }

    static let smp = FuzzTarget(decoder: "smp-pdus", upTo: 80) { bytes in
        guard let pdu = try? SMPPDU(parsing: bytes.span.bytes) else { return }
        hold(pdu.bytes == bytes, "\(bytes.hex) became \(pdu), written as \(pdu.bytes.hex)")
    }

    /// A command of the signalling channel: its code, and what follows the length.
    static let signalling = FuzzTarget(decoder: "l2cap-signalling", upTo: 60) { bytes in
        guard let code = bytes.first else { return }
        let span = bytes.span.bytes
        var data = span.extracting(droppingFirst: 1)
        guard let pdu = try? SignallingPDU(code: code, parsing: &data) else { return }
        var out: [UInt8] = []
        pdu.write(identifier: 1, to: &out)
        let outSpan = out.span.bytes
        var again = outSpan.extracting(droppingFirst: 4)
        hold((try? SignallingPDU(code: code, parsing: &again)) == pdu, "\(bytes.hex) was written as \(out.hex)")
    }

    // MARK: Machines

    /// HCI events and ACL data of a hostile controller: memory stays bounded, and when the controller keeps the rules
    /// again, the host is up again.
    static let controller = FuzzTarget(machine: "host-controller", upTo: 2_000) { input in
        var world = HostileController(input)
        world.powerOn()
        while !world.random.isEmpty {
            world.step()
            world.check()
        }
        world.losesAnswers = false
        world.powerOn()
        hold(world.host.identity != nil, "the host is not up")
    }

    /// A server answers every request with one PDU that fits, and nothing else.
    static let client = FuzzTarget(machine: "att-server", upTo: 1_500) { input in
        var world = HostileClient(input)
        while !world.random.isEmpty { world.step() }
        try world.checkWorks()
    }

    /// A client ends each procedure once, whatever the server sends.
    static let server = FuzzTarget(machine: "att-client", upTo: 1_500) { input in
        var world = HostileServer(input)
        while !world.random.isEmpty { world.step() }
        try world.checkWorks()
    }

    /// A security manager takes anything in any order, from the beginning or after an honest start, and is clean after it.
    static func pairing(startsHonestly: Bool) -> FuzzTarget {
        // A pairing takes milliseconds, of which the input may order only so many.
        FuzzTarget(machine: startsHonestly ? "smp-begun" : "smp", upTo: startsHonestly ? 120 : 600) { input in
            var world = try HostilePairing(input, startsHonestly: startsHonestly)
            while !world.random.isEmpty { try world.step() }
            try world.checkWorks()
        }
    }

    /// Keys and pairings through the whole host: no key is given away, and nothing is left when a connection ends.
    static let links = FuzzTarget(machine: "host-security", upTo: 1_000) { input in
        var world = HostileLinks()
        while !input.isEmpty { world.connect(&input) }
    }

    /// Credit-based channels.
    static let channels = FuzzTarget(machine: "l2cap-channels", upTo: 1_500) { input in
        var world = try HostileChannels()
        while !input.isEmpty {
            world.step(&input)
            world.check()
        }
        world.checkWorks()
    }

    /// Orders while addresses rotate: no command comes when it is forbidden, and nothing is held for ever.
    static func privacy(resolves: Bool) -> FuzzTarget {
        FuzzTarget(machine: resolves ? "host-privacy-in-controller" : "host-privacy", upTo: 600) { input in
            let violations = try FuzzedPrivacyOrders.live(&input, resolves: resolves)
            hold(violations.isEmpty, "\(violations)")
        }
    }

    /// Two hosts that pair, bond and come back, with hostile PDUs in between. Each may allow keys of some lengths only.
    static func hosts(choosesKeySizes: Bool) -> FuzzTarget {
        FuzzTarget(machine: choosesKeySizes ? "two-hosts-key-sizes" : "two-hosts", upTo: 160) { input in
            var world = TwoHosts(&input, choosesKeySizes: choosesKeySizes)
            while !input.isEmpty { world.step(&input) }
            world.checkWorks()
        }
    }

    /// Pairings whose lengths of keys are rewritten on their way: no end gets a key that it does not allow.
    static let keySizes = FuzzTarget(machine: "smp-key-sizes", upTo: 24) { input in try FuzzedKeySizes.pair(&input) }
}
