import Foundation

/// Finds what answers a path.
struct Router: Sendable {
    private struct Route: Sendable {
        let parts: [Substring]
        let endpoint: Endpoint
    }

    let endpoints: [Endpoint]
    private let routes: [Route]

    init(_ endpoints: [Endpoint]) {
        self.endpoints = endpoints
        routes = endpoints.map { Route(parts: Self.parts(of: $0.path), endpoint: $0) }
    }

    /// A path as it is compared: how many slashes stand between its parts makes no difference.
    static func parts(of path: String) -> [Substring] { path.split(separator: "/") }

    /// What answers, and what the names in its path stand for. Nil if no endpoint has the path.
    func find(_ method: String, _ path: String) throws(PanelError) -> (Endpoint, [String: String])? {
        let parts = Self.parts(of: path)
        var others: [String] = []
        for route in routes {
            guard let parameters = Self.match(route.parts, parts) else { continue }
            if route.endpoint.method.rawValue == method { return (route.endpoint, parameters) }
            others.append(route.endpoint.method.rawValue)
        }
        guard others.isEmpty else {
            throw PanelError(.methodNotAllowed, "method-not-allowed", "\(path) takes \(others.joined(separator: ", "))")
        }
        return nil
    }

    private static func match(_ pattern: [Substring], _ parts: [Substring]) -> [String: String]? {
        guard pattern.count == parts.count else { return nil }
        var parameters: [String: String] = [:]
        for (wanted, part) in zip(pattern, parts) {
            if wanted.first == "{" {
                guard let value = part.removingPercentEncoding else { return nil }
                parameters[String(wanted.dropFirst().dropLast())] = value
            } else if wanted != part {
                return nil
            }
        }
        return parameters
    }
}
