import Foundation

/// What distinguishes this machine and this program from others: the same in every process.
enum MachineIdentity {
    /// A number that follows from the machine, the program and a phone's name.
    static func number(ofPhone name: String) -> UInt64 {
        number(machine: machine, program: program, phone: name)
    }

    static func number(machine: String, program: String, phone: String) -> UInt64 {
        // FNV-1a over 64 bits. What it follows from cannot be told from the identifiers that follow from it.
        var number: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in [machine, program, phone] {
            for byte in part.utf8 + [0] { number = (number ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return number
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
