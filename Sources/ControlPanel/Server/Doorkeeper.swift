import Foundation

/// Lets in who may come in: pages of the panel itself, and programs on this machine.
///
/// A page elsewhere can make a browser ask us. Its requests say whose they are (`Origin`), and one whose name somebody
/// has made point here says which name that was (`Host`): neither is let in. Where other machines can reach the panel,
/// a token is needed, too.
struct Doorkeeper: Sendable {
    /// Which name the token has behind the question mark and as a cookie.
    static let tokenName = "token"
    static let cookieName = "bluethroat-token"

    let address: PanelAddress
    /// Nil where only this machine can reach the panel.
    let token: String?

    /// What a request says of where it comes from.
    struct Visitor: Sendable {
        var host: String?
        var origin: String?
        var fetchSite: String?
        var fetchMode: String?
        /// Whether it wants more than the page.
        var isForAPI = false
        var authorization: String?
        var cookies: String?
        var token: String?
    }

    /// Throws for those who must stay outside.
    func check(_ visitor: Visitor) throws(PanelError) {
        guard let host = visitor.host, isOurs(host) else {
            throw PanelError(
                .forbidden,
                "foreign-host",
                "the panel is not called \"\(visitor.host ?? "")\"; open it by its IP address or as localhost"
            )
        }
        if let origin = visitor.origin, origin != "http://\(host)" {
            throw PanelError(.forbidden, "foreign-origin", "pages of \(origin) may not use the panel")
        }
        // A link to the page may be followed from elsewhere; pictures and the like may not be fetched.
        let isFromElsewhere = visitor.fetchSite == "cross-site" || visitor.fetchSite == "same-site"
        if isFromElsewhere, visitor.origin != nil || visitor.fetchMode != "navigate" || visitor.isForAPI {
            throw PanelError(.forbidden, "foreign-origin", "pages from elsewhere may not use the panel")
        }
        guard let token else { return }
        let given = [
            visitor.token,
            visitor.authorization.flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil },
            visitor.cookies.flatMap(Self.cookie),
        ]
        guard given.contains(where: { $0.map { Self.isEqual($0, token) } ?? false }) else {
            throw PanelError(
                .unauthorized,
                "token-needed",
                "use the address that was printed at launch, with its ?token=, or send Authorization: Bearer TOKEN"
            )
        }
    }

    /// Names cannot be trusted, since anybody can make one point here; addresses can.
    private func isOurs(_ host: String) -> Bool {
        var name = Substring(host)
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return false }
            name = name[name.index(after: name.startIndex)..<end]
            return name.contains(":")
        }
        if let colon = name.lastIndex(of: ":") { name = name[..<colon] }
        if name == "localhost" || name == address.host { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Of all cookies the one that is the panel's, as it is sent; nil if it is not among them.
    static func ownCookie(in header: String) -> String? {
        cookie(header).flatMap { $0.utf8.count <= 256 ? "\(cookieName)=\($0)" : nil }
    }

    private static func cookie(_ header: String) -> String? {
        for part in header.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces) == cookieName else { continue }
            return String(pair[1])
        }
        return nil
    }

    /// Takes as long whatever the first difference is.
    private static func isEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        guard one.count == other.count else { return false }
        return zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
