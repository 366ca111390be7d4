import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatHost

/// Two hosts whose controllers can encrypt: they connect, pair, bond, come back, forget, read what needs encryption; either
/// may also be sent anything by what pretends to be the other.
struct TwoHosts {
    private var world: SecuredPair
    private var isLinked = false
    /// How long the keys may be that each end takes, in bytes.
    private let keySizes: [ClosedRange<Int>]

    init(_ input: inout FuzzInput, choosesKeySizes: Bool) {
        let ways = [Way.all[input.index(Way.all.count)], Way.all[input.index(Way.all.count)]]
        var settings = [ways[0].settings[0], ways[1].settings[1]]
        keySizes = (0..<2).map { _ in choosesKeySizes ? FuzzedKeySizes.sizes(&input) : 7...16 }
        for (end, sizes) in keySizes.enumerated() {
            (settings[end].minimumKeySize, settings[end].maximumKeySize) = (sizes.lowerBound, sizes.upperBound)
        }
        world = SecuredPair(settings)
    }

    mutating func step(_ input: inout FuzzInput) {
        if isLinked { act(&input) } else { begin(&input) }
        note()
        check()
    }

    private mutating func begin(_ input: inout FuzzInput) {
        switch input.index(4) {
        case 0: world.run(for: .seconds(Int64(input.index(200))))
        case 1:
            let end = input.index(2)
            let peer = end == 0 ? HostPair.peripheralAddress : HostPair.centralAddress
            try? world.order(end) { host, now, actions in try host.removeBond(peer, at: now, into: &actions) }
        case 2: world.stores[input.index(2)].fails.toggle()
        default: connect()
        }
    }

    private mutating func connect() {
        world.pair.isOutOfRange = false
        do {
            try world.connect()
            isLinked = true
        } catch {
            hold(false, "the hosts do not connect: \(error)")
        }
    }

    private mutating func act(_ input: inout FuzzInput) {
        let end = input.index(2)
        let link = world.links[end]
        switch input.index(16) {
        case 0, 1: try? world.pair()
        case 2:
            let asking = world.links[1]
            try? world.order(1) { host, now, actions in try host.requestSecurity(asking, at: now, into: &actions) }
        case 3:
            let level = input.pick([SecurityLevel.encrypted, .authenticated, .secureConnections])
            _ = try? world.order(end) { host, now, actions in
                try host.secure(link, atLeast: level, at: now, into: &actions)
            }
        case 4, 5, 6: read(input.index(5))
        case 7: _ = try? world.write([input.byte()], world.handles[1 + input.index(2)].value)
        case 8:
            let (handle, central) = (world.handles[3].value, world.links[0])
            _ = try? world.order(0) { host, now, actions in
                try host.writeSigned([1], central, handle, at: now, into: &actions)
            }
        case 9: world.run(for: .seconds(Int64(input.index(40))))
        case 10: try? world.order(end) { host, now, actions in try host.disconnect(link, at: now, into: &actions) }
        case 11: world.pair.encryption.packetsLeft = input.index(20)
        case 12: world.pair.encryption.isStuck.toggle()
        case 13: receive(end, FuzzedSMP.pdu(&input), channel: 6)
        case 14: receive(end, FuzzedATT.pdu(&input), channel: 4)
        default: receive(end, input.bytes(input.index(40)), channel: UInt16(4 + input.index(3)))
        }
    }

    /// A value that needs encryption is given only where there is encryption.
    private mutating func read(_ index: Int) {
        world.others = [[], []]
        guard case .value? = try? world.read(index), index > 0 else { return }
        hold(world.pair.encryption.key != nil, "value \(index) was read in the clear")
    }

    private mutating func receive(_ end: Int, _ pdu: [UInt8], channel: UInt16) {
        let handle = world.links[end].handle
        var frame: [UInt8] = []
        frame.appendUInt16(UInt16(pdu.count))
        frame.appendUInt16(channel)
        frame += pdu
        world.order(end) { host, now, actions in
            var packet: [UInt8] = []
            ACLHeader(handle: handle, boundary: .firstFlushable, dataLength: frame.count).write(to: &packet)
            host.receive(hci: packet + frame, at: now, into: &actions)
        }
    }

    private mutating func note() {
        isLinked = world.host(0).core.links.count > 0 && world.host(1).core.links.count > 0
        hold(
            isLinked || world.host(0).core.links.count + world.host(1).core.links.count == 0,
            "one end is connected"
        )
        world.forget()
    }

    /// Both hosts take the link for what it is, and neither keeps more than a bond with the other.
    private func check() {
        for end in 0..<2 {
            let host = world.host(end)
            hold(host.bonds.count <= 1, "\(host.bonds.count) bonds")
            hold(host.core.controller.phase == .up, "host \(end) is down")
            guard isLinked else { continue }
            let security = host.security(of: world.links[end])
            let isEncrypted = security?.isEncrypted ?? false
            hold(
                !isEncrypted || FuzzedKeySizes.allows(keySizes[end], Int(security?.keySize ?? 0)),
                "\(security as Any)"
            )
            hold(
                isEncrypted == (world.pair.encryption.key != nil),
                "host \(end) takes the link as encrypted: \(isEncrypted)"
            )
        }
    }

    /// A new connection, without the bonds, of which each end may have another: what needs no encryption is read.
    mutating func checkWorks() {
        if isLinked {
            let link = world.links[0]
            try? world.order(0) { host, now, actions in try host.disconnect(link, at: now, into: &actions) }
            note()
        }
        for (end, peer) in [HostPair.peripheralAddress, HostPair.centralAddress].enumerated() {
            world.stores[end].fails = false
            try? world.order(end) { host, now, actions in try host.removeBond(peer, at: now, into: &actions) }
        }
        world.pair.encryption.isStuck = false
        world.pair.encryption.packetsLeft = nil
        hold(!isLinked, "the link does not end")
        connect()
        world.others = [[], []]
        guard isLinked, case .value([1])? = try? world.read(0) else {
            return hold(false, "nothing can be read any more")
        }
    }
}
