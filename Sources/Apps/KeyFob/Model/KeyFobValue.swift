/// The values of a key fob that change, each one byte.
public enum KeyFobValue: CaseIterable, Sendable {
    case linkLossLevel
    case immediateAlertLevel
    case txPowerLevel
    case batteryLevel
    /// Of TI's custom battery service only.
    case batteryState
    case accelerometerEnable
    case x
    case y
    case z
    case keys

    /// Why the fob does not take what a central writes.
    public enum Refusal: Error, Hashable, Sendable {
        /// The value is one byte and the write begins behind it.
        case notLong
        /// There is more than one byte, or none.
        case invalidLength
        /// The byte means nothing here.
        case invalidValue
        /// This cannot be written.
        case notWritable
    }

    /// The greatest byte a central may write, if it may.
    private func greatestWritable(enableTakesAnyByte: Bool) -> UInt8? {
        switch self {
        case .linkLossLevel, .immediateAlertLevel: AlertLevel.high.rawValue
        case .accelerometerEnable: enableTakesAnyByte ? .max : 1
        default: nil
        }
    }

    /// Why the fob would refuse to have these bytes written, in the order in which the firmware looks; nil if it
    /// would not. `enableTakesAnyByte` is that of the fob's options.
    public func refusal(
        of bytes: some Collection<UInt8>,
        offset: Int = 0,
        enableTakesAnyByte: Bool = false
    ) -> Refusal? {
        guard let greatest = greatestWritable(enableTakesAnyByte: enableTakesAnyByte) else { return .notWritable }
        guard offset == 0 else { return .notLong }
        guard bytes.count == 1, let byte = bytes.first else { return .invalidLength }
        return byte <= greatest ? nil : .invalidValue
    }
}
