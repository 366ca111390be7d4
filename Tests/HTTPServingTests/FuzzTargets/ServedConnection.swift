import Dispatch
import Foundation
import FuzzInputs
import NIOCore
import NIOEmbedded
import Synchronization

@testable import BluethroatHTTPServing
@testable import BluethroatListening

/// One connection of an HTTP server without a socket, from its first byte to its end.
struct ServedConnection {
    static let longestBody = 100

    /// What the service was asked, and what it was to say to what is no request.
    private(set) var asked: [String] = []
    private(set) var refused: [HTTPFault] = []
    private(set) var longest = 0
    /// Whether the connection was there when the peer had said all.
    private(set) var wasOpen = false
    /// What the peer was sent.
    private(set) var sent: [UInt8] = []

    /// The same as `run`, for a thread that may wait: not for those that run tasks.
    static func serve(_ pieces: [[UInt8]]) throws -> ServedConnection {
        let result = Mutex<Result<ServedConnection, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Task {
            do {
                let served = try await run(pieces)
                result.withLock { $0 = .success(served) }
            } catch {
                result.withLock { $0 = .failure(error) }
            }
            isDone.signal()
        }
        isDone.wait()
        guard let served = try result.withLock({ $0 })?.get() else { preconditionFailure("a result is there") }
        return served
    }

    /// Gives a server these pieces of what a peer sends, then the end, and waits until the connection is closed.
    ///
    /// - Parameter answersAtEnd: whether the service's answers come only when the peer has said all and closed its side.
    static func run(_ pieces: [[UInt8]], answersAtEnd: Bool = false) async throws -> ServedConnection {
        let (gate, opening) = AsyncStream.makeStream(of: Never.self)
        let service = AskedService(after: gate)
        if !answersAtEnd { opening.finish() }
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            let connections = OpenConnections(capacity: 4)
            let connection = AcceptedConnection(channel, number: 1, limits: ListeningLimits(), all: connections)
            channel.allowRemoteHalfClosure = true
            hold(connections.add(connection) == nil, "the only connection has to go")
            channel.closeFuture.whenComplete { _ in connection.end() }
            try HTTPServer.addHandlers(to: connection, service, longestBody: longestBody)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).get()
        for piece in pieces where channel.isActive {
            // Whatever the parser has to say it says to the conversation.
            _ = try? await channel.writeInbound(ByteBuffer(bytes: piece))
        }
        let wasOpen = channel.isActive
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        // After the event has been taken.
        try await channel.testingEventLoop.executeInContext { opening.finish() }
        try await channel.closeFuture.get()
        var served = service.state.withLock { $0 }
        served.wasOpen = wasOpen
        while let bytes = try await channel.readOutbound(as: ByteBuffer.self) { served.sent += bytes.readableBytesView }
        await channel.testingEventLoop.shutdownGracefully()
        return served
    }

    /// What holds whatever the peer has sent.
    func check() {
        hold(longest <= Self.longestBody, "a body of \(longest) bytes")
        hold(refused.count <= 1, "\(refused) on one connection")
        let all = String(decoding: sent, as: UTF8.self).components(separatedBy: "HTTP/1.1 ").dropFirst()
        // "100 Continue" is no answer: it asks for the body. RFC 9110, 15.2.1. The last body may not have come.
        let answers = all.filter { !$0.hasPrefix("100 ") }
        let asksForBodies = all.count - answers.count
        hold(asksForBodies <= asked.count + 1, "\(asksForBodies) bodies asked for, of \(asked)")
        // The last request may have had its answer cut off by the connection's end.
        hold(
            answers.count <= asked.count + 1 && answers.count + 1 >= asked.count,
            "\(answers.count) answers to \(asked)"
        )
    }

    /// Answers every request with its method, and notes it.
    private final class AskedService: HTTPService {
        let state = Mutex(ServedConnection())
        private let gate: AsyncStream<Never>

        init(after gate: AsyncStream<Never>) { self.gate = gate }

        func refusal(of head: HTTPRequest) -> HTTPAnswer? {
            head.path == "/forbidden" ? HTTPAnswer(403, body: .bytes(Data("no".utf8))) : nil
        }

        func answer(_ request: HTTPRequest) async -> HTTPAnswer {
            for await _ in gate {}
            let host = request["host"] ?? "-", fields = request.queries.count
            state.withLock {
                $0.longest = max($0.longest, request.body.count)
                $0.asked.append("\(request.method) \(request.path) \(fields) \(host) \(Array(request.body))")
            }
            return HTTPAnswer(200, body: .bytes(Data(request.method.utf8)))
        }

        func answer(to fault: HTTPFault) -> HTTPAnswer {
            state.withLock { $0.refused.append(fault) }
            return HTTPAnswer(fault.status)
        }
    }
}
