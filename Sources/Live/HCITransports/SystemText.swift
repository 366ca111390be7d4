import Foundation

/// What the operating system calls an error.
package enum SystemText {
    package static func of(errno code: CInt) -> String { String(cString: strerror(code)).lowercasedFirst }
}

extension String {
    /// For use in the middle of a sentence: `No such file` becomes `no such file`.
    package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
