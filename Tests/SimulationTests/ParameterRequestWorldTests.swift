import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// How a peripheral's host asks its central for connection parameters, as it is seen on the air. Core 6.0, Vol 3, Part
/// A, 4.20.
@Suite("A peripheral asks for connection parameters")
struct ParameterRequestWorldTests {
    /// What an observer of the connection has received.
    private final class AirLog {
        var controls: [ControlPDU] = []
        /// L2CAP_CONNECTION_PARAMETER_UPDATE_REQ.
        var l2capRequests = 0

        func note(_ frame: HeardFrame) {
            if let pdu = frame.controlPDU { controls.append(pdu) }
            guard frame.dataHeader?.logicalLink == .start, let payload = frame.payload, payload.count > 4 else {
                return
            }
            if payload[2] == 5, payload[3] == 0, payload[4] == 0x12 { l2capRequests += 1 }
        }

        /// How many requests of the Link Layer's there were; what is sent again counts once.
        var linkLayerRequests: Int {
            var count = 0
            for (index, pdu) in controls.enumerated() where pdu.opcode == .connectionParamReq {
                if index == 0 || controls[index - 1] != pdu { count += 1 }
            }
            return count
        }
    }

    private static let range = ConnectionParameterRange(
        minimumSteps: 80,
        maximumSteps: 120,
        latencyEvents: 0,
        timeoutSteps: 1000
    )!

    private static let all = ControllerConfiguration.allFeatures

    /// Lets the peripheral ask half a second into a connection, and gives it five seconds.
    private func ask(
        central: LEFeatures = all,
        peripheral: LEFeatures = all,
        policy: ParameterRequestPolicy = .acceptValid
    ) throws -> (log: AirLog, results: [ParameterUpdateResult], intervals: [UInt16?]) {
        let world = World(seed: 7)
        let ends = [Recorder(), Recorder()]
        let ids = zip(ends, [central, peripheral]).map { application, features in
            let number = world.nextID.rawValue
            var controller = ControllerConfiguration(publicAddress: world.defaultAddress(of: number))
            controller.features = features
            var host = HostConfiguration(seed: 7, device: UInt64(number))
            host.parameterRequestPolicy = policy
            return world.addDevice(named: "\(number)", controller: controller, host: host, application: application)
        }
        let address = try #require(world.publicAddress(of: ids[1]))
        let log = AirLog()
        let follower = LinkFollower(in: world)
        follower.whenHeard = { frame, _ in log.note(frame) }
        world.run(for: .milliseconds(100))
        try world.perform(on: ids[1]) { host, now, actions throws(OrderError) in
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
        try world.perform(on: ids[0]) { host, now, actions throws(OrderError) in
            try host.connect(to: address, at: now, into: &actions)
        }
        try #require(world.run(for: .seconds(5)) { ends.allSatisfy { $0.connection != nil } })
        world.run(for: .milliseconds(500))
        let link = try #require(ends[1].connection).id
        try world.perform(on: ids[1]) { host, now, actions throws(OrderError) in
            try host.updateParameters(link, Self.range, at: now, into: &actions)
        }
        world.run(for: .seconds(5))
        let results = ends[1].events.compactMap { _, event in
            if case .parameterUpdateCompleted(_, let result) = event { result } else { nil }
        }
        let intervals = zip(ends, ids).map { end, id in
            world.perform(on: id) { host, _, _ in
                end.connection.flatMap { host.description(of: $0.id)?.parameters.interval.steps }
            } ?? nil
        }
        return (log, results, intervals)
    }

    @Test("Where both controllers have the procedure LL_CONNECTION_PARAM_REQ is sent, and nothing over L2CAP")
    func overLinkLayer() throws {
        let seen = try ask()
        #expect(seen.log.linkLayerRequests == 1 && seen.log.l2capRequests == 0)
        #expect(seen.results == [.accepted] && seen.intervals == [80, 80])
    }

    @Test("Where either controller lacks it, or it cannot be known, L2CAP's request is sent")
    func overL2CAP() throws {
        let without = Self.all.subtracting(.connectionParametersRequest)
        let unasked = Self.all.subtracting(.peripheralInitiatedFeaturesExchange)
        let pairs = [(without, Self.all), (Self.all, without), (.encryption, Self.all), (Self.all, unasked)]
        for (central, peripheral) in pairs {
            let seen = try ask(central: central, peripheral: peripheral)
            #expect(seen.log.linkLayerRequests == 0 && seen.log.l2capRequests >= 1)
            #expect(seen.results == [.accepted] && seen.intervals == [80, 80])
        }
    }

    @Test("A central whose host does not agree rejects the request, and it is not sent again over L2CAP")
    func rejected() throws {
        let seen = try ask(policy: .reject)
        #expect(seen.log.linkLayerRequests == 1 && seen.log.l2capRequests == 0)
        #expect(seen.results == [.rejected] && seen.intervals[0] == seen.intervals[1])
        #expect(seen.intervals[0].map { !(80...120).contains($0) } == true)
    }
}
