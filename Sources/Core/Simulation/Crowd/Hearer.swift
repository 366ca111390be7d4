import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// A radio for whose sake advertisements near it are computed: it scans, initiates, or does what a script says.
///
/// A frame that it can receive matters while it listens. A frame from farther away can only interfere: it matters while this
/// radio may be receiving, or, if it is near an advertiser that this radio sends a request to, until that request is over.
struct Hearer {
    // First what every event near it looks at.
    /// The advertising channels on which it is about to hear or to send at present; bit n is channel 37 + n.
    private(set) var channels: UInt8 = 0
    /// Whether it does what a script says, so that nobody can tell what it is about to do.
    let isScripted: Bool
    let radio: RadioID
    var position: Position
    /// When the last frame ends that it may be receiving.
    var receivingUntil = Instant.neverYet
    /// When the request that it is about to send is over at the latest, and where the advertiser is that it is for.
    private(set) var askingUntil = Instant.neverYet
    private var asked = Position.origin
    private var askedRadio: RadioID?
    var reach: HearingReach

    init(radio: RadioID, isScripted: Bool, at position: Position, reach: HearingReach) {
        self.radio = radio
        self.isScripted = isScripted
        self.position = position
        self.reach = reach
    }

    /// False for a slot that is not in use.
    var isPresent: Bool { reach.distance > 0 }

    mutating func turn(to channels: UInt8) {
        guard channels != self.channels else { return }
        self.channels = channels
        (receivingUntil, askingUntil) = (.neverYet, .neverYet)
    }

    /// What stands in a slot that is not in use.
    static let nobody = Self(
        radio: RadioID(rawValue: 0),
        isScripted: false,
        at: .origin,
        reach: .none
    )

    mutating func asks(_ radio: RadioID, at place: Position, until end: Instant) {
        (askedRadio, asked, askingUntil) = (radio, place, end)
    }

    /// Whom it asks something, and where that one is; nil if that is over.
    func asked(since now: Instant) -> (radio: RadioID, place: Position)? {
        guard askingUntil > now, let askedRadio else { return nil }
        return (askedRadio, asked)
    }

    /// How far away an event may be that matters to it and began no earlier than an instant, in mm.
    func distance(ofWhatBegan instant: Instant) -> UInt64 {
        if askingUntil > instant { return reach.distance }
        return receivingUntil > instant ? reach.harmed : reach.near
    }

    /// Whether what goes out in a place may matter to it, as long as it listens where it does.
    func mayCare(for place: Position) -> Bool {
        position.squaredDistance(to: place) <= reach.harmful
            || askingUntil != .neverYet && asked.squaredDistance(to: place) <= reach.harmful
    }

    /// Those of some channels on which the frame of an advertiser's present event matters to it.
    @inline(__always)
    func channels(of some: UInt8, onWhichItCaresFor advertiser: QuietAdvertiser) -> UInt8 {
        let distance = position.squaredDistance(to: advertiser.position)
        if distance <= reach.heard { return some }
        // Farther away, a frame can only spoil what is received, or a request: one that begins before the end of that does.
        var end = distance <= reach.harmful ? receivingUntil : .neverYet
        if askingUntil > max(end, advertiser.presentStart),
            asked.squaredDistance(to: advertiser.position) <= reach.harmful
        {
            end = askingUntil
        }
        guard end > advertiser.presentStart else { return 0 }
        var left = some, matter: UInt8 = 0
        while left != 0 {
            let bit = left & (0 &- left)
            left &= left &- 1
            if advertiser.start(ofFrameOn: bit) < end { matter |= bit }
        }
        return matter
    }
}

extension Instant {
    /// Before all that happens.
    fileprivate static let neverYet = Instant(nanoseconds: -1)
}

/// How far an advertisement matters to a hearer.
struct HearingReach: Equatable {
    /// In mm²; `.max` for any distance: how far away it can be heard, and how far away it can spoil what is heard.
    let heard: UInt64
    let harmful: UInt64
    /// The roots of both, rounded up, in mm.
    let near: UInt64
    let harmed: UInt64
    /// Beyond this many mm it does not matter, not even to somebody who is asked something.
    let distance: UInt64

    /// - Parameters:
    ///   - loudest: the power of no advertiser is greater.
    ///   - sensitivity: nobody hears a weaker signal.
    ///   - answers: whether advertisers may be sent requests. Then what spoils a request at an advertiser matters, too.
    init(_ propagation: Propagation, loudest: SignalStrength, sensitivity: SignalStrength, answers: Bool) {
        let loss = Int(loudest.dBm) - Int(sensitivity.dBm)
        heard = propagation.greatestSquaredDistance(losing: loss)
        // A weaker signal than this leaves the weakest one that can be followed as it is.
        harmful = propagation.greatestSquaredDistance(losing: loss + max(propagation.captureThreshold, 0))
        near = Reach.root(heard)
        harmed = Reach.root(harmful)
        distance = max(1, answers ? near + harmed : harmed)
    }

    /// The same for all that is no farther away.
    private init(square: UInt64, distance: UInt64) {
        (heard, harmful) = (square, square)
        (near, harmed, self.distance) = (distance, distance, distance)
    }

    static let none = Self(square: 0, distance: 0)

    /// Of somebody who may do anything at any time: all that is in reach matters always.
    var always: Self {
        let (square, overflow) = distance.multipliedReportingOverflow(by: distance)
        return Self(square: overflow ? .max : square, distance: distance)
    }
}
