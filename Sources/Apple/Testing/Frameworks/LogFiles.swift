import Foundation
import Logging
import Synchronization

/// Where the log of a test that fails is written: a capture for Wireshark and a text beside it.
///
/// The directory is that of `BLUETHROAT_LOGS` in the environment, else `bluethroat-logs` among the temporary files.
struct LogFiles: Sendable {
    let capture: String
    let text: String

    init(test name: String) {
        let environment = ProcessInfo.processInfo.environment["BLUETHROAT_LOGS"]
        let directory = environment ?? NSTemporaryDirectory() + "bluethroat-logs"
        let plain = String(name.map { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" ? $0 : "_" })
        let path = (directory as NSString).appendingPathComponent(plain)
        capture = path + ".pcapng"
        text = path + ".txt"
    }

    /// Distinguishes cases of one test.
    static func nextNumber() -> Int { count.add(1, ordering: .relaxed).newValue }

    private static let count = Atomic(0)

    /// Writes both, in place of those of an earlier run. That it failed is said, not thrown: there was a failure
    /// already.
    func write(_ air: Air) {
        do {
            let directory = (capture as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            try Data(air.log.pcapng).write(to: URL(fileURLWithPath: capture))
            try Data(air.log.text.utf8).write(to: URL(fileURLWithPath: text))
        } catch {
            Logger(label: "bluethroat").error("cannot write \(capture): \(error.localizedDescription)")
        }
    }
}
