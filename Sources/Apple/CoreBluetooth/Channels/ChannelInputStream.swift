internal import BluethroatPhoneService

/// What comes over an L2CAP channel.
final class ChannelInputStream: InputStream {
    private let pipe: ChannelPipe
    private let events: StreamEvents

    init(_ pipe: ChannelPipe) {
        self.pipe = pipe
        events = pipe.makeEvents { [input = pipe.input] in
            input.hasEvent
        } next: { [input = pipe.input] in
            input.nextEvent()
        }
        super.init(data: Data())
        pipe.input.events = events
        events.attach(self)
    }

    deinit { events.stop() }

    override weak var delegate: (any StreamDelegate)? {
        get { events.delegate }
        set { events.delegate = newValue }
    }

    override func open() {
        pipe.input.open()
        events.changed()
    }

    override func close() {
        guard !pipe.input.isClosed else { return }
        let unread = pipe.input.close()
        events.stop()
        // The peer need not wait for bytes that are never read.
        if unread > 0 { pipe.perform(.consumed(unread)) }
        pipe.streamClosed()
    }

    /// Waits for a byte if there is none, but not in virtual time, where -1 says that nothing was read.
    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        guard length > 0 else { return 0 }
        while true {
            switch pipe.input.read(buffer, length, canWait: pipe.mayBlock) {
            case .read(let count, let blocks):
                if blocks > 0 { pipe.perform(.consumed(blocks)) }
                events.changed()
                return count
            case .failed: return -1
            case .empty(let waiter):
                guard pipe.mayBlock else {
                    pipe.noteHaste("a stream without bytes was read")
                    return -1
                }
                waiter.wait()
            }
        }
    }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

    override var hasBytesAvailable: Bool { pipe.input.hasBytes }
    override var streamStatus: Stream.Status { pipe.input.status }
    override var streamError: (any Error)? { pipe.input.error }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(in: runLoop, forMode: mode)
    }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events.remove(from: runLoop, forMode: mode)
    }
}
