import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Following connections")
struct LinkFollowerTests {
    @Test(
        "Every event is heard where both hop, by either algorithm",
        arguments: [false, true],
        [6, 24, 80] as [UInt16]
    )
    func hopping(usesSecondAlgorithm: Bool, intervalSteps: UInt16) throws {
        let drift = (ClockDrift(partsPerMillion: 40)!, ClockDrift(partsPerMillion: -40)!)
        let scene = AttackScene(drift: drift, usesSecondAlgorithm: usesSecondAlgorithm)
        let follower = LinkFollower(in: scene.world, at: .metres(x: 0.5), waitingFor: scene.address)
        try #require(try scene.connect(intervalSteps: intervalSteps))
        var heard: [ConnectionRole: Int] = [:], missed = 0
        follower.whenHeard = { _, sender in heard[sender, default: 0] += 1 }
        follower.beforeEvent = { [unowned follower] _ in missed += follower.missedEvents > 0 ? 1 : 0 }
        let counter = try #require(follower.schedule).eventCounter
        scene.world.run(for: .seconds(20))
        let events = Int(try #require(follower.schedule).eventCounter &- counter)
        #expect(events >= Int(20_000 / (Double(intervalSteps) * 1.25)) - 2)
        #expect(
            missed == 0 && heard[.central, default: 0] >= events - 1 && heard[.peripheral, default: 0] >= events - 1
        )
    }

    @Test("Another pace, other channels and other PHYs that are announced in the clear are followed")
    func updates() throws {
        let scene = AttackScene()
        let follower = LinkFollower(in: scene.world, at: .metres(x: 0.5))
        try #require(try scene.connect())
        let link = try #require(scene.central.connection?.id)
        scene.world.run(for: .seconds(1))
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            let range = ConnectionParameterRange(
                minimumSteps: 80,
                maximumSteps: 80,
                latencyEvents: 0,
                timeoutSteps: 300
            )!
            try host.updateParameters(link, range, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(3))
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            try host.setPHYs(link, sending: .le2M, receiving: .le2M, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(3))
        let schedule = try #require(follower.schedule)
        #expect(schedule.parameters.interval.steps == 80)
        #expect(schedule.centralPHY == .le2M && schedule.peripheralPHY == .le2M)
        #expect(follower.missedEvents == 0)
    }
}
