import CoreBluetoothMockTesting

/// The same tests in virtual time. XCTest on Linux runs only the tests that a class has itself.
final class SimulatedDoorbellTests: DoorbellTests {
    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func testRing() { super.testRing() }
    override func testComesBackAfterReset() { super.testComesBackAfterReset() }
    override func testStaysQuiet() { super.testStaysQuiet() }
}
