import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// A loud transmitter on the channels that others need. Nothing prevents it; what is promised is what comes after it.
@Suite("Jamming")
struct JammingTests {
    @Test("A connection that is jammed for less than its supervision timeout goes on, and nothing is lost")
    func short() throws {
        let scene = AttackScene()
        try #require(try scene.connect(timeoutSteps: 300))
        scene.world.run(for: .seconds(1))
        scene.jam(AttackScene.dataChannels, until: scene.world.now + .seconds(2))
        for value in UInt8(0)..<5 { try scene.write([value]) }
        scene.world.run(for: .milliseconds(1_900))
        #expect(scene.written == [])
        scene.world.run(for: .seconds(2))
        #expect(scene.isConnected)
        #expect(scene.written == (UInt8(0)..<5).map { [$0] })
    }

    @Test("A connection that is jammed for longer ends at both with a timeout, not before, and can be made again")
    func long() throws {
        let scene = AttackScene()
        try #require(try scene.connect(timeoutSteps: 200))
        scene.world.run(for: .seconds(1))
        scene.jam(AttackScene.dataChannels, until: scene.world.now + .seconds(4))
        scene.world.run(for: .milliseconds(1_900))
        #expect(scene.isConnected)
        scene.world.run(for: .milliseconds(300))
        #expect(scene.central.disconnection == .connectionTimeout)
        #expect(scene.peripheral.disconnection == .connectionTimeout)
        scene.world.run(for: .seconds(2))
        #expect(try scene.connect())
        try scene.write([1])
        scene.world.run(for: .seconds(1))
        #expect(scene.written == [[1]])
    }

    @Test("A connection on jammed channels goes on over those that are left")
    func half() throws {
        let scene = AttackScene()
        try #require(try scene.connect(timeoutSteps: 300))
        scene.jam(Array(AttackScene.dataChannels.prefix(30)), until: scene.world.now + .seconds(6))
        for value in UInt8(0)..<5 { try scene.write([value]) }
        scene.world.run(for: .seconds(5))
        #expect(scene.isConnected)
        #expect(scene.written == (UInt8(0)..<5).map { [$0] })
    }

    @Test("While the advertising channels are jammed no device is found; once they are free a waiting central connects")
    func advertising() throws {
        let scene = AttackScene()
        scene.jam(ChannelIndex.advertising, until: scene.world.now + .seconds(12))
        #expect(try !scene.connect())
        #expect(scene.peripheral.connection == nil)
        scene.world.run(for: .seconds(5))
        #expect(scene.isConnected)
    }

    @Test("Each answer of the peripheral jammed: the central ends the link by its timeout, and both are free again")
    func answers() throws {
        let scene = AttackScene()
        let follower = LinkFollower(in: scene.world, at: .metres(x: 0.1))
        let jammer = scene.world.addRawRadio(named: "jammer", at: .metres(x: 0.1))
        try #require(try scene.connect(timeoutSteps: 200))
        scene.world.run(for: .seconds(1))
        let noise = RawFrame(bytes: [UInt8](repeating: 0x6D, count: 60))!
        follower.whenHeard = { frame, sender in
            guard sender == .central else { return }
            jammer.transmit(
                noise,
                on: frame.channel,
                power: SignalStrength(dBm: 10),
                at: frame.end + .microseconds(140)
            )
        }
        scene.world.run(for: .seconds(6))
        #expect(scene.central.disconnection == .connectionTimeout)
        #expect(scene.peripheral.disconnection == .connectionTimeout)
        follower.stop()
        #expect(try scene.connect())
    }
}
