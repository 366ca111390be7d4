import CoreBluetooth

// Where the Objective-C runtime is missing, CoreBluetooth's `observe(_:options:changeHandler:)` watches these.
extension CBMCentralManagerMock: ObservableProperties {}
extension CBMPeripheralMock: ObservableProperties {}
