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
}
