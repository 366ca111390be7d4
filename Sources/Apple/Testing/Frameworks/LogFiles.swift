import BluethroatPrivateFiles
import Foundation
import Logging
import Synchronization

/// Where the log of a test that fails is written: a capture for Wireshark and a text beside it.
///
/// The directory is that of `BLUETHROAT_LOGS` in the environment, else `bluethroat-logs` among the temporary files. There
/// others could have made it, with links in it to files of this user: it has to be this user's alone.
struct LogFiles: Sendable {
    let capture: String
    let text: String
    private let isPrivate: Bool

    init(
        test name: String,
        named chosen: String? = ProcessInfo.processInfo.environment["BLUETHROAT_LOGS"],
        temporary: String = NSTemporaryDirectory()
    ) {
        isPrivate = chosen == nil
        let directory = chosen ?? (temporary as NSString).appendingPathComponent("bluethroat-logs")
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
            let directory = URL(fileURLWithPath: capture).deletingLastPathComponent()
            if isPrivate {
                try PrivateFiles.makeFolder(directory)
            } else {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            }
            // In place of a link, too, and not where it leads to.
            try Data(air.log.pcapng).write(to: URL(fileURLWithPath: capture), options: .atomic)
            try Data(air.log.text.utf8).write(to: URL(fileURLWithPath: text), options: .atomic)
        } catch let failure as PrivateFiles.Failure {
            Logger(label: "bluethroat").error("cannot write \(capture): \(failure); or name one with BLUETHROAT_LOGS")
        } catch {
            Logger(label: "bluethroat").error("cannot write \(capture): \(error.localizedDescription)")
        }
    }
}
