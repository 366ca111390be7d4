import BluethroatVirtualTime

/// Injected loss: a share of frames for each direction of each pair, drawn from streams of their own.
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
    /// The radios to or from which a radio has a link, by its number.
    private var partners: [UInt32: [RadioID]] = [:]
    /// The share of every link that has none of its own.
    var everywhere: Ratio = .never

    init(seed: UInt64) { self.seed = seed }

    /// Whether nothing gets lost, and nothing is drawn.
    var isNone: Bool { links.isEmpty && everywhere == .never }

    /// How many links are remembered.
    var count: Int { links.count }

    mutating func set(_ share: Ratio, from transmitter: RadioID, to receiver: RadioID) {
        links.values[index(from: transmitter, to: receiver)].share = share
    }

    /// What becomes of a frame on its way; nil for nothing.
    mutating func draw(from transmitter: RadioID, to receiver: RadioID) -> Fate? {
        if isNone { return nil }
        // A link that nothing was ever drawn for is as good as none.
        if everywhere == .never, links[Self.key(transmitter, receiver)] == nil { return nil }
        let index = index(from: transmitter, to: receiver)
        return links.values[index].draw(otherwise: everywhere)
    }

    /// Forgets all links to and from a radio.
    mutating func forget(_ radio: RadioID) {
        guard let others = partners.removeValue(forKey: radio.rawValue) else { return }
        for other in others {
            links[Self.key(radio, other)] = nil
            links[Self.key(other, radio)] = nil
            partners[other.rawValue]?.removeAll { $0 == radio }
            if partners[other.rawValue]?.isEmpty == true { partners[other.rawValue] = nil }
        }
    }

    /// Where the link is kept; made when first asked for.
    private mutating func index(from transmitter: RadioID, to receiver: RadioID) -> [UInt64: Link].Index {
        let key = Self.key(transmitter, receiver)
        if let index = links.index(forKey: key) { return index }
        let back = links.index(forKey: Self.key(receiver, transmitter))
        if back == nil {
            partners[transmitter.rawValue, default: []].append(receiver)
            partners[receiver.rawValue, default: []].append(transmitter)
        }
        links[key] = Link(share: nil, stream: SeededRandom(seed: seed, device: key, purpose: "link loss"))
        guard let index = links.index(forKey: key) else { preconditionFailure("a link was lost") }
        return index
    }

    private static func key(_ transmitter: RadioID, _ receiver: RadioID) -> UInt64 {
        UInt64(transmitter.rawValue) << 32 | UInt64(receiver.rawValue)
    }
}
