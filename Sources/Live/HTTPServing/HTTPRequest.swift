public import Foundation

/// A request, as far as it has been read.
public struct HTTPRequest: Sendable {
    /// In capitals: `GET`.
    public let method: String
    /// Before the question mark, as it was sent.
    public let path: String
    /// Behind the question mark, decoded; of several of one name the first.
    public let queries: [String: String]
    /// Empty until the whole request has been read.
    public var body = Data()
    private let fields: [String: String]

    init(method: String, target: String, fields: [String: String]) {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        self.method = method
        path = String(parts[0])
        queries = parts.count > 1 ? Self.queries(parts[1]) : [:]
        self.fields = fields
    }

    /// A field's value by its name in lower case.
    public subscript(field: String) -> String? { fields[field] }

    /// Whether the body is said to be JSON. Forms on a page elsewhere cannot say so without asking first.
    public var isJSON: Bool {
        let type = fields["content-type"]?.prefix { $0 != ";" }
        return type?.trimmingCharacters(in: .whitespaces).lowercased() == "application/json"
    }

    private static func queries(_ text: Substring) -> [String: String] {
        var queries: [String: String] = [:]
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let (name, value) = (decoded(parts[0]), parts.count > 1 ? decoded(parts[1]) : "")
            if queries[name] == nil { queries[name] = value }
        }
        return queries
    }

    private static func decoded(_ text: Substring) -> String { text.removingPercentEncoding ?? String(text) }
}
