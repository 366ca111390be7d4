import BluethroatPeripheralFutures
import BluethroatTesting
import CoreBluetooth
import XCTest

/// XCTest runs these on the main thread, where the main queue cannot be waited for.
final class MainThreadCase: AirTestCase {
    func testTheMainQueueIsEnteredByNobodyWhoIsOnIt() throws {
        air.add(HeartRateSensor(), at: .near)
        let manager = CentralManager(queue: .main)
        var names: [String] = []
        manager.whenStateChanges().withFilter { $0 == .poweredOn }
            .flatMap { _ in manager.startScanning() }
            .onSuccess { names.append($0.name) }
        try air.run(until: !names.isEmpty, within: .seconds(5))
        XCTAssertEqual(names, ["Heart Rate Sensor"])
        XCTAssertEqual(Queue.main.sync { 5 }, 5)
    }
}
