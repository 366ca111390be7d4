import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("Two apps on two phones")
struct TwoAppsTests {
    private static let payload = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) })

    @Test("They find each other and pass 4 kB each way, in chunks as long as the link takes")
    func exchange() throws {
        let world = World(seed: 44)
        let one = Phone(named: "one", in: world)
        let two = Phone(named: "two", in: world)
        let outgoing = CBMutableCharacteristic("FFE1", .notify, [])
        let incoming = CBMutableCharacteristic("FFE2", .writeWithoutResponse, .writeable)
        let publisher = BluetoothEnvironment.$current.withValue(one.addApp().environment) {
            PublishingApp(
                [CBMutableService("FFE0", [outgoing, incoming])],
                advertising: [CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "FFE0")]]
            )
        }
        let app = CentralApp(two.addApp().environment)
        app.connectsAtOnce = true
        world.run(for: .seconds(1))
        app.manager.scanForPeripherals(withServices: [CBUUID(string: "FFE0")])
        world.run(for: .seconds(3))
        app.manager.stopScan()
        let peripheral = try #require(app.peripheral)
        #expect(peripheral.state == .connected)
        peripheral.discoverServices([CBUUID(string: "FFE0")])
        world.run(for: .seconds(3))
        let from = try #require(app.characteristic("FFE1"))
        let to = try #require(app.characteristic("FFE2"))
        peripheral.setNotifyValue(true, for: from)
        world.run(for: .seconds(1))
        let central = try #require(outgoing.subscribedCentrals?.first)
        #expect(central.maximumUpdateValueLength > 100)

        // From the peripheral by notifications, from the central by writes without response, at the same time.
        var sent = 0
        let manager = publisher.manager!
        publisher.ready = {
            while sent < Self.payload.count {
                let chunk = Self.payload.dropFirst(sent).prefix(central.maximumUpdateValueLength)
                guard manager.updateValue(chunk, for: outgoing, onSubscribedCentrals: nil) else { return }
                sent += chunk.count
            }
        }
        var written = 0
        app.onReady = { peripheral in
            while written < Self.payload.count, peripheral.canSendWriteWithoutResponse {
                let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
                let chunk = Self.payload.dropFirst(written).prefix(length)
                peripheral.writeValue(chunk, for: to, type: .withoutResponse)
                written += chunk.count
            }
        }
        publisher.ready?()
        app.onReady?(peripheral)
        world.run(for: .seconds(10))
        #expect(app.values.map(\.1).reduce(Data(), +) == Self.payload)
        #expect(publisher.writes.flatMap { $0 }.compactMap(\.value).reduce(Data(), +) == Self.payload)
    }
}
