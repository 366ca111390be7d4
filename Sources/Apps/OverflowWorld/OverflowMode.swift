/// How a payload is put into the overflow area.
public enum OverflowMode: String, CaseIterable, Sendable {
    /// In two positions, one after the other.
    case demo
    /// No payload: every service, one a second.
    case sequential
    /// As a code word in which one foreign bit does no harm.
    case hamming
}
