import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth

typealias Accelerometer = TiSensorTag.AccelerometerService

/// An app that the system ends, and launches again when a central wants something of it.
final class TagApp {
    let manager = PeripheralManager(options: [CBPeripheralManagerOptionRestoreIdentifierKey: "us.example.tag"])

    init(_ launch: AppLaunch) {
        print("launched; managers to restore: \(launch.peripherals)")
        guard !launch.peripherals.isEmpty else {
            publish()
            return
        }
        // At once: what the app was launched for comes right after.
        manager.whenStateRestored().onSuccess(context: ImmediateContext()) { [self] advertisements in
            print("restored: \(advertisements.localName ?? "nothing"), with \(manager.services.count) service")
            answerWrites()
        }
    }

    private func publish() {
        let service = MutableService(uuid: Accelerometer.uuid)
        service.characteristics = [MutableCharacteristic(profile: RawCharacteristicProfile<Accelerometer.Enabled>())]
        manager.whenStateChanges()
            .withFilter { $0 == .poweredOn }
            .flatMap { [manager] _ in manager.add(service) }
            .flatMap { [manager] in manager.startAdvertising("Tag", uuids: [service.uuid]) }
            .onSuccess { [weak self] in self?.answerWrites() }
    }

    private func answerWrites() {
        for enabled in manager.characteristics {
            enabled.startRespondingToWriteRequests(capacity: 1).onSuccess { request, _ in
                print("asked for \(request.value?.hexStringValue() ?? "")")
                enabled.respondToRequest(request, withResult: .success)
            }
        }
    }
}

try withAir { air in
    let app = air.phone.install(named: "Tag", backgroundModes: .bluetoothPeripheral) { TagApp($0) }
    app.launch()
    try air.run(until: app.root(as: TagApp.self)?.manager.isAdvertising == true)

    let visitor = air.addPhone(named: "visitor").addApp().run { CentralManager() }
    let ready = visitor.whenStateChanges()
        .withFilter { $0 == .poweredOn }
        .flatMap { _ in visitor.startScanning(forServiceUUIDs: [CBUUID(string: Accelerometer.uuid)]) }
        .flatMap { tag -> FutureStream<Void> in
            visitor.stopScanning()
            return tag.connect()
        }
        .flatMap { visitor.peripherals[0].discoverServices([CBUUID(string: Accelerometer.uuid)]) }
        .flatMap { visitor.services[0].discoverAllCharacteristics() }
    ready.onSuccess { print("the visitor is connected") }
    air.run(for: .seconds(2))

    print("the app leaves the screen, and the system ends it")
    app.enterBackground()
    app.terminate()
    let written = visitor.services[0].characteristics[0].write(Accelerometer.Enabled.yes)
    written.onSuccess { print("the visitor: written") }
    air.run(for: .seconds(2))
}
