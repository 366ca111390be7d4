import CoreBluetoothMock

// How apps that are tested with the mock name its types: by type aliases, so that the code says what it says on a phone.

typealias CBPeripheral = CBMPeripheral
typealias CBPeripheralDelegate = CBMPeripheralDelegate
typealias CBPeripheralState = CBMPeripheralState
typealias CBCentralManager = CBMCentralManager
typealias CBCentralManagerDelegate = CBMCentralManagerDelegate
typealias CBCentralManagerFactory = CBMCentralManagerFactory
typealias CBManagerState = CBMManagerState
typealias CBService = CBMService
typealias CBCharacteristic = CBMCharacteristic
typealias CBDescriptor = CBMDescriptor
typealias CBUUID = CBMUUID
typealias CBError = CBMError
