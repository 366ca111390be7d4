import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Who keeps what alive. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("Who keeps whom, and who is called when")
struct OwnershipTests {
    @Test("Delegates are kept by nobody [H; D]")
    func delegates() throws {
        let port = ScriptedPort()
        let environment = BluetoothEnvironment(port: port, delivery: .inline)
        let central = CBCentralManager(delegate: nil, queue: nil, environment: environment)
        let publisher = CBPeripheralManager(delegate: nil, queue: nil, environment: environment)
        port.tell(.state(.poweredOn), .central(.peerKnown(PeerSummary(id: PeerID(high: 1, low: 2)))))
        let identifier = try #require(UUID(uuidString: "00000000-0000-0001-0000-000000000002"))
        let peripheral = try #require(central.retrievePeripherals(withIdentifiers: [identifier]).first)
        do {
            let delegate = EverybodysDelegate()
            central.delegate = delegate
            publisher.delegate = delegate
            peripheral.delegate = delegate
            #expect(central.delegate === delegate && publisher.delegate === delegate)
            #expect(peripheral.delegate === delegate)
        }
        #expect(central.delegate == nil && publisher.delegate == nil && peripheral.delegate == nil)
    }

    @Test("No call waits for the air, and none is answered before it has returned [G; H]")
    func nothingIsSynchronous() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        it.run(.seconds(1))
        it.app.heard = []
        let value = try #require(it.app.characteristic("AA03"))
        peripheral.discoverServices(nil)
        peripheral.discoverDescriptors(for: value)
        peripheral.readValue(for: value)
        peripheral.setNotifyValue(true, for: value)
        peripheral.writeValue(Data([1]), for: try #require(it.app.characteristic("AA02")), type: .withResponse)
        peripheral.readRSSI()
        it.app.manager.cancelPeripheralConnection(peripheral)
        #expect(it.app.heard.isEmpty)
        try it.wait(for: "disconnected")
    }

    @Test("A pending connection is cancelled when the app lets go of the peripheral [H; W13; O]")
    func pending() throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.leave()
        it.app.manager.connect(try #require(it.app.peripheral))
        it.run(.seconds(5))
        it.app.peripherals = []
        it.run(.seconds(1))
        it.comeBack()
        it.run(.seconds(20))
        #expect(it.accessories[0].connections == 0 && it.app.count("disconnected") == 0)
        #expect(
            it.phone.service.misuse.last?.sentence.hasPrefix(
                "API MISUSE: Cancelling connection for unused peripheral <CBPeripheral: 0x"
            ) == true
        )
    }

    @Test("Attributes point back without keeping what they belong to [D; H]")
    func backPointers() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        var value: CBCharacteristic?
        var descriptor: CBDescriptor?
        weak var service: CBService?
        try {
            let peripheral = try it.connect()
            value = it.app.characteristic("AA03")
            peripheral.discoverDescriptors(for: try #require(value))
            try it.wait(for: "descriptors")
            descriptor = value?.descriptors?.first
            service = value?.service
            #expect(service?.peripheral === peripheral && descriptor?.characteristic === value)
        }()
        it.app.manager.cancelPeripheralConnection(try #require(it.app.peripheral))
        try it.wait(for: "disconnected")
        #expect(service == nil && value?.service == nil)
        value = nil
        #expect(descriptor != nil && descriptor?.characteristic == nil)
    }

    @Test("Peripherals can be keys of a dictionary, whatever happens to them meanwhile [W13]")
    func keys() throws {
        let it = AppScene(Accessory(), Accessory())
        try it.scan()
        var names: [CBPeripheral: Int] = [:]
        for (index, peripheral) in it.app.peripherals.enumerated() { names[peripheral] = index }
        let first = try #require(it.app.peripheral)
        let hash = first.hash
        it.app.manager.connect(first)
        try it.wait(for: "connected")
        #expect(first.hash == hash && names[first] == 0 && names.count == 2)
        #expect(it.app.peripherals[0] != it.app.peripherals[1])
        #expect(it.app.manager.retrievePeripherals(withIdentifiers: [first.identifier]).first == first)
    }
}

private final class EverybodysDelegate: NSObject, CBCentralManagerDelegate, CBPeripheralManagerDelegate,
    CBPeripheralDelegate
{
    func centralManagerDidUpdateState(_ central: CBCentralManager) {}
    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}
}
