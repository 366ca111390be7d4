import BluethroatBluetoothValues
import BluethroatByteCoding

/// Finds descriptors: the attributes in certain gaps between others. Core 6.0, Vol 3, Part G, 4.7.1.
///
/// Gaps so close together that one response holds all of what they span are asked for at once; what is found
/// between them is passed over.
struct DescriptorDiscovery: ClientStages {
    /// Rising, without overlaps.
    private let gaps: [ClosedRange<AttributeHandle>]
    private var gap = 0
    private var scan: HandleScan?
    private(set) var found: [RemoteDescriptor] = []

    init(_ gaps: [ClosedRange<AttributeHandle>]) { self.gaps = gaps }

    mutating func nextRequest(mtu: Int) -> [UInt8]? {
        if scan?.start == nil { openScan(mtu: mtu) }
        guard let scan, let start = scan.start else { return nil }
        var packet = GATTServer.packet(.findInformationRequest)
        packet.appendUInt16(start.rawValue)
        packet.appendUInt16(scan.end.rawValue)
        return packet
    }

    /// Begins with the next gap, and as many more as one response has room for.
    private mutating func openScan(mtu: Int) {
        guard gap < gaps.count else {
            scan = nil
            return
        }
        let start = gaps[gap].lowerBound
        var end = gaps[gap].upperBound
        let room = (mtu - 2) / 4
        gap += 1
        while gap < gaps.count, Int(gaps[gap].upperBound.rawValue) - Int(start.rawValue) < room {
            end = gaps[gap].upperBound
            gap += 1
        }
        scan = HandleScan(start...end)
    }

    mutating func handleResponse(_ response: ATTPDU, mtu: Int) throws(ProcedureError) {
        guard case .findInformationResponse(let response) = response else { return }
        for entry in response.entries {
            guard let handle = try scan?.take(entry.handle, in: .findInformationResponse) else { continue }
            if isInGap(handle) { found.append(RemoteDescriptor(handle: handle, uuid: entry.type)) }
        }
    }

    mutating func handleError(_ refusal: ErrorResponse) throws(ProcedureError) {
        guard refusal.error == .attributeNotFound else { throw ProcedureError(refusal) }
        scan?.finish()
    }

    private func isInGap(_ handle: AttributeHandle) -> Bool {
        // The gaps of the scan are the last ones before `gap`.
        gaps[..<gap].last { $0.lowerBound <= handle }.map { handle <= $0.upperBound } ?? false
    }

    var result: ProcedureResult { .descriptors(found) }
}
