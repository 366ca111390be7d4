import BluethroatHTTPServing
import Foundation

/// Lets in requests with the panel's token, from the panel's own page and from programs.
///
/// A page elsewhere can make a browser ask us. Its requests say whose they are (`Origin`), and one whose name has been
/// made to point here says which name that was (`Host`): neither is let in. Other users of this machine do not have the
/// token.
struct RequestAuthorization: Sendable {
    /// Which name the token has behind the question mark; as a cookie it has the port's number, too.
    static let tokenName = "token"
    private static let cookieName = "bluethroat-token"

    let address: PanelAddress
    let token: String

    /// Throws for requests that are not let in.
    func check(_ request: HTTPRequest) throws(PanelError) {
        guard let host = request["host"], OwnNames.contain(host, besides: address.host) else {
            throw PanelError(
                .forbidden,
                "foreign-host",
                "the panel is not called \"\(request["host"] ?? "")\"; open it by its IP address or as localhost"
            )
        }
        let origin = request["origin"]
        if let origin, origin != "http://\(host)" {
            throw PanelError(.forbidden, "foreign-origin", "pages of \(origin) may not use the panel")
        }
        // A link to the page may be followed from elsewhere; pictures and the like may not be fetched.
        let site = request["sec-fetch-site"]
        let isFromElsewhere = site == "cross-site" || site == "same-site"
        let isOfAPI = Router.parts(of: request.path).first == "api"
        if isFromElsewhere, origin != nil || request["sec-fetch-mode"] != "navigate" || isOfAPI {
            throw PanelError(.forbidden, "foreign-origin", "pages from elsewhere may not use the panel")
        }
        let given = [
            request.queries[Self.tokenName],
            request["authorization"].flatMap { $0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : nil },
            request["cookie"].flatMap { Self.cookie(Self.cookieName(for: host), in: $0) },
        ]
        guard given.contains(where: { $0.map { SecretText.isEqual($0, token) } ?? false }) else {
            throw PanelError(
                .unauthorized,
                "token-needed",
                "use the address that was printed at launch, with its ?token=, or send Authorization: Bearer TOKEN"
            )
        }
    }

    /// What has the page's browser send the token from now on.
    func cookieField(for request: HTTPRequest) -> String {
        "\(Self.cookieName(for: request["host"] ?? ""))=\(token); HttpOnly; SameSite=Strict; Path=/"
    }

    /// Browsers send the cookies of all ports of a machine to each of them; two panels must not take each other's place.
    private static func cookieName(for host: String) -> String {
        let port = host.split(separator: ":").last.flatMap { UInt16($0) } ?? 80
        return "\(cookieName)-\(port)"
    }

    private static func cookie(_ name: String, in header: String) -> String? {
        for part in header.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces) == name else { continue }
            return String(pair[1])
        }
        return nil
    }
}
