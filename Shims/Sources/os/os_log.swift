// `os_log` takes the type behind the log and the message, or before them.

public func os_log(
    _ message: StaticString,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    type: OSLogType = .default,
    _ arguments: any CVarArg...
) {
    log.write(type, formatted(message, arguments))
}

public func os_log(
    _ type: OSLogType,
    dso: UnsafeRawPointer? = nil,
    log: OSLog = .default,
    _ message: StaticString,
    _ arguments: any CVarArg...
) {
    log.write(type, formatted(message, arguments))
}

@_disfavoredOverload
public func os_log(_ type: OSLogType = .default, log: OSLog = .default, _ message: OSLogMessage) {
    log.write(type, message.text)
}

@_disfavoredOverload
public func os_log(_ message: OSLogMessage, log: OSLog = .default, type: OSLogType = .default) {
    log.write(type, message.text)
}

/// The format without what only Apple's understands: `%{public}@` is `%@`.
func formatted(_ message: StaticString, _ arguments: [any CVarArg]) -> String {
    var format = ""
    var rest = message.description[...]
    while let percent = rest.range(of: "%{") {
        format += rest[..<percent.lowerBound] + "%"
        rest = rest[percent.upperBound...]
        rest = rest.firstIndex(of: "}").map { rest[rest.index(after: $0)...] } ?? ""
    }
    return String(format: format + rest, arguments: arguments)
}
