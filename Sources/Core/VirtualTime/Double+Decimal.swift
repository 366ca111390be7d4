extension Double {
    /// A finite number as people write it, such as `-2.5` or `1e-3`. Nil for what `Double.init` reads besides: `0x10`, `nan`,
    /// `inf`.
    package init?(decimal text: some StringProtocol) {
        guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }) else { return nil }
        guard let number = Double(text), number.isFinite else { return nil }
        self = number
    }
}
