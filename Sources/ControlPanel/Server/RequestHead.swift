import Foundation

/// The head of a request, with those fields alone that the panel reads.
struct RequestHead {
    enum Body: Equatable {
        case none
        case bytes(Int)
        case chunks
    }

    /// How it is written for the server.
    let bytes: [UInt8]
    let body: Body

    /// What is read of a request; all other fields are left out.
    private static let known: Set<String> = [
        "host", "origin", "sec-fetch-site", "sec-fetch-mode", "authorization", "cookie", "content-type",
        "content-length", "transfer-encoding", "connection", "if-none-match",
    ]
    /// Two of these would be read in two ways.
    private static let single: Set<String> = ["host", "content-length", "transfer-encoding"]

    /// - Parameter lines: the request line and the fields, without the empty line.
    init(_ lines: ArraySlice<UInt8>) throws(PanelError) {
        var lines = lines.split(separator: UInt8(ascii: "\n")).map(RequestReader.withoutEnd)[...]
        guard let first = lines.popFirst() else { throw Self.noHTTP }
        var out = try Self.requestLine(first)
        var seen: Set<String> = []
        var length: Int?
        var isChunked = false
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                let name = String(validating: line[..<colon], as: UTF8.self)?.lowercased()
            else { throw Self.noHTTP }
            // A name with a space in it, or a line that goes on with the one before, is read by some and not by others.
            guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw Self.noHTTP }
            guard Self.known.contains(name) else { continue }
            guard seen.insert(name).inserted || !Self.single.contains(name) else {
                throw .badRequest("there is more than one \(name)")
            }
            guard var value = try Self.value(line[line.index(after: colon)...], of: name) else { continue }
            switch name {
            case "content-length":
                guard (1...15).contains(value.count), value.allSatisfy(\.isASCIIDigit), let count = Int(value) else {
                    throw .badRequest("the Content-Length is no number of bytes")
                }
                length = count
            case "transfer-encoding":
                guard value.lowercased() == "chunked" else {
                    throw .badRequest("a body is sent as it is or in chunks, not as \(value)")
                }
                isChunked = true
            case "cookie":
                guard let own = Doorkeeper.ownCookie(in: value) else { continue }
                value = own
            default: break
            }
            out += "\(name): \(value)\r\n"
        }
        guard length == nil || !isChunked else { throw .badRequest("a body has a length or comes in chunks, not both") }
        if let length, length > FrontDesk.longestBody { throw .bodyTooLong }
        bytes = Array((out + "\r\n").utf8)
        body = isChunked ? .chunks : length.map { .bytes($0) } ?? .none
    }

    private static var noHTTP: PanelError { .badRequest("this is not HTTP/1.1") }

    /// Those that the server behind knows; whether there is something that takes one is for others to say.
    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    private static func requestLine(_ line: ArraySlice<UInt8>) throws(PanelError) -> String {
        guard line.count <= RequestReader.longestLine else {
            throw .headTooLong("an address may have \(RequestReader.longestLine) bytes")
        }
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].allSatisfy({ (0x41...0x5A).contains($0) }), (1...16).contains(parts[0].count),
            parts[1].first == UInt8(ascii: "/"), parts[1].allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            ["HTTP/1.1", "HTTP/1.0"].contains(String(decoding: parts[2], as: UTF8.self))
        else { throw noHTTP }
        let method = String(decoding: parts[0], as: UTF8.self)
        guard methods.contains(method) else {
            throw PanelError(
                .methodNotAllowed,
                "method-not-allowed",
                "nothing here takes \(method); /openapi.json lists what there is"
            )
        }
        return String(decoding: line, as: UTF8.self) + "\r\n"
    }

    /// Nil for cookies that are too long to be ours: they are none of the panel's business.
    private static func value(_ bytes: ArraySlice<UInt8>, of name: String) throws(PanelError) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self),
            text.utf8.allSatisfy({ $0 >= 0x20 || $0 == UInt8(ascii: "\t") })
        else { throw .badRequest("the field \(name) holds what is no text") }
        let value = text.trimmingCharacters(in: .whitespaces)
        guard name == "cookie" || value.utf8.count <= RequestReader.longestLine else {
            throw .headTooLong("the field \(name) may have \(RequestReader.longestLine) bytes")
        }
        return value
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isWholeNumber }
}
