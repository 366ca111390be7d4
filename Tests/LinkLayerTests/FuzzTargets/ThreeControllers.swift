import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatLinkLayer

/// Three controllers on one air, whose hosts send anything.
struct ThreeControllers {
    let air: ControllerAir

    init(seed: UInt64) {
        air = ControllerAir(seed: seed)
        for _ in 0..<3 { air.add() }
    }

    /// One packet of a host, and mostly some time.
    func step(_ input: inout FuzzInput) {
        let index = input.index(3)
        air.send(FuzzedHostPackets.packet(from: &input), to: index)
        if input.index(4) == 0 { air.run(for: input.span(upTo: .milliseconds(40))) }
        if input.index(50) == 0 { air.run(for: input.span(upTo: .seconds(2))) }
        for station in air.stations {
            station.controller.checkInvariants()
            station.packets.removeAll(keepingCapacity: true)
        }
    }

    /// Reset, connect, and data both ways.
    func checkUseful() throws {
        for index in 0..<3 {
            air.send(.reset, to: index)
            air.send([1, 0x01, 0x0C, 8] + [UInt8](repeating: 0xFF, count: 8), to: index)
            air.send([1, 0x01, 0x20, 8, 0xFF, 0xFD, 0x0F, 0, 0, 0, 0, 0], to: index)
        }
        air.run(for: .milliseconds(100))
        for station in air.stations { station.packets.removeAll() }
        let handles = try air.connect(0, to: 1)
        for byte in 0..<5 as Range<UInt8> {
            air.send([2, UInt8(handles.central.rawValue), 0, 1, 0, byte], to: 0)
            air.send([2, UInt8(handles.peripheral.rawValue), 0, 1, 0, byte], to: 1)
        }
        air.run(for: .seconds(1))
        for index in 0..<2 {
            hold(air.takeData(at: index).map { $0[5] } == [0, 1, 2, 3, 4], "controller \(index) lost data after Reset")
        }
    }
}
