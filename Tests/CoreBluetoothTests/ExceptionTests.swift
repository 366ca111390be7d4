import BluethroatPhoneService
import CoreBluetooth
import Testing

/// What raises an exception on Apple's systems stops the process here, with the same words.
@Suite("Where Apple's framework raises an exception")
struct ExceptionTests {
    private func expect(_ words: String, in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains(words))
    }

    @Test("A text that is no UUID [D; O]")
    func text() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBUUID(string: "180")
        }
        expect("'NSInternalInconsistencyException', reason: 'String 180 does not represent a valid UUID'", in: result)
    }

    @Test("Bytes that are no UUID [D; O]")
    func bytes() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBUUID(data: Data([1, 2, 3, 4, 5]))
        }
        expect("Data <01020304 05> does not represent a valid UUID", in: result)
    }

    @Test("A presentation format that is no Data [O]")
    func format() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicFormatString), value: "text")
        }
        expect("Expecting NSData value type for Format descriptor", in: result)
    }

    @Test("A user description that is no text [O]")
    func description() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: Data([1]))
        }
        expect("Expecting NSString value type for User Description descriptor", in: result)
    }

    @Test("Writing a client configuration, which setNotifyValue is for [O]")
    func clientConfiguration() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let it = AppScene(Accessory(AttributeTests.services))
            let peripheral = try it.connect()
            let value = try #require(it.app.characteristic("AA04"))
            peripheral.discoverDescriptors(for: value)
            try it.wait(for: "descriptors")
            peripheral.writeValue(Data([1, 0]), for: try #require(value.descriptors?.first))
        }
        expect(
            "Client Characteristic Configuration descriptors must be configured using "
                + "setNotifyValue:forCharacteristic:",
            in: result
        )
    }

    @Test("A service that is added twice [O]")
    func twice() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (port, manager) = poweredOnPeripheralManager()
            let service = CBMutableService(type: CBUUID(string: "180F"), primary: true)
            manager.add(service)
            manager.add(service)
            _ = port
        }
        expect("Services cannot be added more than once", in: result)
    }

    @Test("A cached value that clients could write [O]")
    func cached() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (port, manager) = poweredOnPeripheralManager()
            let service = CBMutableService(type: CBUUID(string: "180F"), primary: true)
            service.characteristics = [
                CBMutableCharacteristic(
                    type: CBUUID(string: "2A19"),
                    properties: [.read, .notify],
                    value: Data([1]),
                    permissions: .readable
                )
            ]
            manager.add(service)
            _ = port
        }
        expect("Characteristics with cached values must be read-only", in: result)
    }
}

private func poweredOnPeripheralManager() -> (ScriptedPort, CBPeripheralManager) {
    let port = ScriptedPort()
    let environment = BluetoothEnvironment(port: port, delivery: .inline)
    let manager = CBPeripheralManager(delegate: nil, queue: nil, options: nil, environment: environment)
    port.tell(.state(.poweredOn))
    return (port, manager)
}
