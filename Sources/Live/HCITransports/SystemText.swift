import Foundation
import NIOCore

/// What the operating system calls an error.
enum SystemText {
    static func of(errno code: CInt) -> String { String(cString: strerror(code)).lowercasedFirst }

    static func of(_ error: any Error) -> String {
        if let error = error as? IOError { of(errno: error.errnoCode) } else { "\(error)" }
    }
}

extension String {
    /// For use in the middle of a sentence: `No such file` becomes `no such file`.
    var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
