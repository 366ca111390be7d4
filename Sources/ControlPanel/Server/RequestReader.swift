import Foundation

/// Follows the requests on a connection so far as to know where each begins and ends, and lets through of them what the
/// panel reads.
///
/// The server behind takes lines of any length, in a time that grows with its square. So the heads that it gets to see
/// are written anew here: with those fields alone that the panel knows, each of a reasonable length.
struct RequestReader {
    /// How long a head may be, in bytes: browsers send a machine's names all cookies that any program set there.
    static let longestHead = 32 << 10
    /// How long a line of it may be of which the panel reads something.
    static let longestLine = 2 << 10

    private enum State {
        case head
        /// So many bytes of it are to come.
        case body(Int)
        case chunkSize
        /// So many bytes of it are to come, with the line end behind it.
        case chunk(Int)
        case trailer
    }

    private var state = State.head
    /// What has come of a head, of the line with a chunk's size, or of a trailer.
    private var line: [UInt8] = []
    /// Where in it the last line begins.
    private var lineStart = 0
    private var streamed = 0
    private var hasEmptyLine = false

    /// Whether part of a request has gone on to the server, and part has not.
    var isWithinRequest: Bool {
        if case .head = state { false } else { true }
    }

    /// Takes what has come, and answers what of it, rewritten, goes on to the server.
    ///
    /// - Throws: why the connection has to end.
    mutating func take(_ bytes: [UInt8]) throws(PanelError) -> [UInt8] {
        var passed: [UInt8] = []
        var rest = bytes[...]
        while let first = rest.first {
            switch state {
            case .body(let count): pass(count, of: &rest, into: &passed)
            case .chunk(let count): pass(count, of: &rest, into: &passed)
            case .head, .chunkSize, .trailer:
                rest.removeFirst()
                line.append(first)
                if first == UInt8(ascii: "\n") { try endLine(into: &passed) } else { try checkLength() }
            }
        }
        return passed
    }

    private mutating func pass(_ count: Int, of rest: inout ArraySlice<UInt8>, into passed: inout [UInt8]) {
        let part = rest.prefix(count)
        passed += part
        rest = rest.dropFirst(part.count)
        let left = count - part.count
        switch state {
        case .chunk: state = left == 0 ? .chunkSize : .chunk(left)
        default: state = left == 0 ? .head : .body(left)
        }
    }

    private func checkLength() throws(PanelError) {
        switch state {
        case .head where line.count > Self.longestHead:
            throw .headTooLong("what stands before the body may have \(Self.longestHead) bytes")
        case .chunkSize where line.count > 128, .trailer where line.count > Self.longestLine:
            throw .badRequest("the chunks of the body are not what HTTP/1.1 has")
        default: break
        }
    }

    private mutating func endLine(into passed: inout [UInt8]) throws(PanelError) {
        let own = Self.withoutEnd(line[lineStart...])
        switch state {
        case .head:
            guard own.isEmpty else { return lineStart = line.count }
            defer { beginLine() }
            // An empty line before a request is ignored. RFC 9112, 2.2.
            if lineStart == 0 {
                guard !hasEmptyLine else { throw .badRequest("this is not HTTP/1.1") }
                return hasEmptyLine = true
            }
            hasEmptyLine = false
            let head = try RequestHead(line[..<lineStart])
            passed += head.bytes
            streamed = 0
            switch head.body {
            case .none: break
            case .bytes(let count): state = count == 0 ? .head : .body(count)
            case .chunks: state = .chunkSize
            }
        case .chunkSize:
            let digits = own.prefix { $0 != UInt8(ascii: ";") }
            guard (1...8).contains(digits.count), let text = String(validating: digits, as: UTF8.self),
                text.allSatisfy(\.isHexDigit), let size = Int(text, radix: 16)
            else { throw .badRequest("the chunks of the body are not what HTTP/1.1 has") }
            streamed += size
            guard streamed <= FrontDesk.longestBody else { throw .bodyTooLong }
            passed += digits + Array("\r\n".utf8)
            state = size == 0 ? .trailer : .chunk(size + 2)
            beginLine()
        case .trailer:
            // Nobody reads trailers.
            if own.isEmpty {
                passed += Array("\r\n".utf8)
                state = .head
            }
            beginLine()
        case .body, .chunk: break
        }
    }

    private mutating func beginLine() {
        line.removeAll(keepingCapacity: true)
        lineStart = 0
    }

    static func withoutEnd(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var line = line
        if line.last == UInt8(ascii: "\n") { line.removeLast() }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        return line
    }
}

extension PanelError {
    static func headTooLong(_ message: String) -> Self { Self(.headTooLarge, "head-too-large", message) }

    static var bodyTooLong: Self { Self(.tooLarge, "too-large", "a body may have \(FrontDesk.longestBody) bytes") }
}
