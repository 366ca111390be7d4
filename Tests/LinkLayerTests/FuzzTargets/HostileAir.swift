import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// One controller, and an air on which everything is hostile. Each function is one session and answers how many inputs it
/// took.
enum HostileAir {
    private static let data: [UInt8] = [2, 0, 0, 2, 0, 0xAB, 0xCD]

    /// Why a Link Layer ends a connection of its own accord, or its host's.
    private static let prescribed: Set<ControllerError> = [
        .connectionTimeout, .linkLayerResponseTimeout, .instantPassed, .differentTransactionCollision,
        .invalidLinkLayerParameters, .connectionTerminatedByLocalHost, .connectionFailedToBeEstablished,
        .connectionTerminatedMICFailure,
    ]

    static func connect(_ bench: Bench, _ role: ConnectionRole) throws -> LinkTester {
        try role == .peripheral ? bench.connectAsPeripheral() : bench.connectAsCentral()
    }

    /// Control PDUs, whole, damaged and invented, with right sequence numbers. Either the link ends with a reason that the
    /// specification has for it, or ordinary traffic goes on.
    static func controlPDUs(_ bench: Bench, _ role: ConnectionRole, _ input: inout FuzzInput) throws -> Int {
        let link = try connect(bench, role)
        let shadow = ShadowTester(link)
        var reasons = prescribed
        var isAlive = true
        var inputs = 0
        while isAlive, inputs < 200, !input.isEmpty {
            inputs += 1
            let payload = FuzzedAir.payload(from: &input, eventsAhead: UInt16(inputs & 0xFF))
            if case .terminateInd(let reason)? = payload.controlPDU {
                reasons.insert(FailureCode(received: reason).error)
            }
            if input.index(10) == 0 { bench.send(HostRequests.packet(link.handle, from: &input)) }
            isAlive = shadow.send(payload, moreData: input.index(4) == 0)
            bench.controller.checkInvariants()
            for packet in bench.takePackets() where packet[0] == 4 && packet[1] == 0x05 {
                isAlive = false
                let reason = ControllerError(rawValue: packet[6])
                hold(reasons.contains(reason), "the link ended with \(reason)")
            }
        }
        if isAlive { checkTraffic(shadow, bench) }
        return inputs
    }

    /// Data still goes both ways.
    private static func checkTraffic(_ shadow: ShadowTester, _ bench: Bench) {
        for _ in 0..<40 { shadow.send(.empty) }
        _ = shadow.takeHeard()
        var packets = bench.takePackets()
        bench.send(data)
        let isDelivered = shadow.deliver(.start([9, 9, 9]))
        for _ in 0..<20 { shadow.send(.empty) }
        packets += bench.takePackets()
        // What the fuzzer has set off may end the link even now.
        if packets.contains(where: { $0[0] == 4 && $0[1] == 0x05 }) { return }
        hold(isDelivered, "the controller takes no data")
        hold(packets.contains([2, 0, 0x20, 3, 0, 9, 9, 9]), "the host is not given the data")
        hold(shadow.takeHeard().contains(.start([0xAB, 0xCD])), "the host's data is not sent")
    }

    /// Frames with any header bits and any payload, some with wrong CRCs, some cut short. The link may suffer; the
    /// controller may not.
    static func frames(_ bench: Bench, _ role: ConnectionRole, _ input: inout FuzzInput) throws -> Int {
        let link = try connect(bench, role)
        let shadow = ShadowTester(link)
        var inputs = 0
        while inputs < 200, !input.isEmpty, shadow.awaitListening(within: .seconds(3)) {
            inputs += 1
            if input.index(10) == 0 { bench.send(HostRequests.packet(link.handle, from: &input)) }
            shadow.inject(FuzzedAir.frame(shadow, from: &input))
            bench.controller.checkInvariants()
            _ = bench.takePackets()
        }
        // Left alone the link ends by itself; then everything begins anew.
        bench.run(for: .seconds(33))
        _ = bench.takePackets()
        _ = bench.takeFrames()
        bench.controller.checkInvariants()
        if bench.controller.connectionCount > 0 {
            bench.send([1, 0x03, 0x0C, 0])
            _ = bench.takePackets()
            try bench.enableEvents()
        }
        return inputs
    }

    /// The next connection is as good as any.
    static func checkConnects(_ bench: Bench, _ role: ConnectionRole) throws {
        let link = try connect(bench, role)
        try link.idle(events: 1)
        _ = try link.ask(.versionInd(VersionIndication(version: 9, companyIdentifier: 1, subversion: 1)))
        try link.idle(events: 10)
    }

    /// Frames on the advertising channels, to a controller that advertises, scans and initiates.
    static func advertising(_ bench: Bench, _ input: inout FuzzInput) throws -> Int {
        try FuzzedAir.makeBusy(bench, from: &input)
        var inputs = 0
        while inputs < 300, !input.isEmpty {
            let isListening = bench.run(for: .seconds(1)) {
                if case .listening = bench.radio { true } else { false }
            }
            guard isListening, case .listening(let order) = bench.radio else { break }
            inputs += 1
            let frame = FuzzedAir.advertisingFrame(from: &input)
            bench.transmit(frame, on: order.channel, at: max(order.since, bench.now))
            bench.run(for: AirTime.span(ofFrame: frame, phy: .le1M) + .microseconds(200))
            bench.controller.checkInvariants()
            _ = bench.takePackets()
            _ = bench.takeFrames()
            bench.forgetListenings()
        }
        bench.send([1, 0x03, 0x0C, 0])
        _ = bench.takePackets()
        try bench.enableEvents()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 5)
        return inputs
    }

    /// Encryption procedures, by a peer that mostly does what is right.
    @discardableResult
    static func encryption(
        _ bench: Bench,
        _ role: ConnectionRole,
        _ input: inout FuzzInput
    ) throws -> (inputs: Int, peer: FuzzedEncryptionPeer) {
        let peer = FuzzedEncryptionPeer(try connect(bench, role))
        // Some sessions are friendlier than others, to come farther.
        let manners = input.index(60) + 2
        var inputs = 0
        while inputs < 120, peer.isAlive, !input.isEmpty {
            inputs += 1
            peer.play(manners: manners, &input)
            bench.controller.checkInvariants()
        }
        try peer.checkEnd(&input)
        return (inputs, peer)
    }
}
