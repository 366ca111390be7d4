extension Optional {
    /// The value if it passes.
    public func filter(_ predicate: (Wrapped) throws -> Bool) rethrows -> Wrapped? {
        guard let self, try predicate(self) else { return nil }
        return self
    }

    /// Does something with the value, if there is one.
    public func forEach(_ apply: (Wrapped) throws -> Void) rethrows {
        if let self { try apply(self) }
    }
}
