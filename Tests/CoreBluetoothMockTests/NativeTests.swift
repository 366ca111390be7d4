import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing

@testable import CoreBluetoothMock

/// Managers over CoreBluetooth's own.
@Suite("Native managers")
struct NativeTests {
    /// An app that finds the value of a heart rate sensor, and what it hears.
    private final class StrapApp {
        let manager: CBMCentralManagerNative
        let central = CBMCentralManagerDelegateProxy()
        let delegate = CBMPeripheralDelegateProxy()
        var peripheral: (any CBMPeripheral)?
        var configuration: CBMDescriptor?
        var errors: [any Error] = []
        var ends = 0
        let states = Seen<CBMPeripheralState>()
        var observation: NSKeyValueObservation?

        init() {
            manager = CBMCentralManagerNative(delegate: central, queue: nil)
            central.didUpdateState = { central in
                if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBMUUID(string: "180D")]) }
            }
            central.didDiscoverPeripheral = { [unowned self] central, peripheral, _, _ in
                self.peripheral = peripheral
                peripheral.delegate = delegate
                central.stopScan()
                observe(peripheral)
                central.connect(peripheral)
            }
            central.didConnect = { $1.discoverServices([CBMUUID(string: "180D")]) }
            central.didDisconnect = { [unowned self] _, _, _, _, _ in ends += 1 }
            delegate.didDiscoverServices = { peripheral, _ in
                for service in peripheral.services ?? [] {
                    peripheral.discoverCharacteristics([CBMUUID(string: "2A37")], for: service)
                }
            }
            delegate.didDiscoverCharacteristics = { peripheral, service, _ in
                for value in service.characteristics ?? [] { peripheral.discoverDescriptors(for: value) }
            }
            delegate.didDiscoverDescriptors = { [unowned self] _, value, _ in
                configuration = value.descriptors?.first
            }
            delegate.didWriteDescriptorValue = { [unowned self] _, _, error in error.map { errors.append($0) } }
        }

        private func observe(_ peripheral: any CBMPeripheral) {
            guard let native = peripheral as? CBMPeripheralNative else { return }
            observation = native.observe(\.state, options: .new) { [states] _, change in
                change.newValue.map { states.values.append($0) }
            }
        }
    }

    @Test("isScanning and state can be observed", .air)
    func observation() throws {
        let air = Air.current
        air.add(HeartRateSensor(named: "Strap"))
        let app = StrapApp()
        let scans = Seen<Bool>()
        let scanning = app.manager.observe(\.isScanning, options: .new) { _, change in
            change.newValue.map { scans.values.append($0) }
        }
        try air.run(until: app.configuration != nil)
        app.manager.cancelPeripheralConnection(try #require(app.peripheral))
        try air.run(until: app.ends == 1)
        #expect(scans.values == [true, false])
        #expect(app.states.values.first == .connecting && app.states.values.contains(.connected))
        #expect(app.states.values.last == .disconnected)
        scanning.invalidate()
    }

    @Test("A client configuration that is written without setNotifyValue is an error, and the process goes on", .air)
    func clientConfiguration() throws {
        let air = Air.current
        air.add(HeartRateSensor(named: "Strap"))
        let app = StrapApp()
        try air.run(until: app.configuration != nil)
        let peripheral = try #require(app.peripheral), configuration = try #require(app.configuration)
        #expect(configuration.uuid == CBMUUID(string: "2902"))
        peripheral.writeValue(Data([1, 0]), for: configuration)
        #expect(app.errors.isEmpty, "the app hears of it later")
        try air.run(until: app.errors.count == 1)
        #expect((app.errors[0] as? CBMATTError)?.code == .writeNotPermitted && app.ends == 0)
    }

    @Test("A manager is native where the process has an adapter and the test no phone, unless forceMock is set")
    func factory() {
        let adapter = ["BLUETHROAT_HCI": "tcp:127.0.0.1:6402"]
        func isNative(_ variables: [String: String], forceMock: Bool = false) -> Bool {
            let manager = CBMCentralManagerFactory.make(nil, nil, nil, forceMock: forceMock, variables)
            return manager is CBMCentralManagerNative
        }
        // Managers that are made here are on no phone.
        BluetoothEnvironment.$current.withValue(.withoutBluetooth) {
            #expect(isNative(adapter) && !isNative([:]) && !isNative(["BLUETHROAT_HCI": ""]))
            #expect(!isNative(adapter, forceMock: true))
        }
        withAir { _ in #expect(!isNative(adapter)) }
    }
}
