public import BluethroatPhoneService
import CoreBluetooth
import Foundation
import Logging
public import XCTest

/// A test case of XCTest that gives each of its tests an air of its own.
///
///     final class MonitorTests: AirTestCase {
///         func testConnects() throws {
///             air.add(HeartRateSensor(), at: .near)
///             let monitor = HeartRateMonitor()
///             try air.run(until: monitor.isConnected)
///         }
///     }
///
/// A test that fails writes what was on the air into the directory of `BLUETHROAT_LOGS`, else into `bluethroat-logs`
/// among the temporary files, and the log says where.
open class AirTestCase: XCTestCase {
    /// The seed of this class's tests; override it for another than that of `BLUETHROAT_SEED`, or 1.
    open var seed: UInt64 { AirSettings.usualSeed }

    /// What the first phone is called.
    open var phoneName: String { "iPhone" }

    /// What the first phone is like; nil is as phones usually are.
    open var phoneSettings: PhoneSettings? { nil }

    /// Whether a test fails if the app did something that iOS would have logged as misuse.
    open var forbidsMisuse: Bool { false }

    /// Whether unstructured tasks, too, run one after the other in virtual time.
    open var capturesTasks: Bool { true }

    /// How long the air waits for work on dispatch queues and threads of the app's own; see `Air.waitsForQueues`.
    open var waitsForQueues: Duration? { nil }

    /// How many seconds pass in a second of real time, at most; see `Air.pace`.
    open var pace: Double? { nil }

    /// The air of the test that is running.
    public var air: Air { Air.current }

    open override func invokeTest() {
        var settings = AirSettings()
        settings.seed = seed
        settings.phoneName = phoneName
        settings.phone = phoneSettings
        settings.capturesTasks = capturesTasks
        settings.waitsForQueues = waitsForQueues
        settings.pace = pace
        settings.forbidsMisuse = forbidsMisuse
        invoke(on: Air(settings)) { super.invokeTest() }
    }
}

extension XCTestCase {
    /// Invokes a test with an air of its own, for classes that have another base class than `AirTestCase`.
    ///
    ///     override func invokeTest() { invokeOnAir { super.invokeTest() } }
    ///
    /// - Parameters:
    ///   - seed: that of `BLUETHROAT_SEED`, or 1, unless said otherwise.
    ///   - settings: what the first phone is like; nil is as phones usually are.
    ///   - invocation: invokes the test.
    public func invokeOnAir(seed: UInt64? = nil, settings: PhoneSettings? = nil, _ invocation: () -> Void) {
        var own = AirSettings()
        own.seed = seed
        own.phone = settings
        own.capturesTasks = true
        invoke(on: Air(own), invocation)
    }

    fileprivate func invoke(on air: Air, _ invocation: () -> Void) {
        Air.$bound.withValue(air) {
            BluetoothEnvironment.$current.withValue(air.app.environment) {
                TaskCapture.enter(air.executor, invocation)
            }
        }
        if let stall = air.stall { XCTFail(stall) }
        if air.settings.forbidsMisuse == true {
            for text in air.misuseTexts() { XCTFail(text) }
        }
        guard let run = testRun, run.totalFailureCount > 0 else { return }
        let files = LogFiles(test: name)
        files.write(air)
        Logger(label: "bluethroat").notice(
            "\(name): the air: seed \(air.seed), \(air.now.text); what was on it: \(files.capture)"
        )
    }
}
