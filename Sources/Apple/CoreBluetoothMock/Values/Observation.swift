import CoreBluetooth

// Where the Objective-C runtime is missing, CoreBluetooth's `observe(_:options:changeHandler:)` watches these.
extension CBMCentralManager: ObservableProperties {}
extension CBMPeripheralMock: ObservableProperties {}
extension CBMPeripheralNative: ObservableProperties {}
extension CBMPeripheralPreview: ObservableProperties {}
