import BluethroatHTTPServing

/// Clients that the bank answers: programs, and no pages in a browser, wherever they are from.
///
/// A page can have the browser ask us, from whatever name; `OwnNames` says which names are let in.
enum BankVisitor {
    /// Why a request is not answered; nil if it is.
    static func fault(host: String?, origin: String?) -> String? {
        if let origin { return "pages such as those of \(origin) may not ask the bank" }
        guard let host, OwnNames.contain(host) else {
            return "the bank is not called \((host ?? "").debugDescription); ask it by its IP address or as localhost"
        }
        return nil
    }
}
