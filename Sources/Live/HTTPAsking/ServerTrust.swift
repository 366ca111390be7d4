import NIOCore
import NIOSSL
import Synchronization

/// Who vouches for servers with TLS.
final class ServerTrust: Sendable {
    /// A file of certificates; nil for those that the system trusts.
    private let certificates: String?
    /// Reading the certificates takes some milliseconds, and few ever need them.
    private let context = Mutex<NIOSSLContext?>(nil)

    init(_ certificates: String?) { self.certificates = certificates }

    /// One end of an encrypted connection to a server, which has to prove that it has this name or address.
    func handler(for host: String) throws -> NIOSSLClientHandler {
        let context = try known()
        guard (try? SocketAddress(ipAddress: host, port: 0)) == nil else {
            return try NIOSSLClientHandler(context: context, serverHostname: nil)
        }
        return try ._makeSSLClientHandler(context: context, serverHostname: host) { certificate, channel in
            // For the library the address of a server that was named is as good, which whoever answers for names chooses.
            channel.eventLoop.makeCompletedFuture {
                guard certificate.hasName(host) else { throw HTTPFailure.untrusted }
            }
        }
    }

    private func known() throws -> NIOSSLContext {
        try context.withLock { context in
            if let context { return context }
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let certificates { configuration.trustRoots = .file(certificates) }
            // A server that does not say goodbye is not waited for.
            configuration.shutdownTimeout = .milliseconds(100)
            let made = try NIOSSLContext(configuration: configuration)
            context = made
            return made
        }
    }
}

extension NIOSSLCertificate {
    /// Whether one of its DNS names is this one, or has a star for the first part of it. RFC 6125, 6.4.
    func hasName(_ host: String) -> Bool {
        let host = host.asDNSName
        // With the dot; empty if it would be all of the name.
        let parent = host.hasPrefix(".") ? "" : host.drop { $0 != "." }
        return _subjectAlternativeNames().contains { name in
            guard name.nameType == .dnsName else { return false }
            let name = name.contents.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }.asDNSName
            return name == host || (!parent.isEmpty && name == "*" + parent)
        }
    }
}

extension String {
    /// In small letters, and without the dot that may be at the end.
    fileprivate var asDNSName: String { (hasSuffix(".") ? String(dropLast()) : self).lowercased() }
}
