import Foundation
import NIOHTTP1

/// The head of a request as the parser has read it, held to limits.
enum HTTPHead {
    /// How long a head may be, in bytes: browsers send a machine's names all cookies that any program set there.
    static let longest = 32 << 10
    /// How long its first line may be, or a field that is read, in bytes.
    static let longestField = 2 << 10

    /// Of these two would be read in two ways.
    private static let single: Set<String> = ["host", "content-length", "transfer-encoding", "content-type"]
    /// What is read of a request, besides cookies.
    private static let read = [
        "host", "origin", "sec-fetch-site", "sec-fetch-mode", "authorization", "content-type", "content-length",
        "transfer-encoding", "if-none-match",
    ]

    static func request(_ head: HTTPRequestHead, longestBody: Int) throws(HTTPFault) -> HTTPRequest {
        guard head.uri.utf8.count <= longestField else {
            throw .headTooLong("an address may have \(longestField) bytes")
        }
        guard head.uri.utf8.first == UInt8(ascii: "/"), head.uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .unreadable("this is not HTTP/1.1")
        }
        var fields: [String: String] = [:]
        for (name, value) in head.headers {
            let name = name.lowercased()
            if fields[name] == nil {
                fields[name] = value
            } else if single.contains(name) {
                throw .unreadable("there is more than one \(name)")
            } else {
                fields[name]! += (name == "cookie" ? "; " : ", ") + value
            }
        }
        for name in read {
            guard fields[name].map({ $0.utf8.count <= longestField }) ?? true else {
                throw .headTooLong("the field \(name) may have \(longestField) bytes")
            }
        }
        if let coding = fields["transfer-encoding"], coding.lowercased() != "chunked" {
            throw .unreadable("a body is sent as it is or in chunks, not as \(coding)")
        }
        // RFC 9112, 6.1: an HTTP/1.0 proxy on the way may have framed it otherwise.
        guard fields["transfer-encoding"] == nil || head.version == .http1_1 else {
            throw .unreadable("HTTP/1.0 has no bodies in chunks")
        }
        if let length = fields["content-length"] {
            guard length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !length.isEmpty else {
                throw .unreadable("the Content-Length is no number of bytes")
            }
            guard let count = Int(length), count <= longestBody else { throw .bodyTooLong(longestBody) }
        }
        return HTTPRequest(method: head.method.rawValue, target: head.uri, fields: fields)
    }

    /// What the parser could not read.
    static func fault(_ error: any Error) -> HTTPFault? {
        guard let error = error as? HTTPParserError else { return nil }
        switch error {
        case .headerOverflow: return .headTooLong("what stands before the body may have \(longest) bytes")
        case .invalidChunkSize: return .unreadable("the chunks of the body are not what HTTP/1.1 has")
        case .invalidContentLength, .unexpectedContentLength:
            return .unreadable("a body has one length, or comes in chunks")
        default: return .unreadable("this is not HTTP/1.1")
        }
    }
}
