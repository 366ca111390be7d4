import CoreBluetoothMockTesting

/// The same tests in virtual time.
final class SimulatedDoorbellTests: DoorbellTests {
    override func invokeTest() { invokeInSimulation { super.invokeTest() } }
}
