import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing
import XCTest

/// What is here fails, if it is asked to: `Tests/Repository/test_failure_logs.py` does, and looks at what is left
/// behind.
private let isAsked = ProcessInfo.processInfo.environment["BLUETHROAT_FAIL_ON_PURPOSE"] != nil

@Suite("Failing on purpose", .enabled(if: isAsked), .air)
struct FailingOnPurpose {
    let air = Air.current

    @Test(.seed(42))
    func expectation() throws {
        air.add(HeartRateSensor(named: "Strap"))
        let monitor = Monitor()
        try air.run(until: monitor.isConnected)
        #expect(monitor.values.count == 99)
    }

    @Test(.seed(43))
    func thrown() throws {
        air.add(SimulatedPeripheral.battery(named: "Cell"))
        let monitor = Monitor()
        try air.run(until: monitor.isConnected, within: .seconds(5))
    }

    @Test(arguments: [UInt64(44)])
    func within(seed: UInt64) {
        withAir(seed: seed) { air in
            air.add(HeartRateSensor(named: "Inner"))
            air.run(for: .seconds(1))
            #expect(air.log.packets.isEmpty)
        }
    }

    @Test func passing() { air.run(for: .seconds(1)) }
}

// The same for XCTest.
final class FailingCase: AirTestCase {
    override var seed: UInt64 { 45 }

    func testFails() throws {
        try XCTSkipUnless(isAsked)
        air.add(HeartRateSensor(named: "Strap"))
        let monitor = Monitor()
        try air.run(until: monitor.isConnected)
        XCTAssertEqual(monitor.values.count, 99)
    }
}

final class CarelessCase: AirTestCase {
    override var phoneName: String { "Fred" }
    override var forbidsMisuse: Bool { isAsked }
    override var phoneSettings: PhoneSettings? {
        var settings = PhoneSettings()
        settings.updateWindow = 3
        return settings
    }

    func testOrdersTooEarly() {
        XCTAssertEqual(air.phone.name, "Fred")
        XCTAssertEqual(air.phone.service.settings.updateWindow, 3)
        let manager = CBCentralManager(delegate: nil, queue: nil)
        air.switchPower(false)
        manager.stopScan()
        air.run(for: .seconds(1))
        XCTAssertEqual(air.misuse.count, 1)
    }
}

final class PassingCase: AirTestCase {
    func testEachTestHasAnAirOfItsOwn() throws {
        XCTAssertEqual(air.now, .zero)
        XCTAssertEqual(air.seed, 1)
        let sensor = air.add(HeartRateSensor())
        let monitor = Monitor()
        try air.run(until: monitor.values.count == 3)
        XCTAssertEqual(sensor.connectionCount, 1)
    }

    func testTasksRunInVirtualTime() async throws {
        XCTAssertEqual(air.now, .zero)
        let heard = Heard()
        let clock = air.clock
        Task { try await heard.sleep(.seconds(1), "task", clock) }
        await air.run(for: .seconds(3_600))
        XCTAssertEqual(heard.all, ["task at 1.0 seconds"])
    }
}
