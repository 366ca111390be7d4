import BluethroatStudies

extension StudyRow.Share {
    /// `97.5 %`; nothing where there is nothing to share.
    var percent: String { value.map { ($0 * 100).fixed(1) + " %" } ?? "–" }
}
