import BluethroatHTTPServing
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatWorkbench
import Synchronization

/// The packets on the air as a pcapng file, made piece by piece while it is sent: however many packets are remembered, and
/// however slowly the file is read, a few hundred of them are in hand at once.
final class AirCapture: HTTPPieces {
    /// How many packets are taken from the world at once.
    static let step = 500

    private struct State {
        var recorder: CaptureRecorder
        var lastTaken = 0
        var isOver = false
    }

    private let last: Int
    private let take: @Sendable (_ after: Int, _ limit: Int) async -> [AirLog.Packet]
    private let state: Mutex<State>

    var isEndless: Bool { false }

    /// - Parameters:
    ///   - last: the number of the last packet that goes into the file.
    ///   - take: packets behind the one with a number, so many at most.
    init(
        epoch: CaptureEpoch,
        last: Int,
        take: @escaping @Sendable (_ after: Int, _ limit: Int) async -> [AirLog.Packet]
    ) {
        self.last = last
        self.take = take
        state = Mutex(State(recorder: CaptureRecorder(epoch: epoch)))
    }

    func next() async -> [UInt8]? {
        guard let after = state.withLock({ $0.isOver ? nil : $0.lastTaken }) else { return nil }
        let packets = after < last ? await take(after, Self.step) : []
        return state.withLock { state in
            for packet in packets { state.recorder.record(packet) }
            state.lastTaken = packets.last?.number ?? last
            state.isOver = state.lastTaken >= last
            return state.recorder.takeBytes()
        }
    }

    func end() {}
}

extension CaptureRecorder {
    fileprivate mutating func record(_ packet: AirLog.Packet) {
        let transmission = packet.transmission
        record(
            frame: transmission.frame,
            channel: transmission.channel,
            phy: transmission.phy,
            signal: transmission.power,
            from: packet.device.rawValue,
            at: transmission.start
        )
    }
}
