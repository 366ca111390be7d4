public import CoreBluetooth

/// The codec under the names that it has in the programs of others; bytes are in the order of apps.
public enum OverflowAreaUtils {
    /// All services of the table.
    public static func allOverflowServiceUuids() -> [CBUUID] { OverflowBit.table }

    /// The services that stand for up to 16 bytes; what is behind the sixteenth is dropped.
    public static func bytesToOverflowServiceUuids(bytes: [UInt8]) -> [CBUUID] {
        OverflowMask(bytes.prefix(16), order: .app)?.services ?? []
    }

    /// 16 bytes; services that are not in the table are passed over.
    public static func overflowServiceUuidsToBytes(uuids: [CBUUID]) -> [UInt8] {
        OverflowMask(inTable: uuids).bytes(.app)
    }

    /// The services that stand for up to 128 characters 0 and 1; none if there is anything else.
    public static func binaryStringToOverflowServiceUuids(binaryString: String) -> [CBUUID] {
        OverflowMask(binary: binaryString)?.services ?? []
    }

    /// 128 characters 0 and 1; services that are not in the table are passed over.
    public static func overflowServiceUuidsToBinaryString(uuids: [CBUUID]) -> String {
        OverflowMask(inTable: uuids).binary
    }

    /// What a scan for all services of the table has found in a phone's overflow area; nil if nothing.
    public static func extractOverflowAreaBytes(advertisementData: [String: Any]) -> [UInt8]? {
        OverflowMask(advertisementData: advertisementData)?.bytes(.app)
    }
}
