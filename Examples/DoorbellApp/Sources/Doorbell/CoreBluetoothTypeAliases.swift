import CoreBluetoothMock

typealias CBCentralManager = CBMCentralManager
typealias CBCentralManagerDelegate = CBMCentralManagerDelegate
typealias CBCentralManagerFactory = CBMCentralManagerFactory
typealias CBPeripheral = CBMPeripheral
typealias CBPeripheralDelegate = CBMPeripheralDelegate
typealias CBService = CBMService
typealias CBCharacteristic = CBMCharacteristic
typealias CBUUID = CBMUUID
