import CoreBluetoothMock
import CoreBluetoothMockTesting

/// The same in virtual time. XCTest on Linux runs only the tests that a class has itself.
final class SimulatedDoorbellSuite: DoorbellSuite {
    override func invokeTest() { invokeInSimulation { super.invokeTest() } }

    override func testStateIsWhatWasSimulatedAtOnce() { super.testStateIsWhatWasSimulatedAtOnce() }
    override func testAnotherAppsConnectionIsThereAtOnce() { super.testAnotherAppsConnectionIsThereAtOnce() }
    override func testADeviceThatIsConnectedFromTheBeginningIsNotFound() {
        super.testADeviceThatIsConnectedFromTheBeginningIsNotFound()
    }
    override func testResetIsATimeoutAndNothingIsHeardAfterIt() { super.testResetIsATimeoutAndNothingIsHeardAfterIt() }
    override func testOutOfRangeIsATimeout() { super.testOutOfRangeIsATimeout() }
    override func testDisconnection() { super.testDisconnection() }
    override func testRingsInOrder() { super.testRingsInOrder() }
    override func testVolumeIsWrittenAndRead() throws { try super.testVolumeIsWrittenAndRead() }
    override func testRefusedWriteSaysWhy() throws { try super.testRefusedWriteSaysWhy() }
    override func testAppWithAQueueOfItsOwn() { super.testAppWithAQueueOfItsOwn() }
    override func testServicesChange() { super.testServicesChange() }
    override func testAnotherAddressIsAnotherDevice() { super.testAnotherAddressIsAnotherDevice() }
}
