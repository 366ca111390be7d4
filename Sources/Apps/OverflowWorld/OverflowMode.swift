import BluethroatOverflowArea

/// How a payload is put into the overflow area.
public enum OverflowMode: String, CaseIterable, Sendable {
    /// In two positions, one after the other.
    case demo
    /// No payload: every service, one a second.
    case sequential
    /// As a code word in which one foreign bit does no harm.
    case hamming
    /// As a code word in which fourteen foreign bits do no harm.
    case bch
    /// Messages of any length, in pieces.
    case conversation

    /// Whether a study has it.
    package var isStudied: Bool { self != .sequential }

    /// The code word that stands for a payload; nil where there is none.
    func code(start: Int) -> OverflowCode? {
        switch self {
        case .demo, .sequential, .conversation: nil
        case .hamming: .hamming(start: start)
        case .bch: .bch
        }
    }
}
