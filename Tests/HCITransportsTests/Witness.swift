import HCITransports
import Synchronization

/// Writes down what a transport tells, and lets a test wait for it.
final class Witness: Sendable {
    private struct Record {
        var packets: [[UInt8]] = []
        var batches: [HCIBatch] = []
        var ends: [HCITransportEnd] = []
        var waiting: [(condition: @Sendable (Int, HCITransportEnd?) -> Bool, CheckedContinuation<Void, Never>)] = []
    }

    private let record = Mutex(Record())
    private let keepsBatches: Bool

    /// With `keepsBatches`, nothing counts as consumed until `letGo`.
    init(keepsBatches: Bool = false) { self.keepsBatches = keepsBatches }

    var callbacks: HCITransportCallbacks {
        HCITransportCallbacks(
            received: { batch in
                self.note {
                    $0.packets += batch.packets
                    if self.keepsBatches { $0.batches.append(batch) }
                }
            },
            ended: { end in self.note { $0.ends.append(end) } }
        )
    }

    var packets: [[UInt8]] { record.withLock { $0.packets } }
    var ends: [HCITransportEnd] { record.withLock { $0.ends } }

    func letGo() {
        record.withLock { record in
            defer { record.batches = [] }; return record.batches
        }.removeAllForReal()
    }

    /// Returns once so many packets have come.
    func packets(_ count: Int) async -> [[UInt8]] {
        await wait { packets, end in packets >= count || end != nil }
        return packets
    }

    /// Returns once the link has ended, with the reason.
    func end() async -> HCITransportEnd? {
        await wait { _, end in end != nil }
        return ends.first
    }

    private func wait(_ condition: @escaping @Sendable (Int, HCITransportEnd?) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMet = record.withLock { record in
                if condition(record.packets.count, record.ends.first) { return true }
                record.waiting.append((condition, continuation))
                return false
            }
            if isMet { continuation.resume() }
        }
    }

    private func note(_ change: (inout sending Record) -> Void) {
        let met = record.withLock { record in
            change(&record)
            let (count, end) = (record.packets.count, record.ends.first)
            let met = record.waiting.filter { $0.condition(count, end) }
            record.waiting.removeAll { $0.condition(count, end) }
            return met.map(\.1)
        }
        for continuation in met { continuation.resume() }
    }
}

extension [HCIBatch] {
    /// Outside the lock: letting go of the last reference calls back into the transport.
    consuming func removeAllForReal() {}
}

/// Packets of every direction and of the sizes that matter.
enum Samples {
    static let reset: [UInt8] = [0x01, 0x03, 0x0C, 0x00]
    static let commandComplete: [UInt8] = [0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]

    /// An ACL packet with `count` bytes of data.
    static func acl(_ count: Int, filling byte: UInt8 = 0xA5) -> [UInt8] {
        [0x02, 0x40, 0x00, UInt8(count & 0xFF), UInt8(count >> 8)] + [UInt8](repeating: byte, count: count)
    }
}
