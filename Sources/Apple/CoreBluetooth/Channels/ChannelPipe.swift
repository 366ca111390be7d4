internal import BluethroatPhoneService
private import Synchronization

/// An L2CAP channel between its two streams and the phone's service.
final class ChannelPipe: Sendable {
    let id: AppChannelID
    let psm: CBL2CAPPSM
    let input: ChannelInput
    let output: ChannelOutput
    private let delivery: CallbackDelivery
    private let submit: @Sendable (SessionCommand) -> Void
    private let isClosed = Atomic(false)
    private let hasNoted = Atomic(false)

    init(
        _ channel: OpenChannel,
        delivery: CallbackDelivery,
        submit: @escaping @Sendable (SessionCommand) -> Void
    ) {
        id = channel.id
        psm = channel.psm
        self.delivery = delivery
        self.submit = submit
        input = ChannelInput()
        output = ChannelOutput(capacity: channel.sendBuffer)
    }

    /// Whether calls that would have to wait may. On the thread that runs a world, nothing would ever end that.
    var mayBlock: Bool { delivery == .queued }

    /// How one of the streams calls its delegate.
    func makeEvents(
        isDue: @escaping @Sendable () -> Bool,
        next: @escaping @Sendable () -> Stream.Event?
    ) -> StreamEvents {
        switch delivery {
        case .queued: StreamEvents(isDue: isDue, next: next, echo: nil)
        case .inline: StreamEvents(isDue: isDue, next: next) { [id, submit] in submit(.channel(id, .echo)) }
        }
    }

    /// Where the phone's events arrive.
    func receive(_ event: AppChannelEvent) {
        switch event {
        case .received(let block):
            if !input.receive(block) { perform(.consumed(1)) }
            input.events?.worldChanged()
        case .sent(let count):
            output.giveBack(count)
            output.events?.worldChanged()
        case .closed(let fault):
            // The peer's last bytes can be read before that.
            let error = fault.map { StreamError.notConnected(because: $0) }
            input.end(error)
            output.end(error)
            input.events?.worldChanged()
            output.events?.worldChanged()
        case .echo:
            input.events?.worldEchoed()
            output.events?.worldEchoed()
        }
    }

    func perform(_ command: AppChannelCommand) { submit(.channel(id, command)) }

    /// Reports to the developer, once, that a stream was used before it was ready.
    func noteHaste(_ what: String) {
        guard !hasNoted.exchange(true, ordering: .relaxed) else { return }
        submit(.noteMisuse(.blockingStream, "API MISUSE: \(what): in real time this waits"))
    }

    /// One of the streams was closed; with the second the channel is.
    func streamClosed() {
        if input.isClosed, output.isClosed { close() }
    }

    /// The channel is of no use any more. What was written is still sent.
    func close() {
        guard isClosed.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged else { return }
        perform(.close)
        input.end(nil)
        output.end(nil)
        input.events?.changed()
        output.events?.changed()
    }
}

/// Errors of streams, as sockets have them.
enum StreamError {
    /// Something was written to a channel that is closed.
    static var brokenPipe: NSError { NSError(domain: NSPOSIXErrorDomain, code: Int(POSIXErrorCode.EPIPE.rawValue)) }

    /// The connection is gone; the reason is the error below.
    static func notConnected(because fault: ServiceFault) -> NSError {
        NSError(
            domain: NSPOSIXErrorDomain,
            code: Int(POSIXErrorCode.ENOTCONN.rawValue),
            userInfo: [
                NSLocalizedDescriptionKey: fault.error.localizedDescription,
                NSUnderlyingErrorKey: fault.error,
            ]
        )
    }
}
