import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHost
import Foundation

/// A folder that is gone when the test is over.
final class TestFolder: Sendable {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "bonds-" + UUID().uuidString
        mkdir(path, 0o755)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Where the bond file is in most tests.
    var file: String { path + "/bonds.sqlite" }

    /// What lies there, in alphabetical order.
    var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// A file for this user alone, as all that hold bonds are.
    func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
    }

    /// The nine permission bits; nil if there is nothing.
    func mode(_ path: String) -> UInt32? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return UInt32(status.st_mode) & 0o777
    }
}

enum Sample {
    static let local = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)
    static let otherLocal = DeviceAddress(value: 0xC0FF_EE00_0002, kind: .random)

    static func peer(_ value: UInt64, _ kind: DeviceAddress.Kind = .random) -> DeviceAddress {
        DeviceAddress(value: kind == .random ? 0xC000_0000_0000 | value : value, kind: kind)
    }

    static func key(_ number: UInt64, size: Int = 16) -> LongTermKey {
        LongTermKey(
            value: Block128(high: number, low: ~number),
            identification: CentralIdentification(
                encryptedDiversifier: UInt16(truncatingIfNeeded: number),
                random: number &* 3
            ),
            size: size,
            isAuthenticated: number % 2 == 0,
            isSecureConnections: number % 3 == 0
        )
    }

    /// A bond in which everything is set, and everything depends on the number.
    static func bond(_ number: UInt64, local: DeviceAddress = local) -> Bond {
        Bond(
            local: local,
            peer: peer(number, number % 2 == 0 ? .public : .random),
            name: "fob \(number) 🐦",
            keyAsCentral: key(number + 1, size: 7),
            keyAsPeripheral: key(number + 2),
            peerIdentityResolvingKey: Block128(high: number, low: 1),
            peerSigningKey: Block128(high: number, low: 2),
            localSigningKey: Block128(high: number, low: 3),
            peerSignCounter: UInt32(truncatingIfNeeded: number),
            localSignCounter: .max - UInt32(truncatingIfNeeded: number),
            clientRecord: ClientRecord(
                subscriptions: [
                    ClientRecord.Entry(value: AttributeHandle(rawValue: 0x002F)!, subscription: .notifications),
                    ClientRecord.Entry(value: .last, subscription: [.notifications, .indications]),
                ],
                features: 0x05,
                databaseHash: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 16)
            ),
            privacyMode: number % 2 == 0 ? .network : .device
        )
    }
}
