import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import Testing

/// An app that publishes a service unless it is restored.
private final class Restorable {
    let manager: PeripheralManager
    let restoration: Future<PeripheralAdvertisements>
    var requests: FutureStream<MutableCharacteristic.WriteRequest>?

    init(asks: Bool = true) {
        manager = PeripheralManager(options: [CBPeripheralManagerOptionRestoreIdentifierKey: "tag"])
        restoration = asks ? manager.whenStateRestored() : Future()
    }

    func publish(advertises: Bool = true) {
        let service = MutableService(uuid: "FFF0")
        service.characteristics = [MutableCharacteristic(UUID: "FFF1")]
        let (manager, added) = (manager, manager.add(service))
        guard advertises else { return }
        _ = added.flatMap { _ in manager.startAdvertising("Tag", uuids: [CBUUID(string: "FFF0")]) }
    }
}

@Suite("Peripheral managers that are restored", .air)
struct PeripheralRestorationTests {
    let air = Air.current

    private func install(asks: Bool = true) -> PhoneApp {
        air.phone.install(named: "tag", backgroundModes: .bluetoothPeripheral) { _ in Restorable(asks: asks) }
    }

    private func root(_ app: PhoneApp) throws -> Restorable { try #require(app.root(as: Restorable.self)) }

    @Test("What was published and advertised is there again, linked to its manager, and can be used")
    func restored() throws {
        let app = install()
        app.launch()
        try air.run(until: try root(app).manager.poweredOn)
        app.run { [app] in app.root(as: Restorable.self)?.publish() }
        try air.run(until: try root(app).manager.isAdvertising)
        let central = NearbyCentral()
        try central.connect()
        try central.subscribe("FFF1")
        app.enterBackground()
        app.terminate()
        #expect(app.root == nil)
        // Somebody writes: the app is launched again, and answers.
        let peripheral = try #require(central.peripheral), target = try central.characteristic("FFF1")
        peripheral.writeValue(Data([5]), for: target, type: .withResponse)
        try air.run(until: app.root != nil)
        let again = try root(app)
        let advertisements = try air.value(of: again.restoration)
        #expect(advertisements.localName == "Tag" && advertisements.serviceUUIDs == [CBUUID(string: "FFF0")])
        #expect(again.manager.services.count == 1 && again.manager.services[0].uuid == CBUUID(string: "FFF0"))
        let found = try #require(again.manager.characteristics(withUUID: CBUUID(string: "FFF1"))?.first)
        #expect(found.subscribers.count == 1 && found.isUpdating && found.canNotify)
        #expect(found.service === again.manager.services[0])
        // Linked to the manager: not unconfigured.
        try found.update(withData: Data([1, 2]))
        #expect(found.value == Data([1, 2]))
        try air.run(until: central.received("FFF1") == [[1, 2]])
        let requests = found.startRespondingToWriteRequests()
        app.run { requests.onSuccess { found.respondToRequest($0.request, withResult: .success) } }
        try air.run(until: again.manager.poweredOn)
        air.run(for: .seconds(1))
        try central.write([6], to: "FFF1")
        #expect(found.value == Data([6]))
        #expect(try central.read("FFF1") == Data([6]))
        app.enterForeground()
        air.run(for: .seconds(1))
        try air.value(of: again.manager.stopAdvertising())
        again.manager.remove(again.manager.services[0])
        #expect(again.manager.services.isEmpty)
    }

    @Test("What is updated as soon as services are restored is sent as soon as Bluetooth is on")
    func updatedAtOnce() throws {
        var isAgain = false
        let app = air.phone.install(named: "tag", backgroundModes: .bluetoothPeripheral) { _ in
            let it = Restorable()
            if isAgain {
                it.restoration.onSuccess(context: ImmediateContext()) { [weak it] _ in
                    do { try it?.manager.characteristics[0].update(withData: Data([1])) } catch { Issue.record(error) }
                }
            }
            return it
        }
        app.launch()
        try air.run(until: try root(app).manager.poweredOn)
        app.run { [app] in app.root(as: Restorable.self)?.publish() }
        try air.run(until: try root(app).manager.isAdvertising)
        let central = NearbyCentral()
        try central.connect()
        try central.subscribe("FFF1")
        app.terminate()
        isAgain = true
        app.launch()
        try air.run(until: try root(app).manager.poweredOn)
        air.run(for: .seconds(1))
        #expect(central.received("FFF1") == [[1]])
        try root(app).manager.characteristics[0].update(withData: Data([2]))
        air.run(for: .seconds(1))
        #expect(central.received("FFF1") == [[1], [2]])
    }

    @Test("Without anything advertised, or without services, restoration has failed", arguments: [true, false])
    func failed(publishes: Bool) throws {
        let app = install()
        app.launch()
        try air.run(until: try root(app).manager.poweredOn)
        app.run { [app] in
            let root = app.root(as: Restorable.self)
            if publishes { root?.publish(advertises: false) } else { _ = root?.manager.startAdvertising("Tag") }
        }
        air.run(for: .seconds(1))
        app.terminate()
        app.launch()
        let again = try root(app)
        #expect(throws: PeripheralManagerError.restoreFailed) { try air.value(of: again.restoration) }
        #expect(again.manager.services.count == (publishes ? 1 : 0))
    }

    @Test("Who asks twice has the same future; who asks when all is over is told at once")
    func asking() throws {
        let app = install(asks: false)
        app.launch()
        try air.run(until: try root(app).manager.poweredOn)
        app.run { [app] in app.root(as: Restorable.self)?.publish() }
        try air.run(until: try root(app).manager.isAdvertising)
        app.terminate()
        app.launch()
        let manager = try root(app).manager
        air.run(for: .seconds(1))
        let late = manager.whenStateRestored()
        #expect(late.completed)
        #expect(try air.value(of: late).localName == "Tag")
        let next = manager.whenStateRestored()
        #expect(!next.completed && manager.whenStateRestored() === next)
    }
}
