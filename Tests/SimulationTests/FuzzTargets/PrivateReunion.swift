import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import FuzzInputs

/// A phone and a sensor that are bonded and hide behind private addresses, and an attacker who hears what they advertise and
/// ask for, and sends it again later, as it was or changed.
struct PrivateReunion {
    private let pair: PrivatePair
    private let ears: RawRadio
    private let mouth: RawRadio
    private var heard: [[UInt8]] = []

    init(_ input: inout FuzzInput) throws {
        pair = PrivatePair(input.pick(PrivatePair.Resolving.all))
        pair.world.tap = nil
        ears = pair.world.addRawRadio(named: "ears", at: .metres(x: 0.5))
        mouth = pair.world.addRawRadio(named: "mouth", at: .metres(x: 0.5))
        ears.listen(on: input.pick(Array(ChannelIndex.advertising)))
        hold(try pair.bond(), "the two do not bond")
        listen()
    }

    mutating func step(_ input: inout FuzzInput) throws {
        switch input.index(10) {
        case 0, 1: playBack(&input)
        case 2: try? pair.disconnect()
        case 3:
            pair.stopAdvertising()
            pair.world.run(for: .seconds(Int64(input.index(30))))
            try? pair.advertise()
        case 4, 5:
            guard isFree(pair.phone) else { break }
            try? pair.advertise()
            _ = try? pair.connect(pair.phoneID, to: pair.sensorIdentity, within: .seconds(2))
        default: pair.world.run(for: .milliseconds(4 << Int64(input.index(10))))
        }
        listen()
        check()
    }

    private func isFree(_ device: Recorder) -> Bool {
        device.last { event -> Bool? in
            switch event {
            case .connected: false
            case .disconnected: true
            default: nil
            }
        } ?? true
    }

    private mutating func listen() {
        heard = (heard + ears.takeHeard().map(\.bytes)).suffix(32)
    }

    /// Up to eight frames in turn, on one of the advertising channels.
    private func playBack(_ input: inout FuzzInput) {
        guard !heard.isEmpty else { return }
        var bytes = heard[heard.count - 1 - input.index(heard.count)]
        if input.index(3) == 0 {
            let pdu = input.mutate(Array(bytes.dropFirst(4).dropLast(3)))
            bytes = RawFrame(accessAddress: .advertising, pdu: pdu, crcInit: .advertising).bytes
        }
        guard let frame = RawFrame(bytes: bytes) else { return }
        let channel = input.pick(Array(ChannelIndex.advertising))
        let begin = pair.world.now + .microseconds(Int64(input.index(0x1_0000)))
        for number in 0...Int64(input.index(8)) {
            mouth.transmit(frame, on: channel, at: begin + .microseconds(number * 1_000))
        }
    }

    /// The sensor has an encrypted link with the phone alone, and each takes the other for who it is.
    private func check() {
        guard pair.sensor.isEncrypted, !isFree(pair.sensor) else { return }
        hold(pair.phone.connection != nil, "the sensor takes a link as encrypted that the phone does not have")
        hold(pair.sensor.connection?.peerIdentity == pair.phoneIdentity, "\(pair.sensor.connection as Any)")
    }

    mutating func checkWorks() throws {
        mouth.stop()
        try? pair.disconnect()
        // A link whose peer is gone ends by itself.
        pair.world.run(for: .seconds(30))
        pair.stopAdvertising()
        try pair.advertise()
        hold(try pair.connect(pair.phoneID, to: pair.sensorIdentity), "the two do not find each other again")
        pair.world.run(for: .seconds(2))
        hold(pair.phone.isEncrypted && pair.sensor.isEncrypted, "the link is not encrypted")
        hold(pair.phone.connection?.peerIdentity == pair.sensorIdentity, "the phone takes the sensor for another")
        check()
    }
}
