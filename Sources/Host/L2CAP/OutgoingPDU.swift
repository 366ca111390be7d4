/// The buffer of a PDU on its way to the controller.
///
/// Whoever builds an ATT, SMP or signalling PDU leaves nine bytes free in front of it: one for the H4 indicator,
/// four for the ACL header, four for the L2CAP header. The layers below fill them in, so that a PDU costs one
/// allocation and no copy.
enum OutgoingPDU {
    /// Bytes to leave free in front of a PDU.
    static let headroom = 9

    /// A buffer with the headroom in it and room for a PDU of `capacity` bytes behind.
    static func buffer(capacity: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headroom + capacity)
        bytes.append(contentsOf: repeatElement(0, count: headroom))
        return bytes
    }
}
