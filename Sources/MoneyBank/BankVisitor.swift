import Foundation

/// Who may ask the bank at all: programs. Pages in a browser may not, wherever they are from.
///
/// A page can have the browser ask us, and somebody who owns a name can make it point at this machine; then the request
/// says which name that was (`Host`). Addresses cannot be made to point elsewhere.
enum BankVisitor {
    /// Why a request is not answered; nil if it is.
    static func fault(host: String?, origin: String?) -> String? {
        if let origin { return "pages such as those of \(origin) may not ask the bank" }
        guard let host, isAddress(host) else {
            return "the bank is not called \((host ?? "").debugDescription); ask it by its IP address or as localhost"
        }
        return nil
    }

    /// With or without a port.
    private static func isAddress(_ host: String) -> Bool {
        if host.hasPrefix("[") {
            var bytes = in6_addr()
            return host.firstIndex(of: "]").map { inet_pton(AF_INET6, String(host[..<$0].dropFirst()), &bytes) == 1 }
                ?? false
        }
        let name = String(host.prefix { $0 != ":" })
        var bytes = in_addr()
        return name == "localhost" || inet_pton(AF_INET, name, &bytes) == 1
    }
}
