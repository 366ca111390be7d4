import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import FuzzInputs

/// A central and a peripheral that have paired, and an attacker beside them with a follower of their connection and two radios.
struct AttackedLink {
    private let scene = AttackScene()
    private let follower: LinkFollower
    private let jammer: RawRadio
    private var writes: UInt8 = 0

    init() throws {
        scene.world.tap = nil
        follower = LinkFollower(in: scene.world, at: .metres(x: 1.25))
        jammer = scene.world.addRawRadio(named: "jammer", at: .metres(x: 0.5))
        hold(try scene.connect() && scene.pair(), "the two do not pair")
    }

    mutating func step(_ input: inout FuzzInput) throws {
        switch input.index(12) {
        case 0: follower.inject(.start, AttackScene.writeCommand([0x66], to: AttackScene.protectedValue))
        case 1: follower.inject(input.pick([.start, .continuation]), input.bytes(input.index(30)))
        case 2: follower.inject(.control, input.bytes(1 + input.index(26)))
        case 3: follower.inject(input.pick(Self.controls))
        case 4, 5: jam(&input)
        case 6: speak(&input)
        case 7: if !scene.isConnected { _ = try? scene.connect() }
        case 8, 9:
            writes &+= 1
            // The link may be gone.
            try? scene.write([0xA5, writes], to: AttackScene.protectedValue)
        default: scene.world.run(for: .milliseconds(1 << Int64(input.index(12))))
        }
        check()
    }

    private static let controls: [ControlPDU] = [
        .terminateInd(.remoteUserTerminatedConnection), .terminateInd(.success), .startEncReq,
        .startEncRsp, .pauseEncReq, .pauseEncRsp,
    ]

    /// Noise on one channel, or on all of them, for up to 8 ms.
    private func jam(_ input: inout FuzzInput) {
        let channel = ChannelIndex(UInt8(input.index(40)))!
        let noise = RawFrame(bytes: [UInt8](repeating: input.byte(), count: 40))!
        let begin = scene.world.now + .microseconds(Int64(input.index(0x1_0000)))
        for number in 0...Int64(input.index(20)) {
            jammer.transmit(
                noise,
                on: channel,
                power: SignalStrength(dBm: 10),
                at: begin + .microseconds(number * 400)
            )
        }
    }

    /// A frame on the link's own access address, or on that of advertisers, at any instant.
    private func speak(_ input: inout FuzzInput) {
        let instant = scene.world.now + .microseconds(Int64(input.index(0x1_0000)))
        let pdu = input.bytes(2 + input.index(30))
        guard let schedule = follower.schedule, input.index(3) > 0 else {
            let channel = input.pick(Array(ChannelIndex.advertising))
            let bytes = RawFrame(accessAddress: .advertising, pdu: pdu, crcInit: .advertising)
            return jammer.transmit(bytes, on: channel, at: instant)
        }
        let frame = RawFrame(accessAddress: schedule.accessAddress, pdu: pdu, crcInit: schedule.crcInit)
        jammer.transmit(frame, on: ChannelIndex(UInt8(input.index(37)))!, at: instant)
    }

    /// The value that needs encryption was written by the central alone, once each and in order.
    private func check() {
        var last: UInt8 = 0
        for (_, event) in scene.peripheral.events {
            guard case .server(.valueWritten(_, AttackScene.protectedValue, let value)) = event else { continue }
            hold(value.count == 2 && value[0] == 0xA5, "\(value) was written by the attacker")
            hold(value.last ?? 0 > last, "\(value) was written after \(last)")
            last = value.last ?? 0
        }
    }

    mutating func checkWorks() throws {
        follower.stop()
        jammer.stop()
        // An empty PDU has no MIC. Whoever has injected one has put the packet counters of the two apart: the write that this
        // took for a repetition is lost, and the next one ends the link.
        for _ in 0..<2 {
            scene.world.run(for: .seconds(12))
            check()
            // One end has noticed; the other one waits for its supervision timeout of 5 s.
            if scene.isConnected(scene.central) != scene.isConnected(scene.peripheral) {
                scene.world.run(for: .seconds(6))
            }
            if !scene.isConnected { hold(try scene.connect(), "the two do not connect any more") }
            scene.world.run(for: .seconds(1))
            let isEncrypted = scene.isEncrypted(scene.central, scene.centralID)
            if !isEncrypted { hold(try scene.pair(), "the two do not encrypt any more") }
            writes &+= 1
            try scene.write([0xA5, writes], to: AttackScene.protectedValue)
            scene.world.run(for: .seconds(1))
            if scene.written.last == [0xA5, writes] { return }
            hold(!scene.isConnected(scene.peripheral), "a write is lost on a link that stays")
        }
        hold(false, "nothing is written any more")
    }
}
