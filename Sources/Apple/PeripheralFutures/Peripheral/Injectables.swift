public import CoreBluetooth

// What apps see of CoreBluetooth's objects, so that tests can have others in their place.

/// A read or a write that a central wants.
public protocol CBATTRequestInjectable: AnyObject, Sendable {
    /// From which byte of the value on.
    var offset: Int { get }
    /// What is to be written; for a read, what it is answered with.
    var value: Data? { get set }
    /// Whose value is meant.
    func getCharacteristic() -> any CBCharacteristicInjectable
}

/// A central that uses what is published here.
public protocol CBCentralInjectable: AnyObject, Sendable {
    /// Under which name this app knows the central.
    var identifier: UUID { get }
    /// How many bytes fit into one update.
    var maximumUpdateValueLength: Int { get }
}

/// A characteristic, here or elsewhere.
public protocol CBCharacteristicInjectable: AnyObject, Sendable {
    var uuid: CBUUID { get }
    var value: Data? { get }
    var properties: CBCharacteristicProperties { get }
    var isNotifying: Bool { get }
}

extension CBATTRequest: CBATTRequestInjectable {
    public func getCharacteristic() -> any CBCharacteristicInjectable { characteristic }
}

extension CBCentral: CBCentralInjectable {}
extension CBCharacteristic: CBCharacteristicInjectable {}

#if !os(Linux)
    extension CBATTRequest: @retroactive @unchecked Sendable {}
    extension CBPeer: @retroactive @unchecked Sendable {}
    extension CBAttribute: @retroactive @unchecked Sendable {}
#endif
