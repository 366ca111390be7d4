package import BluethroatKeyFob
package import BluethroatKeyFobPhone

/// `all`, or names with commas between them: what a fob does as its source does it, and not as the texts about it say.
package struct SourceRows: Sendable, CustomStringConvertible {
    /// Where texts and source differ.
    package enum Row: String, CaseIterable, Sendable {
        case readableValues
        case enable
        case reconnectionAddress
        case mildAlertLights
        case leftKey
        case alertLength
        case advertisedServices

        /// Whether the fob has such a row: TI's hardware, or the phone.
        func isOf(phone: Bool) -> Bool {
            switch self {
            case .readableValues: true
            case .enable, .reconnectionAddress, .mildAlertLights: !phone
            case .leftKey, .alertLength, .advertisedServices: phone
            }
        }
    }

    private let text: String
    private let isAll: Bool
    private var rows: [Row] = []
    private var unknown: String?

    package static let all = Self(argument: "all")

    /// Takes any text; `complaint(aboutPhone:)` says what is wrong with it.
    package init(argument: String) {
        text = argument
        isAll = argument == "all"
        guard !isAll else { return }
        for name in argument.split(separator: ",", omittingEmptySubsequences: false) {
            if let row = Row(rawValue: String(name)) {
                rows.append(row)
            } else {
                unknown = unknown ?? "\"\(name)\""
            }
        }
    }

    package var description: String { text }

    /// What is wrong for one of the two fobs, in one line; nil if nothing is.
    package func complaint(aboutPhone isPhone: Bool) -> String? {
        let names = Row.allCases.filter { $0.isOf(phone: isPhone) }.map(\.rawValue).joined(separator: ", ")
        let fob = isPhone ? "the phone" : "TI's hardware"
        if let unknown { return "\(unknown) is nothing that --as-source knows; of \(fob) it knows \(names), and all" }
        guard let other = rows.first(where: { !$0.isOf(phone: isPhone) }) else { return nil }
        return "--as-source \(other.rawValue) is not about \(fob), but these are: \(names), and all"
    }

    private func contains(_ row: Row) -> Bool { isAll || rows.contains(row) }

    /// Makes a fob that is as described into one as TI's source has it.
    package func apply(to options: inout KeyFobOptions) {
        if contains(.readableValues) { options.notifiedValuesAreReadable = false }
        if contains(.enable) { options.enableTakesAnyByte = false }
        if contains(.reconnectionAddress) { options.reconnectionAddressIsReadable = false }
        if contains(.mildAlertLights) { options.mildAlertLights = .dark }
    }

    /// The same for the phone's app.
    package var simulator: SimulatorSource {
        var source: SimulatorSource = []
        if contains(.readableValues) { source.insert(.readableValues) }
        if contains(.leftKey) { source.insert(.leftKey) }
        if contains(.alertLength) { source.insert(.alertLength) }
        if contains(.advertisedServices) { source.insert(.advertisedServices) }
        return source
    }
}
