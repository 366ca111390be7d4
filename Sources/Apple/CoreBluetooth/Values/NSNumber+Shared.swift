internal import BluethroatBluetoothValues

/// Numbers that apps are shown with every advertisement: made once, since nothing in them can be changed.
extension NSNumber {
    private static let strengths = (Int8.min...Int8.max).map { NSNumber(value: $0) }
    private static let truths = (no: NSNumber(value: false), yes: NSNumber(value: true))

    /// A signal's strength in dBm; 127 stands for an unknown one.
    static func strength(_ strength: SignalStrength?) -> NSNumber {
        strengths[Int(strength?.dBm ?? .max) - Int(Int8.min)]
    }

    /// No or yes.
    static func truth(_ isTrue: Bool) -> NSNumber { isTrue ? truths.yes : truths.no }
}
