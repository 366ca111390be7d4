public import BluethroatBluetoothValues

/// Names one connection of one host for ever: the controller's handle, which is used again after a disconnection, and a
/// generation, which is not. A comparison shows what comes late for a dead connection.
public struct ConnectionID: Hashable, Sendable {
    public let handle: ConnectionHandle
    /// Counts the host's connections from 1.
    public let generation: UInt32

    @inlinable
    public init(handle: ConnectionHandle, generation: UInt32) {
        self.handle = handle
        self.generation = generation
    }
}

extension ConnectionID: CustomStringConvertible {
    /// `0x40#3`: the handle and the generation.
    public var description: String { "\(handle)#\(generation)" }
}
