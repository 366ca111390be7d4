import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// A loud transmitter between two victims that follows their connection, and spoils the frames that it chooses: the next
/// connection that is made after it was.
final class LinkJammer {
    /// Asked before each frame of a side; true spoils it.
    var spoils: (ConnectionRole) -> Bool = { _ in false }
    /// Called with each frame of the connection, spoilt or not, before the next one is chosen.
    var whenHeard: (HeardFrame, ConnectionRole) -> Void = { _, _ in }

    private let follower: LinkFollower
    private let radio: RawRadio
    /// An access address that no receiver waits for, and so few bits after it that the noise is over before the next
    /// frame begins, even after an empty PDU.
    private static let noise = RawFrame(bytes: [UInt8](repeating: 0x6D, count: 16))!

    init(in world: World) {
        follower = LinkFollower(in: world, at: .metres(x: 0.1))
        radio = world.addRawRadio(named: "jammer", at: .metres(x: 0.5))
        follower.beforeEvent = { [weak self] schedule in
            self?.choose(.central, on: schedule.channel, at: schedule.anchor)
        }
        follower.whenHeard = { [weak self] frame, sender in
            guard let self else { return }
            whenHeard(frame, sender)
            let next = sender == .central ? ConnectionRole.peripheral : .central
            choose(next, on: frame.channel, at: frame.end + AirTime.interFrameSpace)
        }
    }

    /// Falls silent.
    func stop() {
        follower.stop()
        radio.stop()
    }

    private func choose(_ sender: ConnectionRole, on channel: ChannelIndex, at start: Instant) {
        guard spoils(sender) else { return }
        let start = start + .microseconds(10)
        radio.transmit(Self.noise, on: channel, power: SignalStrength(dBm: 10), at: start)
    }
}

extension AttackScene {
    static let dataChannels = (0..<37).compactMap { ChannelIndex($0) }

    /// Noise on some channels without a pause, until an instant: one radio for each.
    func jam(_ channels: [ChannelIndex], until end: Instant) {
        // An access address that no receiver waits for, and 2 ms of bits after it.
        let noise = RawFrame(bytes: [UInt8](repeating: 0x6D, count: 250))!
        let length = AirTime.span(ofFrame: noise.bytes, phy: .le1M)
        for channel in channels {
            let radio = world.addRawRadio(named: "jammer \(channel.index)", at: .metres(x: 0.5))
            var start = world.now
            while start < end {
                radio.transmit(noise, on: channel, power: SignalStrength(dBm: 20), at: start)
                start += length
            }
        }
    }
}
