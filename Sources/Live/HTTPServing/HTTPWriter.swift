import BluethroatListening
import Foundation
import NIOCore
import NIOHTTP1

/// Writes one answer, no faster than the peer reads it.
struct HTTPWriter: Sendable {
    /// How many bytes are handed to the channel at once.
    private static let piece = 64 << 10

    private let here: NIOLoopBound<(HTTPConversation, ChannelHandlerContext)>
    private let loop: any EventLoop
    private let isHead: Bool

    init(_ conversation: HTTPConversation, _ context: ChannelHandlerContext, isHead: Bool) {
        here = NIOLoopBound((conversation, context), eventLoop: context.eventLoop)
        loop = context.eventLoop
        self.isHead = isHead
    }

    /// Writes all of it, and notifies the conversation.
    func write(_ answer: HTTPAnswer) async {
        var answer = answer
        do {
            switch answer.body {
            case .bytes(let bytes): answer.isLast = try await write(answer, bytes)
            case .pieces(let pieces):
                defer { pieces.end() }
                let whole = answer
                let refusal = try await loop.submit { here.value.0.refusal(of: whole) }.get()
                if let refusal, case .bytes(let bytes) = refusal.body {
                    answer.isLast = try await write(refusal, bytes)
                    break
                }
                answer.isLast = try await begin(answer, length: nil)
                while !isHead, let piece = await pieces.next() { try await put(piece[...]) }
                try await flush { [.end(nil)] }
            }
        } catch {
            // The peer is gone.
            answer.isLast = true
        }
        let isLast = answer.isLast
        loop.execute { here.value.0.answered(isLast, here.value.1) }
    }

    /// Writes an answer at once. On the channel's thread.
    func put(_ answer: HTTPAnswer, _ bytes: Data) {
        let context = here.value.1
        for part in whole(answer, bytes) { context.write(NIOAny(part), promise: nil) }
        context.flush()
    }

    private func write(_ answer: HTTPAnswer, _ bytes: Data) async throws -> Bool {
        guard bytes.count > Self.piece, !isHead else {
            return try await loop.flatSubmit {
                var answer = answer
                answer.isLast = here.value.0.begin(answer)
                let isLast = answer.isLast
                return flushNow(whole(answer, bytes)).map { isLast }
            }.get()
        }
        let isLast = try await begin(answer, length: bytes.count)
        try await put(Array(bytes)[...])
        try await flush { [.end(nil)] }
        return isLast
    }

    /// Writes the head, and answers whether this is the last answer.
    private func begin(_ answer: HTTPAnswer, length: Int?) async throws -> Bool {
        try await loop.flatSubmit {
            var answer = answer
            answer.isLast = here.value.0.begin(answer)
            let isLast = answer.isLast
            return flushNow([.head(Self.head(answer, length: length))]).map { isLast }
        }.get()
    }

    private func put(_ bytes: ArraySlice<UInt8>) async throws {
        var rest = bytes
        while !rest.isEmpty {
            let piece = rest.prefix(Self.piece)
            rest = rest.dropFirst(Self.piece)
            try await flush { [.body(.byteBuffer(ByteBuffer(bytes: piece)))] }
        }
    }

    private func flush(_ parts: @escaping @Sendable () -> [HTTPServerResponsePart]) async throws {
        try await loop.flatSubmit { flushNow(parts()) }.get()
    }

    /// Writes something. It is done when the operating system has taken it; a peer that does not read it loses the
    /// connection.
    private func flushNow(_ parts: [HTTPServerResponsePart]) -> EventLoopFuture<Void> {
        let (conversation, context) = here.value
        let connection = conversation.connection
        let taken = context.eventLoop.makePromise(of: Void.self)
        guard let last = parts.last else { return context.eventLoop.makeSucceededVoidFuture() }
        for part in parts.dropLast() { context.write(NIOAny(part), promise: nil) }
        context.writeAndFlush(NIOAny(last), promise: taken)
        let isTaken = NIOLoopBoundBox(false, eventLoop: context.eventLoop)
        taken.futureResult.whenComplete { _ in
            isTaken.value = true
            connection.takeYourTime()
            connection.keep()
        }
        if !isTaken.value {
            connection.wait()
            connection.expect(within: connection.limits.unread)
        }
        return taken.futureResult
    }

    private func whole(_ answer: HTTPAnswer, _ bytes: Data) -> [HTTPServerResponsePart] {
        let hasBody = answer.status != 204 && answer.status != 304
        let head = HTTPServerResponsePart.head(Self.head(answer, length: hasBody ? bytes.count : nil))
        guard hasBody, !isHead, !bytes.isEmpty else { return [head, .end(nil)] }
        return [head, .body(.byteBuffer(ByteBuffer(bytes: bytes))), .end(nil)]
    }

    private static func head(_ answer: HTTPAnswer, length: Int?) -> HTTPResponseHead {
        var fields = HTTPHeaders(answer.fields.map { ($0.name, $0.value) })
        if let length { fields.add(name: "content-length", value: String(length)) }
        if answer.isLast { fields.add(name: "connection", value: "close") }
        return HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: answer.status),
            headers: fields
        )
    }
}
