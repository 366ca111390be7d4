// Integers from other numbers. The ranges are those of the library that this one can stand in for, which leaves some
// numbers out that would fit: nil says that a number is refused, never that it is none.

extension Int8 {
    /// A number from −127 to 126, without what stands behind the point; nil outside of that, and for what is no number.
    public init?(doubleValue: Double) {
        self.init(doubleValue, above: .min, below: .max)
    }

    /// Nil above 127.
    public init?(uintValue: UInt16) { self.init(exactly: uintValue) }

    /// Nil below 0 and above 127.
    public init?(intValue: Int16) {
        guard intValue >= 0 else { return nil }
        self.init(exactly: intValue)
    }
}

extension UInt8 {
    /// A number from 0 to 255, without what stands behind the point; nil outside of that, and for what is no number.
    public init?(doubleValue: Double) {
        guard doubleValue >= 0, doubleValue <= 255 else { return nil }
        self = UInt8(doubleValue)
    }

    /// Nil above 255.
    public init?(uintValue: UInt16) { self.init(exactly: uintValue) }

    /// Nil below 0 and above 255.
    public init?(intValue: Int16) { self.init(exactly: intValue) }
}

extension FixedWidthInteger {
    /// A number between two others, neither of which is allowed.
    init?(_ number: Double, above lower: Self, below upper: Self) {
        guard number > Double(lower), number < Double(upper) else { return nil }
        self.init(number)
    }
}

extension Int16 {
    /// A number from −32767 to 32766, without what stands behind the point; nil outside of that, and for what is no
    /// number.
    public init?(doubleValue: Double) { self.init(doubleValue, above: .min, below: .max) }
}

extension UInt16 {
    /// A number above 0 and below 65535, without what stands behind the point; nil outside of that, and for what is no
    /// number.
    public init?(doubleValue: Double) { self.init(doubleValue, above: .min, below: .max) }
}

extension Int32 {
    /// A number from −2147483647 to 2147483646, without what stands behind the point; nil outside of that, and for what
    /// is no number.
    public init?(doubleValue: Double) { self.init(doubleValue, above: .min, below: .max) }
}

extension UInt32 {
    /// A number above 0 and below 4294967295, without what stands behind the point; nil outside of that, and for what is
    /// no number.
    public init?(doubleValue: Double) { self.init(doubleValue, above: .min, below: .max) }
}
