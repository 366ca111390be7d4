import Foundation

extension Double {
    /// At most six digits after the point, and none that say nothing: `5`, `1022.5`, `0.05`.
    public var digits: String {
        var text = fixed(6)
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text == "-0" ? "0" : text
    }

    /// So many digits after the point.
    package func fixed(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}
