import BluethroatTesting
import CoreBluetoothMock
import Testing

@testable import CoreBluetoothMockStrangers

@Suite("Code that knows the original only", .air)
struct StrangerTests {
    let air = Air.current

    @Test("An app with type aliases and global specifications turns its lamp on, and comes back after a reset")
    func lampApp() throws {
        CBMCentralManagerMock.simulatePeripherals([lamp])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = LampApp()
        try air.run(until: app.isLit && app.switches == [true])
        #expect(app.name == "Lamp" && lamp.isConnected)
        app.turn(on: false)
        try air.run(until: !app.isLit)
        air.run(for: .seconds(2))
        lamp.simulateReset()
        try air.run(until: app.ends == [.connectionTimeout] && app.isLit && app.switches == [true, true])
    }

    /// As long as the mock hands on nothing of CoreBluetooth that has the same names.
    @Test("A test finds the type aliases of the app that it tests")
    func aliases() {
        let peripheral: any CBPeripheral = CBMPeripheralPreview(lamp)
        let manager: CBCentralManager = CBCentralManagerFactory.instance(forceMock: true)
        #expect(peripheral.state == .disconnected && manager.state == CBManagerState.unknown)
        #expect(CBService.self == CBMService.self && CBCharacteristic.self == CBMCharacteristic.self)
        #expect(CBDescriptor.self == CBMDescriptor.self && CBUUID.self == CBMUUID.self)
    }
}
