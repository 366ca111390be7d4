import BluethroatBluetoothCrypto
import Foundation

/// What distinguishes this machine and this program from others: the same in every process.
enum MachineIdentity {
    /// A number that follows from the machine, the program and a phone's name.
    static func number(ofPhone name: String) -> UInt64 {
        number(machine: machine, program: program, phone: name)
    }

    /// HMAC-SHA256 under the machine's identity, of which nothing can be told from the identifiers that follow: machine-id(5)
    /// asks for that. The message is what it is for, and both names with their lengths before them, 8 bytes each, in big
    /// endian; the number is its first 8 bytes.
    static func number(machine: String, program: String, phone: String) -> UInt64 {
        var message = Array("bluethroat identifiers of peers 1".utf8)
        for part in [program, phone] {
            message += Self.bytes(UInt64(part.utf8.count))
            message += part.utf8
        }
        return HMACSHA256.authenticate(message, key: Array(machine.utf8)).high.high
    }

    private static func bytes(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
    }

    /// The number that the system was given when it was installed, machine-id(5); else what the machine is called.
    private static var machine: String {
        let files = ["/etc/machine-id", "/var/lib/dbus/machine-id"]
        let ids = files.lazy.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        return ids.first { !$0.isEmpty } ?? ProcessInfo.processInfo.hostName
    }

    /// An app is known by its bundle; a program without one by where it is.
    private static var program: String {
        Bundle.main.bundleIdentifier ?? Bundle.main.executablePath ?? ProcessInfo.processInfo.processName
    }
}
