import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

@Suite("Deadlines of a controller")
struct DeadlineTests {
    private typealias Handles = (central: ConnectionHandle, peripheral: ConnectionHandle)

    /// The earliest of all timers, read one by one from the tables of a controller's parts.
    private func earliest(_ controller: Controller) -> Instant? {
        var instants = [controller.deadlines.instant(of: .turnaround), controller.deadlines.instant(of: .observation)]
        instants += [.end, .event].map { controller.advertiser.deadlines.instant(of: $0) }
        let timers: [LinkTimer] = [.supervision, .localProcedure, .remoteProcedure, .authenticatedPayload, .event]
        for case let box? in controller.connections {
            instants += timers.map { box.connection.deadlines.instant(of: $0) }
        }
        return instants.compactMap { $0 }.min()
    }

    /// Whether each timer of a connection is where its state wants it, as if it were armed anew.
    private func isArmed(_ box: ConnectionBox) -> Bool {
        let supervision = box.connection.supervision.deadline(box.connection.parameters)
        let payload = box.connection.authenticatedPayload.deadline(round: box.connection.pingRound)
        let event = box.connection.event.phase == .idle ? box.connection.plannedStart : nil
        let deadlines = box.connection.deadlines
        return deadlines.instant(of: .supervision) == supervision && deadlines.instant(of: .event) == event
            && deadlines.instant(of: .authenticatedPayload) == payload
            && deadlines.isArmed(.remoteProcedure) == isPeerAwaited(box) || box.connection.isTerminating
    }

    private func isPeerAwaited(_ box: ConnectionBox) -> Bool {
        switch box.connection.procedures.remote {
        case .connectionParameterRequest(let answer): answer.isAccepted
        case .encryptionStart, .phyUpdate: true
        case .termination, nil: false
        }
    }

    /// Something that the host of one side orders.
    private func order(_ air: ControllerAir, _ handles: Handles, _ stream: inout SeededRandom) {
        let index = stream.index(2)
        let handle = index == 0 ? handles.central : handles.peripheral
        let phy = stream.pick([PHYSet.le1M, .le2M])
        let update = LEConnectionUpdate(
            connection: handle,
            minimumInterval: UInt16(6 + stream.index(60)),
            maximumInterval: 80,
            maximumLatency: UInt16(stream.index(4)),
            supervisionTimeout: 300
        )
        let key = [UInt8](repeating: 7, count: 16)
        let commands: [Command] = [
            .readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle)),
            .leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle)),
            .leConnectionUpdate(update),
            .leSetPHY(LESetPHY(connection: handle, transmit: phy, receive: phy)),
            .leSetDataLength(LESetDataLength(connection: handle, transmitOctets: 60, transmitTime: 592)),
            .leSetHostChannelClassification(
                LESetHostChannelClassification(channels: [stream.byte(), 0xFF, 0, 0, 0x1F])
            ),
            .leEnableEncryption(
                LEEnableEncryption(connection: handle, random: 0, encryptedDiversifier: 0, longTermKey: key)
            ),
            .writeAuthenticatedPayloadTimeout(WriteAuthenticatedPayloadTimeout(connection: handle, timeout: 60)),
            .leLongTermKeyRequestReply(LELongTermKeyRequestReply(connection: handle, longTermKey: key)),
            .leRemoteConnectionParameterRequestReply(
                LERemoteConnectionParameterRequestReply(
                    connection: handle,
                    minimumInterval: update.minimumInterval,
                    maximumInterval: 80,
                    maximumLatency: update.maximumLatency,
                    supervisionTimeout: 300
                )
            ),
            .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: stream.index(3) > 0)),
            .leSetScanEnable(LESetScanEnable(isEnabled: stream.index(3) > 0)),
        ]
        air.send(stream.pick(commands), to: index)
        air.send([2, UInt8(handle.rawValue), 0, 4, 0] + (0..<4).map { _ in stream.byte() }, to: index)
    }

    @Test(
        """
        Whatever happens, the next deadline is the earliest of all timers, each timer is where its state wants it, \
        and a deadline that is served lies behind
        """,
        arguments: 1...8 as ClosedRange<UInt64>
    )
    func armedTimersWake(seed: UInt64) throws {
        let air = ControllerAir(seed: seed)
        air.add(at: .origin)
        air.add(at: .metres(x: 1), drift: ClockDrift(partsPerMillion: 40) ?? .none)
        let handles = try air.connect(0, to: 1, latency: 2)
        var stream = SeededRandom(seed: seed, purpose: "orders")
        var served = 0, late = 0, misplaced = 0
        air.onStep = { controller, now, isExpiry in
            if controller.nextDeadline != earliest(controller) { misplaced += 1 }
            for case let box? in controller.connections where !isArmed(box) { misplaced += 1 }
            guard isExpiry else { return }
            served += 1
            if let next = controller.nextDeadline, next <= now { late += 1 }
        }
        for round in 0..<120 {
            order(air, handles, &stream)
            if round == 110 { air.medium.move(air.stations[1].radio, to: .metres(x: 10_000)) }
            air.run(for: .milliseconds(round < 110 ? 60 : 1_000))
        }
        #expect(misplaced == 0 && late == 0, "seed \(seed)")
        #expect(served > 300, "seed \(seed)")
        // The supervision timers have woken both.
        #expect(air.stations.allSatisfy { $0.controller.connectionCount == 0 }, "seed \(seed)")
    }
}
