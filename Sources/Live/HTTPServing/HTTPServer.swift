public import BluethroatListening
import NIOCore
import NIOHTTP1

/// An HTTP/1.1 server for programs and pages on a port of its own.
public final class HTTPServer: Sendable {
    /// The port that was picked.
    public let port: Int
    private let listener: Listener

    private init(_ listener: Listener) {
        self.listener = listener
        port = listener.port
    }

    /// Opens the port and answers from then on.
    ///
    /// - Parameter longestBody: of a request, in bytes.
    public static func start(
        _ service: any HTTPService,
        host: String,
        port: Int,
        longestBody: Int,
        limits: ListeningLimits = ListeningLimits()
    ) async throws(ListeningFailure) -> HTTPServer {
        let name = OwnNames.address(of: host)
        let place = ListeningPlace.tcp(host: name, port: port)
        let listener = try await Listener.open(at: place, limits: limits, newcomersWait: true) { connection in
            let channel = connection.channel
            // A peer that has asked and says no more is answered still.
            try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: true)
            try channel.syncOptions?.setOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: HTTPPace.piece)
            )
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            // A peer that does not read is found out when this is full.
            try channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: 64 << 10)
            try addHandlers(to: connection, service, longestBody: longestBody)
        }
        return HTTPServer(listener)
    }

    /// What reads requests from the connection's channel, and writes answers to it. On the channel's thread.
    static func addHandlers(
        to connection: AcceptedConnection,
        _ service: any HTTPService,
        longestBody: Int
    ) throws {
        var heads = NIOHTTPDecoderLimitConfiguration()
        heads.maxHeaderFieldSize = HTTPHead.longest
        heads.maxHeaderListSize = HTTPHead.longest
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: heads)
        let conversation = HTTPConversation(service, connection, longestBody: longestBody)
        try connection.channel.pipeline.syncOperations.addHandlers(
            HTTPResponseEncoder(),
            HTTPPace(conversation, longestBody: longestBody),
            ByteToMessageHandler(decoder),
            conversation
        )
    }

    /// Closes the port. Answers on their way have this long to arrive.
    public func stop(within seconds: Int64 = 1) async { await listener.close(within: .seconds(seconds)) }
}
