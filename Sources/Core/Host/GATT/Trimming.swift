extension Array {
    /// The same elements, without room for more: for lists that are made once and kept.
    func trimmed() -> Self {
        var trimmed: Self = []
        trimmed.reserveCapacity(count)
        trimmed.append(contentsOf: self)
        return trimmed
    }
}
