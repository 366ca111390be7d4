import BluethroatTesting
import CoreBluetoothMock
import Foundation
public import XCTest

extension XCTestCase {
    /// Invokes a test with a simulation of its own in virtual time, which passes as fast as it can be computed while the test
    /// waits. It needs no base class:
    ///
    ///     override func invokeTest() { invokeInSimulation { super.invokeTest() } }
    ///
    /// - Parameters:
    ///   - seed: decides everything random; that of `BLUETHROAT_SEED`, or 1, unless said otherwise.
    ///   - invocation: invokes the test, with what sets it up and tears it down.
    public func invokeInSimulation(seed: UInt64? = nil, _ invocation: () -> Void) {
        invokeOnAir(seed: seed, settings: .mockPhone) {
            let run = SimulationRun(Air.current, onMainThread: Thread.isMainThread)
            defer { run.end() }
            SimulationRun.$current.withValue(run) {
                // XCTest serves the main queue while it waits for a test that is asynchronous, and in no other.
                if Thread.isMainThread { RunLoop.main.perform { run.begin() } }
                invocation()
            }
        }
    }
}
