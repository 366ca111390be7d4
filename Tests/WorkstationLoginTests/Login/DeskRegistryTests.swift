import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("The desks that were found")
struct DeskRegistryTests {
    /// Everybody who advertises.
    private final class Ear: NSObject, CBCentralManagerDelegate {
        private(set) var heard: [CBPeripheral] = []

        func centralManagerDidUpdateState(_ central: CBCentralManager) {
            if central.state == .poweredOn { central.scanForPeripherals(withServices: [LoginProfile.service]) }
        }

        func centralManager(
            _ central: CBCentralManager,
            didDiscover peripheral: CBPeripheral,
            advertisementData: [String: Any],
            rssi RSSI: NSNumber
        ) { heard.append(peripheral) }
    }

    @Test("Of addresses without end, which one radio can show, those that were heard last are known")
    func flood() throws {
        let scene = LoginScene()
        let radio = scene.world.addRawRadio(named: "Mallory", at: .metres(x: 1))
        let data = AdvertisingData([
            .uuids(.completeUUIDs128, [try #require(BluetoothUUID("\(LoginProfile.service)"))])
        ])
        let count = DeskRegistry.limit + 40
        for number in 0..<count + 20 {
            let address = DeviceAddress(value: 0xC605_0403_0000 + UInt64(number), kind: .random)
            let pdu = AdvertisingPDU.advInd(advertiser: address, data: data.bytes, supportsChannelSelection2: false)
            for again in 0..<10 {
                radio.advertise(pdu, at: scene.world.now + .milliseconds(500 + 15 * Int64(number * 10 + again)))
            }
        }
        let ear = Ear()
        let manager = scene.phone("phone", at: .metres(x: 2)).addApp().run {
            CBCentralManager(delegate: ear, queue: nil)
        }
        scene.run(for: .seconds(120)) { ear.heard.count >= count }
        manager.stopScan()
        try #require(ear.heard.count >= count, "\(ear.heard.count)")
        var registry = DeskRegistry()
        let identifier = try #require(DeskIdentifier("4711"))
        for (time, peripheral) in ear.heard.enumerated() {
            registry.note(identifier, peripheral, -50, at: TimeInterval(time))
        }
        let known = registry.candidates(identifier)
        #expect(known.count == DeskRegistry.limit)
        #expect(known.contains { $0 === ear.heard.last } && !known.contains { $0 === ear.heard[0] })
    }
}
