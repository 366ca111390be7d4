import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Propagation of which no numbers are left")
struct PropagationBoundsTests {
    @Test("A figure beyond all bounds counts as a large one", arguments: [AirMode.exact, .crowd])
    func figures(air: AirMode) throws {
        let changes: [(inout Propagation) -> Void] = [
            { $0.lossAtOneMetre = .max }, { $0.lossAtOneMetre = .min }, { $0.exponentTenths = .max },
            { $0.exponentTenths = .min }, { $0.shadowing = .max }, { $0.shadowing = .min },
            { $0.captureThreshold = .max }, { $0.captureThreshold = .min },
        ]
        for change in changes {
            var propagation = Propagation()
            change(&propagation)
            let world = World(seed: 1, propagation: propagation, air: air)
            let radios = (0..<3).map { world.addRawRadio(named: "\($0)", at: .metres(x: Double($0 * $0))) }
            let frame = try #require(RawFrame(bytes: [0xD6, 0xBE, 0x89, 0x8E] + [UInt8](repeating: 0, count: 20)))
            let channel = ChannelIndex.advertising[0]
            radios[0].listen(on: channel)
            for radio in radios[1...] { radio.transmit(frame, on: channel) }
            world.run(for: .seconds(1))
            #expect(world.transmissionCount == 2 && radios[0].takeHeard().count <= 1)
        }
    }
}
