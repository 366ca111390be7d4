import BluethroatBluetoothValues

/// A range of handles that a client works through from front to back, request by request.
///
/// A server's handles have to rise. So a scan comes to its end whatever the server says.
struct HandleScan {
    /// Where the next request begins; nil at the end.
    private(set) var start: AttributeHandle?
    let end: AttributeHandle

    init(_ range: ClosedRange<AttributeHandle>) {
        start = range.lowerBound
        end = range.upperBound
    }

    /// All handles there can be.
    static let everything = AttributeHandle.first...AttributeHandle.last

    /// Accepts a handle from the server, which has to be the next one or a later one of the range.
    mutating func take(_ raw: UInt16, in response: ATTOpcode) throws(ProcedureError) -> AttributeHandle {
        try take(raw, through: raw, in: response).lowerBound
    }

    /// Accepts a group of handles.
    mutating func take(
        _ raw: UInt16,
        through rawEnd: UInt16,
        in response: ATTOpcode
    ) throws(ProcedureError) -> ClosedRange<AttributeHandle> {
        guard let start, let handle = AttributeHandle(rawValue: raw), let last = AttributeHandle(rawValue: rawEnd),
            handle >= start, last >= handle, last <= end
        else { throw .contradictoryResponse(response) }
        self.start = last < end ? last.next : nil
        return handle...last
    }

    /// There is nothing more to find.
    mutating func finish() { start = nil }

    /// Goes on from a later handle.
    mutating func skip(to handle: AttributeHandle?) { start = handle }
}
