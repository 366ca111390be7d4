import BluethroatKeyFob
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("An app and TI's key fob")
struct FobAppTests {
    @Test(
        "Scan, connect, discover seven services and not the two of the system, read, write, subscribe to the keys, press one, be notified"
    )
    func everything() throws {
        let it = AppAndFob()
        let app = it.app
        #expect(app.manager.state == .poweredOn)
        app.manager.scanForPeripherals(withServices: nil)
        try it.wait(for: "discovered")
        let peripheral = try #require(app.peripheral)
        #expect(peripheral.state == .disconnected)
        #expect(app.advertisements[0][CBAdvertisementDataIsConnectable] as? Bool == true)
        app.manager.stopScan()
        app.manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
        try it.wait(for: "connected")
        #expect(peripheral.state == .connected)

        peripheral.discoverServices(nil)
        try it.wait(for: "services")
        #expect(
            peripheral.services?.map(\.uuid.uuidString)
                == ["180A", "1803", "1802", "1804", "180F", "FFA0", "FFE0"]
        )
        try it.wait(for: "characteristics", times: 7)

        let battery = try #require(app.characteristic("2A19"))
        peripheral.readValue(for: battery)
        try it.wait(for: "value")
        #expect(battery.value?.count == 1)

        let alert = try #require(app.characteristic("2A06"))
        peripheral.writeValue(Data([2]), for: alert, type: .withResponse)
        try it.wait(for: "written")

        let keys = try #require(app.characteristic("FFE1"))
        #expect(keys.properties.contains(.notify) && !keys.isNotifying)
        peripheral.setNotifyValue(true, for: keys)
        try it.wait(for: "notifying true")
        #expect(keys.isNotifying)
        app.values = []
        it.touch { fob, host, now, actions in _ = fob.click(.right, host: host, at: now, into: &actions) }
        it.run(.seconds(1))
        #expect(app.values.map(\.0).allSatisfy { $0 == CBUUID(string: "FFE1") })
        #expect(app.values.map(\.1).first != Data([0]) && app.values.map(\.1).last == Data([0]))

        peripheral.setNotifyValue(false, for: keys)
        try it.wait(for: "notifying false")
        app.values = []
        it.touch { fob, host, now, actions in _ = fob.click(.left, host: host, at: now, into: &actions) }
        it.run(.seconds(1))
        #expect(app.values.isEmpty)

        app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        #expect(app.errors.last as? CBError == nil && peripheral.state == .disconnected)
    }
}
