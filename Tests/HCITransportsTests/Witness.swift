import BluethroatHCITransports
import Testing

/// Records what a transport reports, and lets a test wait for it, half a minute at most.
final class Witness: Sendable {
    private struct Record {
        var packets: [[UInt8]] = []
        var batches: [HCIBatch] = []
        var ends: [HCITransportEnd] = []
    }

    private let record = WatchedState(Record())
    private let keepsBatches: Bool

    /// With `keepsBatches`, nothing counts as consumed until `letGo`.
    init(keepsBatches: Bool = false) { self.keepsBatches = keepsBatches }

    var callbacks: HCITransportCallbacks {
        HCITransportCallbacks(
            received: { [record, keepsBatches] batch in
                record.change {
                    $0.packets += batch.packets
                    if keepsBatches { $0.batches.append(batch) }
                }
            },
            ended: { [record] end in record.change { $0.ends.append(end) } }
        )
    }

    var packets: [[UInt8]] { record.value.packets }
    var ends: [HCITransportEnd] { record.value.ends }

    func letGo() {
        record.change { record in
            defer { record.batches = [] }
            return record.batches
        }.removeAllForReal()
    }

    /// Returns once so many packets have come, or the link has ended.
    func packets(_ count: Int, at location: SourceLocation = #_sourceLocation) async -> [[UInt8]] {
        await record.wait(for: "\(count) packets, or the end of the link", at: location) {
            $0.packets.count >= count || !$0.ends.isEmpty
        }
        return packets
    }

    /// Returns once the link has ended, with the reason; nil if it has not ended in time, which fails the test.
    func end(at location: SourceLocation = #_sourceLocation) async -> HCITransportEnd? {
        await record.wait(for: "the end of the link", at: location) { !$0.ends.isEmpty }
        return ends.first
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
