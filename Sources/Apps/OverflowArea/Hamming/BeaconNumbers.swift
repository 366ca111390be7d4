/// The two numbers of a beacon, as iBeacons have them and as its payload in the overflow area.
struct BeaconNumbers: Hashable {
    let major: UInt16
    let minor: UInt16

    init(major: UInt16, minor: UInt16) {
        self.major = major
        self.minor = minor
    }

    /// Nil unless there are four bytes.
    init?(_ payload: [UInt8]) {
        guard payload.count == 4 else { return nil }
        major = UInt16(payload[0]) << 8 | UInt16(payload[1])
        minor = UInt16(payload[2]) << 8 | UInt16(payload[3])
    }

    /// The most significant byte of each first.
    var bytes: [UInt8] { [major, minor].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } }
}
