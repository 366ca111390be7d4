import BluethroatStudies
public import BluethroatVirtualTime

/// What has become of one kind of crowd, over all its worlds.
public struct StudyRow: Hashable, Sendable {
    /// From when the time counts that a payload may take.
    public enum Beginning: String, Hashable, Sendable, CaseIterable {
        /// From the instant at which scanners begin to listen; of all phones.
        case start
        /// From the instant at which a scanner hears a phone first; of the phones that were heard so early that there was
        /// as much time.
        case contact
    }

    /// So many out of so many.
    public struct Share: Hashable, Sendable {
        public let count: Int
        public let total: Int

        /// 0 to 1; nil where there are none at all.
        public var value: Double? { total == 0 ? nil : Double(count) / Double(total) }
    }

    public let crowd: CrowdSettings
    public let results: [CrowdResult]

    private let uncoded: [CrowdResult]?

    /// Half the width of the interval that holds the true share with a probability of 95 %, from the shares of the worlds, which
    /// are independent of each other; nil for fewer than two worlds that have one.
    public func halfWidth(of share: (StudyRow) -> Share) -> Double? {
        Estimate(results.compactMap { share(Self(crowd: crowd, results: [$0])).value })?.halfWidth
    }

    /// - Parameter withoutCode: what has become of the same crowd without code words, if it has any.
    init(crowd: CrowdSettings, results: [CrowdResult], withoutCode: [CrowdResult]? = nil) {
        self.crowd = crowd
        self.results = results
        uncoded = withoutCode
    }

    /// The phones whose payload a scanner had in the end in the same crowd with payloads in two positions; nil if this is
    /// that crowd.
    public var gotWithoutCode: Share? {
        uncoded.map { Self(crowd: crowd.withoutCode, results: $0).got(within: crowd.length) }
    }

    /// The ends of that interval; nil where there is none.
    public func interval(of share: (StudyRow) -> Share) -> (low: Double, high: Double)? {
        guard let value = share(self).value, let half = halfWidth(of: share) else { return nil }
        return (value - half, value + half)
    }

    /// The phones of which any scanner heard anything.
    public var heard: Share { heard(within: crowd.length) }

    func heard(within span: TimeSpan) -> Share {
        count { _ in
            true
        } where: { phone in
            phone.heard.map { $0 <= span } ?? false
        }
    }

    /// The phones whose payload a scanner had within this time.
    public func got(within span: TimeSpan, since beginning: Beginning = .start) -> Share {
        switch beginning {
        case .start:
            count { _ in
                true
            } where: { phone in
                phone.got.map { $0 <= span } ?? false
            }
        case .contact:
            count { phone in
                phone.heard.map { $0 + span <= crowd.length } ?? false
            } where: { phone in
                guard let heard = phone.heard, let got = phone.got else { return false }
                return got - heard <= span
            }
        }
    }

    /// How long a scanner that hears a phone waits for its payload, where it gets it: the time that half of them do not
    /// exceed.
    public var medianWait: TimeSpan? {
        let waits = results.flatMap(\.waits).sorted()
        return waits.isEmpty ? nil : waits[(waits.count - 1) / 2]
    }

    /// The pairs of a scanner and a phone that it heard in which the scanner had the payload in the end.
    public var meetings: Share {
        Share(count: results.map(\.waits.count).reduce(0, +), total: results.map(\.meetings).reduce(0, +))
    }

    /// How long scanners waited for payloads of phones that they had heard, those that got none to the end, for each byte that
    /// one of them got; nil without any.
    public var timePerByte: TimeSpan? {
        let bytes = Int64(deliveredBytes)
        guard bytes != 0 else { return nil }
        let waited = results.reduce(Int64(0)) { sum, result in
            // All scanners together may wait for 292 years, which is as far as nanoseconds go.
            let (next, isTooMuch) = sum.addingReportingOverflow(result.waited.nanoseconds)
            return isTooMuch ? .max : next
        }
        return .nanoseconds(waited) / bytes
    }

    /// How often phones changed what they advertise for each byte that a scanner got; nil without any.
    public var changesPerByte: Double? {
        deliveredBytes == 0 ? nil : Double(results.map(\.changes).reduce(0, +)) / Double(deliveredBytes)
    }

    /// Bytes of payloads, once for each scanner that got them.
    private var deliveredBytes: Int { meetings.count * crowd.deliverySize }

    /// Payloads that a scanner believed and that were never sent.
    public var mistakes: Int { results.map(\.mistakes).reduce(0, +) }

    /// Frames on the air.
    public var transmissions: Int { results.map(\.transmissions).reduce(0, +) }

    private func count(
        among isCounted: (CrowdResult.Phone) -> Bool,
        where isMeant: (CrowdResult.Phone) -> Bool
    ) -> Share {
        var count = 0, total = 0
        for phone in results.lazy.flatMap(\.phones) where isCounted(phone) {
            total += 1
            if isMeant(phone) { count += 1 }
        }
        return Share(count: count, total: total)
    }
}
