import Foundation
import NIOCore

/// Where a server listens.
public enum ListeningPlace: Hashable, Sendable {
    /// A host name or an IP address, and a TCP port; port 0 picks a free one.
    case tcp(host: String, port: Int)
    /// A Unix stream socket for processes of the same user (and of root) alone.
    case unix(path: String)
    /// Pseudo-terminals for processes of the same user (and of root): each program that opens the path gets one of its own.
    /// Linux only.
    case terminal(path: String)
}

/// Why a server cannot listen.
public enum ListeningFailure: Error, Hashable, Sendable {
    case portTaken
    case notPermitted
    case notThisMachine
    case unknownHost
    /// There is a file of that name already, or another server listens there.
    case pathTaken
    /// What the operating system says.
    case other(String)

    static func system(_ code: CInt) -> Self {
        code == EACCES || code == EPERM ? .notPermitted : .other(String(cString: strerror(code)))
    }

    init(_ error: any Error) {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: self = .portTaken
        case EACCES: self = .notPermitted
        case EADDRNOTAVAIL: self = .notThisMachine
        case .some(let code): self = .other(String(cString: strerror(code)))
        case nil: self = error is SocketAddressError ? .unknownHost : .other("\(error)")
        }
    }
}
