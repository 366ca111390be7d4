public import CoreBluetooth
import Foundation

/// Counts through all UUIDs, as numbers of 128 bits.
public struct ServiceCounter: Hashable, Sendable {
    /// The most significant byte first.
    public private(set) var bytes = [UInt8](repeating: 0, count: 16)

    /// From zero.
    public init() {}

    /// From a UUID; short ones are not spelled out.
    public init(from service: CBUUID) {
        let data = Array(service.data)
        bytes = [UInt8](repeating: 0, count: 16 - data.count) + data
    }

    public var service: CBUUID { CBUUID(data: Data(bytes)) }

    /// Goes on to the next one, and from the last to zero.
    public mutating func advance() {
        for place in bytes.indices.reversed() {
            bytes[place] &+= 1
            if bytes[place] != 0 { return }
        }
    }
}
