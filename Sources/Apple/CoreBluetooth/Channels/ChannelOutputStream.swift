internal import BluethroatPhoneService

/// What goes over an L2CAP channel.
final class ChannelOutputStream: OutputStream {
    private let pipe: ChannelPipe?
    private let events: StreamEvents?

    init(_ pipe: ChannelPipe) {
        self.pipe = pipe
        let events = pipe.makeEvents { [output = pipe.output] in
            output.hasEvent
        } next: { [output = pipe.output] in
            output.nextEvent()
        }
        self.events = events
        super.init(toMemory: ())
        pipe.output.events = events
        events.attach(self)
    }

    /// A stream without a channel. `OutputStream` requires this initializer; it is never used.
    required init(toMemory: ()) {
        pipe = nil
        events = nil
        super.init(toMemory: ())
    }

    deinit { events?.stop() }

    override weak var delegate: (any StreamDelegate)? {
        get { events?.delegate }
        set { events?.delegate = newValue }
    }

    override func open() {
        pipe?.output.open()
        events?.changed()
    }

    override func close() {
        guard let pipe, !pipe.output.isClosed else { return }
        pipe.output.close()
        events?.stop()
        pipe.streamClosed()
    }

    /// Takes as much as there is room for. Waits for room if there is none, but not in virtual time, where 0 is returned.
    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        guard let pipe else { return -1 }
        guard length > 0 else { return 0 }
        while true {
            switch pipe.output.take(length, canWait: pipe.mayBlock) {
            case .room(let count):
                pipe.perform(.send(Array(UnsafeBufferPointer(start: buffer, count: count))))
                events?.changed()
                return count
            case .failed: return -1
            case .full(let waiter):
                guard pipe.mayBlock else {
                    pipe.noteHaste("a stream without space was written")
                    return 0
                }
                waiter.wait()
            }
        }
    }

    override var hasSpaceAvailable: Bool { pipe?.output.hasSpace ?? false }
    override var streamStatus: Stream.Status { pipe?.output.status ?? .notOpen }
    override var streamError: (any Error)? { pipe?.output.error }

    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }

    override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events?.schedule(in: runLoop, forMode: mode)
    }

    override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        events?.remove(from: runLoop, forMode: mode)
    }
}
