import Foundation

/// Texts that leave without headers, one after the other, whenever there is room.
struct RawOutbox {
    private var waiting: [Data] = []
    private var current: RawTransmission?
    private var total = 0
    private var waitingBytes = 0

    var waitingCount: Int { waiting.count }
    var progress: TextPad.Progress? { current.map { TextPad.Progress(sent: $0.sentCount, total: total) } }
    var isEmpty: Bool { current == nil && waiting.isEmpty }

    /// Nothing is sent of an empty text. False if too much waits already.
    mutating func add(_ text: Data) -> Bool {
        guard !text.isEmpty else { return true }
        guard FramedPipe.hasRoom(for: text.count, behind: waiting.count, of: waitingBytes) else { return false }
        waitingBytes += text.count
        waiting.append(text)
        return true
    }

    /// Sends what there is room for. How long packets may be is asked when a text begins.
    mutating func drain(longest: () -> Int, send: (Data) -> Bool) {
        while true {
            if current == nil {
                guard !waiting.isEmpty else { return }
                let text = waiting.removeFirst()
                waitingBytes -= text.count
                total = text.count
                current = RawTransmission(text, longest: longest())
            }
            while let packet = current!.packet() {
                guard send(packet) else { return }
                current!.sent()
            }
            current = nil
        }
    }

    /// Forgets everything; how many texts were not sent to their end.
    mutating func clear() -> Int {
        defer { self = Self() }
        return waiting.count + (current == nil ? 0 : 1)
    }
}
