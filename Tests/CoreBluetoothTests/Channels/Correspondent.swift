import CoreBluetooth

/// Uses both streams of a channel and keeps what it hears. It imports CoreBluetooth only.
final class Correspondent: NSObject, StreamDelegate {
    let channel: CBL2CAPChannel
    private(set) var heardIn: [String] = []
    private(set) var heardOut: [String] = []
    private(set) var received = Data()
    /// What is to be written as there is space, and how much of it was.
    var outgoing = Data()
    private(set) var sent = 0
    /// Whether bytes are read as they come.
    var reads = true
    /// Bytes of one `read`, and at most of one `write`.
    var pieceLength = 8_192
    /// Called when bytes have come, before they are read.
    var onBytes: (() -> Void)?
    /// Called with the number of all bytes that have come, after some were read.
    var onRead: ((Int) -> Void)?
    /// Called when either stream has ended or failed.
    var onEnd: ((Stream) -> Void)?

    init(_ channel: CBL2CAPChannel, opens: Bool = true, in runLoop: RunLoop = .main, mode: RunLoop.Mode = .default) {
        self.channel = channel
        super.init()
        guard opens else { return }
        open(in: runLoop, mode: mode)
    }

    var input: InputStream { channel.inputStream }
    var output: OutputStream { channel.outputStream }

    func open(in runLoop: RunLoop = .main, mode: RunLoop.Mode = .default) {
        for stream in [input, output] as [Stream] {
            stream.delegate = self
            stream.schedule(in: runLoop, forMode: mode)
            stream.open()
        }
    }

    func close() {
        input.close()
        output.close()
    }

    func write(_ data: Data) {
        outgoing += data
        push()
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        if stream === input { heardIn.append(event.name) } else { heardOut.append(event.name) }
        switch event {
        case .hasBytesAvailable:
            onBytes?()
            if reads { pull() }
        case .hasSpaceAvailable: push()
        case .endEncountered, .errorOccurred: onEnd?(stream)
        default: break
        }
    }

    func pull() {
        var buffer = [UInt8](repeating: 0, count: pieceLength)
        while input.hasBytesAvailable {
            let count = input.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { return }
            received += buffer[..<count]
            onRead?(received.count)
        }
    }

    func push() {
        while sent < outgoing.count, output.hasSpaceAvailable {
            let piece = outgoing[sent..<min(sent + pieceLength, outgoing.count)]
            let count = piece.withUnsafeBytes { bytes in
                output.write(bytes.bindMemory(to: UInt8.self).baseAddress!, maxLength: bytes.count)
            }
            guard count > 0 else { return }
            sent += count
        }
    }
}

extension Stream.Event {
    var name: String {
        switch self {
        case .openCompleted: "open"
        case .hasBytesAvailable: "bytes"
        case .hasSpaceAvailable: "space"
        case .endEncountered: "end"
        case .errorOccurred: "error"
        default: "event \(rawValue)"
        }
    }
}
