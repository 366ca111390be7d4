import CoreBluetooth

/// One end of an L2CAP channel: what is to be sent waits until there is room, what comes is passed on.
final class ChannelEnd: NSObject, StreamDelegate {
    /// Bytes have come.
    var received: (Data) -> Void = { _ in }
    /// There is room, and nothing waits: what is to follow, nothing if there is no more.
    var more: () -> Data = { Data() }
    /// Nothing more comes or goes; the reason, if the peer did not close it.
    var ended: ((any Error)?) -> Void = { _ in }

    private let channel: CBL2CAPChannel
    private let runLoop: RunLoop
    private var waiting = Data()
    private var buffer = [UInt8](repeating: 0, count: 16 << 10)
    private var isOpen = false

    init(_ channel: CBL2CAPChannel, runLoop: RunLoop) {
        self.channel = channel
        self.runLoop = runLoop
    }

    func open() {
        isOpen = true
        for stream in [channel.inputStream, channel.outputStream] as [Stream] {
            stream.delegate = self
            stream.schedule(in: runLoop, forMode: .default)
            stream.open()
        }
    }

    /// Sends bytes, in order.
    func send(_ bytes: Data) {
        waiting.append(bytes)
        push()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        for stream in [channel.inputStream, channel.outputStream] as [Stream] {
            stream.delegate = nil
            stream.close()
            stream.remove(from: runLoop, forMode: .default)
        }
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        guard isOpen else { return }
        switch event {
        case .hasBytesAvailable: pull()
        case .hasSpaceAvailable: push()
        case .endEncountered: end(nil)
        case .errorOccurred: end(stream.streamError ?? CBError(.unknown))
        default: break
        }
    }

    private func pull() {
        while isOpen, let stream = channel.inputStream, stream.hasBytesAvailable {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            received(Data(buffer[..<count]))
        }
    }

    private func push() {
        while isOpen, let stream = channel.outputStream, stream.hasSpaceAvailable {
            if waiting.isEmpty { waiting = more() }
            guard !waiting.isEmpty, isOpen else { return }
            // A write may take a part only.
            let count = waiting.withUnsafeBytes { bytes in
                stream.write(bytes.bindMemory(to: UInt8.self).baseAddress.unsafelyUnwrapped, maxLength: bytes.count)
            }
            guard count > 0 else { return }
            waiting = waiting.dropFirst(count)
        }
    }

    private func end(_ error: (any Error)?) {
        guard isOpen else { return }
        close()
        ended(error)
    }
}
