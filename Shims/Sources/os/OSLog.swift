/// How important a message is.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public init(_ rawValue: UInt8) { self.rawValue = rawValue }

    public static let `default` = Self(rawValue: 0x00)
    public static let info = Self(rawValue: 0x01)
    public static let debug = Self(rawValue: 0x02)
    public static let error = Self(rawValue: 0x10)
    public static let fault = Self(rawValue: 0x11)
}

/// Where messages of one part of a program go: here to standard error, with the names in front.
public final class OSLog: NSObject, Sendable {
    /// Categories with a meaning for Apple's tools; here they are names.
    public struct Category: Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let pointsOfInterest = Self(rawValue: "PointsOfInterest")
        public static let dynamicTracing = Self(rawValue: "DynamicTracing")
        public static let dynamicStackTracing = Self(rawValue: "DynamicStackTracing")
    }

    public static let `default` = OSLog(name: "")
    /// Takes messages and does nothing with them.
    public static let disabled = OSLog(name: nil)

    /// What stands before each message; nil if nothing is written.
    private let name: String?

    public convenience init(subsystem: String, category: String) { self.init(name: "\(subsystem):\(category)") }

    public convenience init(subsystem: String, category: Category) {
        self.init(subsystem: subsystem, category: category.rawValue)
    }

    private init(name: String?) { self.name = name }

    public func isEnabled(type: OSLogType) -> Bool { name != nil }

    func write(_ type: OSLogType, _ message: @autoclosure () -> String) {
        guard let name else { return }
        let level =
            switch type {
            case .error: "error: "
            case .fault: "fault: "
            default: ""
            }
        let line = (name.isEmpty ? "" : "[\(name)] ") + level + message() + "\n"
        FileHandle.standardError.write(Data(line.utf8))
    }
}
