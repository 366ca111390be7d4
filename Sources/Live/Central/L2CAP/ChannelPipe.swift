public import BluethroatEvents
public import BluethroatHost
import BluethroatVirtualTime

/// Where the data of a channel comes from, and where it goes to. May be used from any thread.
public protocol ChannelEnds: Sendable {
    /// How many bytes there are to send, if that is known; nil where nothing is sent.
    var byteCount: Int? { get }

    /// Gives pieces of at most `length` bytes to `heard`; an empty one is the end. Some wait to be taken at most.
    func start(_ length: Int, _ heard: @escaping @Sendable ([UInt8]) -> Void)

    /// A piece was sent; another may come.
    func taken()

    /// What the peer has sent.
    func write(_ bytes: [UInt8])
}

/// Carries data into a channel and out of it, until one of the two ends.
public struct ChannelPipe {
    /// The longest SDU that is sent, however long the peer takes them.
    private static let longestPiece = 16_384

    private let central: Central
    private let channel: ChannelDescription
    private let ends: any ChannelEnds

    /// For a channel that is open.
    public init(_ central: Central, _ channel: ChannelDescription, _ ends: any ChannelEnds) {
        self.central = central
        self.channel = channel
        self.ends = ends
    }

    /// Throws if the channel ends before all was sent.
    ///
    /// - Parameters:
    ///   - sends: whether anything is sent.
    ///   - show: takes what shows at a terminal how far the transfer is; a line that is written over itself.
    ///   - summarise: takes a line about the whole transfer.
    public func run(
        sends: Bool = true,
        show: ((String) -> Void)? = nil,
        summarise: (String) -> Void = { _ in }
    ) async throws(OperationFailure) {
        var progress = ChannelProgress(total: sends ? ends.byteCount : nil, at: central.present, show: show)
        if sends { central.hear(ends, inPiecesOf: min(channel.peerMTU, Self.longestPiece)) }
        // What was read and has not found room yet.
        var waiting: [[UInt8]] = []
        var hasEnded = false
        do throws(OperationFailure) {
            while true {
                switch try await central.nextOfPipe() {
                case .input(let piece):
                    if piece.isEmpty { hasEnded = true } else { waiting.append(piece) }
                    try await sendWaiting(&waiting, hasEnded, &progress)
                case .channel(.readyToSend(channel.id)):
                    try await sendWaiting(&waiting, hasEnded, &progress)
                case .channel(.received(channel.id, let sdu)):
                    ends.write(sdu)
                    progress.add(received: sdu.count, at: central.present)
                    try await consume()
                case .channel(.closed(channel.id, let reason)):
                    progress.end()
                    report(reason, progress)
                    summarise(progress.summary(at: central.present))
                    return try check(reason, hasLost: hasEnded || !waiting.isEmpty)
                default: continue
                }
            }
        } catch {
            progress.end()
            if error == .interruption { await giveUp() }
            throw error
        }
    }

    /// Sends what finds room, and closes the channel behind the last of it.
    private func sendWaiting(
        _ waiting: inout [[UInt8]],
        _ hasEnded: Bool,
        _ progress: inout ChannelProgress
    ) async throws(OperationFailure) {
        while let piece = waiting.first {
            guard try await send(piece) else { return }
            waiting.removeFirst()
            progress.add(sent: piece.count, at: central.present)
            ends.taken()
        }
        if hasEnded { try await close(discarding: false) }
    }

    private func send(_ piece: [UInt8]) async throws(OperationFailure) -> Bool {
        let id = channel.id
        return try await central.order { host, now, actions in
            // A channel that is gone takes nothing; that it is gone comes next.
            (try? host.send(piece, on: id, at: now, into: &actions)) ?? true
        }
    }

    /// Closes the channel before the connection goes, if the peer answers at once.
    private func giveUp() async {
        let id = channel.id
        try? await close(discarding: true)
        _ = try? await central.wait(for: .seconds(1)) { event in
            if case .channel(.closed(id, _)) = event { () } else { nil }
        }
    }

    private func consume() async throws(OperationFailure) {
        let id = channel.id
        try await central.order { host, now, actions in host.consume(of: id, at: now, into: &actions) }
    }

    private func close(discarding: Bool) async throws(OperationFailure) {
        let id = channel.id
        try await central.order { host, now, actions in
            try? host.closeChannel(id, discarding: discarding, at: now, into: &actions)
        }
    }

    private func report(_ reason: ChannelCloseReason, _ progress: ChannelProgress) {
        central.emit(
            .channelClosed(
                reason,
                sent: progress.sent,
                received: progress.received,
                lasted: progress.span(at: central.present)
            )
        )
    }

    /// An end that lost something is a failure.
    private func check(_ reason: ChannelCloseReason, hasLost: Bool) throws(OperationFailure) {
        switch reason {
        case .closedHere: return
        case .closedByPeer:
            guard hasLost else { return }
            throw OperationFailure("\(central.peer) closed the channel before it had all that was sent")
        case .violation, .disconnected:
            throw OperationFailure("the channel to \(central.peer) is closed: \(reason.sentence)")
        }
    }
}
