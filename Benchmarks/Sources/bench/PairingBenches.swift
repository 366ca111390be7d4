import BluethroatHost

/// Pairings with LE Secure Connections, Just Works, with bonding: both sides, each with a fresh key pair.
///
/// What is counted is whole: connect, pair, encrypt, exchange and keep the keys, and disconnect, since no link is paired
/// twice without a question.
///
/// As with Bumble's pair, the hosts resolve private addresses themselves: what would be told to a controller's resolving
/// list, and to advertising that has to wait for it, comes after a pairing and is not part of one.
enum PairingBenches {
    static var all: [Bench] {
        [Bench("pairing", "pairings/s", target: .timesBumble(20)) { try pairings(effort: $0) }]
    }

    static func pairings(effort: Effort) throws -> Double {
        let pair = pairingPair()
        let rate = try pair.rate(effort) { pair.central.count }
        guard let result = pair.central.pairing, result.isBonded, result.linkKey.isSecureConnections else {
            throw BenchError("not paired as it should be")
        }
        return rate
    }

    /// A pair that connects, pairs and forgets, again and again.
    static func pairingPair() -> Pair {
        let pair = Pair(resolvingList: false)
        pair.peripheral.disconnectsOncePaired = true
        pair.begin(.pair(pair.peripheralAddress))
        return pair
    }
}
