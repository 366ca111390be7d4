/// Who may read a value in a message. Here there is nobody to hide it from.
public struct OSLogPrivacy: Sendable {
    public enum Mask: Sendable {
        case hash
        case none
    }

    public static var `public`: Self { Self() }
    public static var `private`: Self { Self() }
    public static var sensitive: Self { Self() }
    public static var auto: Self { Self() }

    public static func `private`(mask: Mask) -> Self { Self() }

    public static func sensitive(mask: Mask) -> Self { Self() }

    public static func auto(mask: Mask) -> Self { Self() }
}

/// How a whole number is written.
public struct OSLogIntegerFormatting: Sendable {
    var radix = 10
    var uppercase = false

    public static var decimal: Self { Self() }
    public static var hex: Self { Self(radix: 16) }
    public static var octal: Self { Self(radix: 8) }

    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> Self { Self() }

    public static func hex(explicitPositiveSign: Bool = false, includePrefix: Bool = false, uppercase: Bool = false)
        -> Self
    { Self(radix: 16, uppercase: uppercase) }
}

/// How a number with a fraction is written.
public struct OSLogFloatFormatting: Sendable {
    var format = "%f"

    public static var fixed: Self { Self() }
    public static var hex: Self { Self(format: "%a") }
    public static var exponential: Self { Self(format: "%e") }
    public static var hybrid: Self { Self(format: "%g") }

    public static func fixed(precision: Int, explicitPositiveSign: Bool = false) -> Self {
        Self(format: "%.\(precision)f")
    }
}

/// How many columns a value takes.
public struct OSLogStringAlignment: Sendable {
    var width = 0
    var isLeft = false

    public static var none: Self { Self() }

    public static func left(columns: Int) -> Self { Self(width: columns, isLeft: true) }

    public static func right(columns: Int) -> Self { Self(width: columns) }

    func pad(_ text: String) -> String {
        let padding = String(repeating: " ", count: max(0, width - text.count))
        return isLeft ? text + padding : padding + text
    }
}

/// A message with values in it.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    public init(stringLiteral value: String) { text = value }

    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Puts a message together.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        text += align.pad(value())
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some BinaryInteger,
        format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        text += align.pad(String(value(), radix: format.radix, uppercase: format.uppercase))
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Double,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        text += align.pad(String(format: format.format, value()))
    }

    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Float,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        text += align.pad(String(format: format.format, Double(value())))
    }

    /// Anything else, as it describes itself.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> Any?,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto,
        attributes: String = ""
    ) {
        text += align.pad(value().map { "\($0)" } ?? "nil")
    }
}
