import BluethroatOverflowStudy
import BluethroatStudies

/// Confidences, 0 to 1, for people and for programs.
enum ConfidenceText {
    /// `88 %`
    static func percent(_ confidence: Double) -> String { "\(Int((confidence * 100).rounded())) %" }

    /// The elements of a JSON array, with six digits after the point at most.
    static func json(_ confidences: [Double]) -> String {
        "[" + confidences.map(\.digits).joined(separator: ",") + "]"
    }
}
