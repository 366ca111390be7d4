import BluethroatHost

extension HostEvent {
    /// The case's name.
    var name: String {
        let text = String(describing: self)
        return String(text.prefix { $0 != "(" })
    }
}

extension [HostEvent] {
    /// Why the host did not come up.
    var startFailure: HostFailure? {
        for case .startFailed(let failure) in self { return failure }
        return nil
    }

    var names: [String] { map(\.name) }
}
