import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import CoreBluetooth
import Foundation
import Testing

@testable import CoreBluetoothStrangers

@Suite("CBPeripheralManager on a phone that is a script")
struct PeripheralManagerTests {
    let port = ScriptedPort()
    let app: HeartRatePublisher
    let central = SubscribedCentral(id: PeerID(high: 1, low: 2), maximumUpdateLength: 182)

    init() {
        app = HeartRatePublisher(environment: BluetoothEnvironment(port: port, delivery: .inline))
    }

    private func published() throws -> LocalService {
        port.tell(.peripheral(.updateWindow(2)), .state(.poweredOn))
        guard case .peripheral(.add(let service))? = port.takeOrders().first else {
            throw CBError(.unknown)
        }
        port.tell(.peripheral(.serviceAdded(service.id, nil)))
        return service
    }

    @Test("A service is published as a copy, with its characteristics, descriptors and permissions [H; G]")
    func publishing() throws {
        let service = try published()
        #expect(service.uuid == 0x180D && service.isPrimary)
        #expect(service.characteristics.map(\.uuid) == [0x2A37, 0x2A38, 0x2A39])
        #expect(service.characteristics[0].properties == 0x110)
        #expect(service.characteristics[0].descriptors == [LocalDescriptor(uuid: 0x2901, value: Array("beats".utf8))])
        #expect(service.characteristics[1].value == [1])
        #expect(service.characteristics[2].permissions == 0x0A)
    }

    @Test("Of what an app wants advertised, a name and services are ordered; of the rest the service is told [H; D]")
    func advertising() throws {
        _ = try published()
        guard case .peripheral(.startAdvertising(let request))? = port.takeOrders().first else {
            Issue.record("there is no order")
            return
        }
        #expect(
            request
                == AdvertisementRequest(
                    localName: "Heart",
                    services: [0x180D],
                    ignoredKeys: [CBAdvertisementDataManufacturerDataKey]
                )
        )
        #expect(!app.manager.isAdvertising)
        port.tell(.peripheral(.advertisingStarted(nil)))
        #expect(app.manager.isAdvertising)
    }

    @Test("Updates are taken until the window is full; the app hears when there is room again [H; D]")
    func updates() throws {
        _ = try published()
        _ = port.takeOrders()
        for number in 0..<4 { app.send(Data([UInt8(number)])) }
        #expect(port.takeOrders().count == 2)
        #expect(app.queue.count == 2)
        port.tell(.peripheral(.updatesSent(1)))
        #expect(app.queue.count == 1)
        port.tell(.peripheral(.updatesSent(2)))
        #expect(app.queue.isEmpty)
    }

    @Test("A read is answered with the bytes from its offset on, or with any code the app has [H; G; O]")
    func reads() throws {
        let service = try published()
        _ = port.takeOrders()
        let measurement = service.characteristics[0].id
        let control = service.characteristics[2].id
        port.tell(.peripheral(.readRequested(LocalRequestID(number: 7), central, measurement, offset: 1)))
        port.tell(.peripheral(.readRequested(LocalRequestID(number: 8), central, measurement, offset: 9)))
        port.tell(.peripheral(.readRequested(LocalRequestID(number: 9), central, control, offset: 0)))
        let answers = port.takeOrders().compactMap { order -> LocalAnswer? in
            if case .peripheral(.answer(_, let answer)) = order { answer } else { nil }
        }
        #expect(
            answers == [
                .accepted([61, 62]), .refused(.invalidOffset, measurement),
                .refused(ATTError(rawValue: 0x80), control),
            ]
        )
    }

    @Test("Writes that belong together come together and are answered once [H; G]")
    func writes() throws {
        let service = try published()
        _ = port.takeOrders()
        let control = service.characteristics[2].id
        let writes = [LocalWrite(characteristic: control, value: [1]), LocalWrite(characteristic: control, value: [2])]
        port.tell(.peripheral(.writesRequested(LocalRequestID(number: 3), central, writes)))
        let orders = port.takeOrders()
        #expect(orders.count == 1)
        guard
            case .peripheral(.answer(LocalRequestID(number: 3), .refused(.requestNotSupported, control)))? = orders
                .first
        else {
            Issue.record("there is another answer")
            return
        }
    }

    @Test("What the phone kept of a terminated app comes back as objects that know their subscribers [H; G]")
    func restoration() throws {
        let service = try published()
        let delegate = RestoredRecorder()
        let other = ScriptedPort()
        let manager = CBPeripheralManager(
            delegate: delegate,
            queue: nil,
            options: [CBPeripheralManagerOptionRestoreIdentifierKey: "me"],
            environment: BluetoothEnvironment(port: other, delivery: .inline)
        )
        let measurement = service.characteristics[0].id
        let restoration = PeripheralRestoration(
            services: [service],
            subscriptions: [.init(central: central, characteristic: measurement)],
            advertisement: AdvertisementRequest(localName: "Heart", services: [0x180D])
        )
        other.tell(.peripheral(.updateWindow(1)), .peripheral(.restored(restoration)), .state(.poweredOn))

        #expect(delegate.heard == ["restored", "state"])
        let services = delegate.restored[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService]
        let restored = try #require(services?.first?.characteristics?.first as? CBMutableCharacteristic)
        #expect(restored.subscribedCentrals?.map(\.maximumUpdateValueLength) == [182])
        #expect(restored.descriptors?.first?.value as? String == "beats")
        let advertised = delegate.restored[CBPeripheralManagerRestoredStateAdvertisementDataKey] as? [String: Any]
        #expect(advertised?[CBAdvertisementDataLocalNameKey] as? String == "Heart")
        #expect(manager.isAdvertising)
        #expect(manager.updateValue(Data([1]), for: restored, onSubscribedCentrals: nil))
        guard case .peripheral(.update(measurement, [1], to: nil))? = other.takeOrders().first else {
            Issue.record("the characteristic has another name")
            return
        }
        manager.add(CBMutableService(type: CBUUID(string: "180F"), primary: true))
        guard case .peripheral(.add(let new))? = other.takeOrders().first else {
            Issue.record("there is no order")
            return
        }
        #expect(new.id.number > service.characteristics.map(\.id.number).max()!, "names are not given twice")
    }
}

/// Writes down what was restored, and when.
final class RestoredRecorder: NSObject, CBPeripheralManagerDelegate {
    var heard: [String] = []
    var restored: [String: Any] = [:]

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        heard.append("restored")
        restored = dict
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { heard.append("state") }
}
