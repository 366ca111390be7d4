import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// A radio for whose sake advertisements near it are computed: it scans, initiates, or does what a script says.
struct Hearer {
    let radio: RadioID
    /// Whether it does what a script says, so that nobody can tell what it is about to do.
    let isScripted: Bool
    var position: Position
    /// The advertising channels on which it is about to hear or to send at present; bit n is channel 37 + n.
    var channels: UInt8 = 0
    var reach: HearingReach
    /// The cells that it reaches.
    var cells: CellRange

    func cares(forChannel channel: Int, at place: Position) -> Bool {
        channels & (1 << UInt8(channel)) != 0 && position.squaredDistance(to: place) <= reach.squared
    }
}

/// How far an advertisement matters to a hearer.
struct HearingReach: Equatable {
    /// In mm²; `.max` for any distance.
    let squared: UInt64
    /// In mm, rounded up.
    let distance: UInt64

    /// - Parameters:
    ///   - loudest: the power of no advertiser is greater.
    ///   - sensitivity: nobody hears a weaker signal.
    ///   - answers: whether advertisers may be sent requests. Then what spoils a request at an advertiser matters, too.
    init(_ propagation: Propagation, loudest: SignalStrength, sensitivity: SignalStrength, answers: Bool) {
        let heard = Int(loudest.dBm) - Int(sensitivity.dBm)
        // A weaker signal than this leaves the weakest one that can be followed as it is.
        let near = Reach.root(propagation.greatestSquaredDistance(losing: heard))
        let harmed = Reach.root(propagation.greatestSquaredDistance(losing: heard + propagation.captureThreshold))
        let distance = answers ? near + harmed : harmed
        let (square, overflow) = distance.multipliedReportingOverflow(by: distance)
        self.distance = distance
        squared = overflow ? .max : square
    }
}
