import VirtualTime

/// Frames lost by decree: a share for each direction of each pair, drawn from streams of their own.
struct LinkLosses: Sendable {
    enum Fate {
        case unheard
        case damaged
    }

    private struct Link {
        /// Nil where the share of all links applies.
        var share: Ratio?
        var stream: SeededRandom

        /// What becomes of the next frame.
        mutating func draw(otherwise everywhere: Ratio) -> Fate? {
            guard stream.chance(share ?? everywhere) else { return nil }
            return stream.next(below: 2) == 0 ? .unheard : .damaged
        }
    }

    private let seed: UInt64
    private var links: [UInt64: Link] = [:]
    /// The share of every link that has none of its own.
    var everywhere: Ratio = .never

    init(seed: UInt64) { self.seed = seed }

    mutating func set(_ share: Ratio, from transmitter: RadioID, to receiver: RadioID) {
        let key = Self.key(transmitter, receiver)
        let fresh = link(key)
        links[key, default: fresh].share = share
    }

    /// What becomes of a frame on its way; nil for nothing.
    mutating func draw(from transmitter: RadioID, to receiver: RadioID) -> Fate? {
        if links.isEmpty, everywhere == .never { return nil }
        let key = Self.key(transmitter, receiver)
        let fresh = link(key)
        return links[key, default: fresh].draw(otherwise: everywhere)
    }

    private func link(_ key: UInt64) -> Link {
        Link(share: nil, stream: SeededRandom(seed: seed, device: key, purpose: "link loss"))
    }

    private static func key(_ transmitter: RadioID, _ receiver: RadioID) -> UInt64 {
        UInt64(transmitter.rawValue) << 32 | UInt64(receiver.rawValue)
    }
}
