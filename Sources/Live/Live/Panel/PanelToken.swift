package import BluethroatEvents
import BluethroatPrivateFiles
import Foundation

/// The secret that each request to the control panel shows. It is never an argument: those are in the list of processes,
/// which every user of a machine can read.
package enum PanelToken {
    /// The environment variable that may have it.
    package static let variable = "BLUETHROAT_PANEL_TOKEN"

    /// A new one.
    package static func drawn() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(random.next() as UInt64, radix: 36)
            return String(repeating: "0", count: 13 - digits.count) + digits
        }.joined()
    }

    /// That of the environment, if it has one.
    package static func given(_ environment: [String: String]) throws(OperationFailure) -> String? {
        guard let token = environment[variable] else { return nil }
        guard isFit(token) else { throw OperationFailure("\(variable): \(rule)", .wrongUsage) }
        return token
    }

    /// That of a file, which is made with a token of its own if there is none.
    package static func kept(in path: String) throws(OperationFailure) -> String {
        let kept: String?
        do throws(PrivateFiles.Failure) {
            kept = try PrivateFiles.readText(URL(fileURLWithPath: path), limit: 512)
        } catch .open {
            throw OperationFailure(
                "other users can read or change \(path); chmod 600 it, and put another token in it",
                .wrongUsage
            )
        } catch {
            throw OperationFailure("\(error)", .wrongUsage)
        }
        guard let token = kept?.trimmingCharacters(in: .whitespacesAndNewlines) else {
            let token = drawn()
            try PrivateFile.write(token + "\n", to: path)
            return token
        }
        guard isFit(token) else { throw OperationFailure("\(path): \(rule)", .wrongUsage) }
        return token
    }

    private static let rule = "a token has 16 to 200 letters, digits and characters of -._~"

    /// Such that it can stand in an address, a cookie and a field as it is.
    private static func isFit(_ token: String) -> Bool {
        (16...200).contains(token.utf8.count)
            && token.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "-._~".utf8.contains(byte)
                }
            }
    }
}
