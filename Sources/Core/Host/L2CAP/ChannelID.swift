/// The number of an L2CAP channel; the fixed ones of LE links. Core 6.0, Vol 3, Part A, 2.1.
struct ChannelID: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    static let attribute = Self(rawValue: 0x0004)
    static let signalling = Self(rawValue: 0x0005)
    static let securityManager = Self(rawValue: 0x0006)
}
