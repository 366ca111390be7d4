import BluethroatVirtualTime

/// Results as text, for files and for other ranks: whole numbers with spaces between.
extension CrowdResult {
    var text: String {
        var numbers: [Int64] = [
            Int64(meetings), waited.nanoseconds, Int64(changes), Int64(mistakes), Int64(transmissions),
            Int64(bitPattern: digest), Int64(phones.count), Int64(waits.count),
        ]
        for phone in phones { numbers += [phone.heard?.nanoseconds ?? .max, phone.got?.nanoseconds ?? .max] }
        numbers += waits.map(\.nanoseconds)
        return numbers.map(String.init).joined(separator: " ")
    }

    /// Nil if it is something else.
    init?(text: some StringProtocol) {
        var numbers: [Int64] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard let number = Int64(word) else { return nil }
            numbers.append(number)
        }
        guard numbers.count >= 8, 0...10_000_000 ~= numbers[6], 0...1_000_000_000 ~= numbers[7] else { return nil }
        let phoneCount = Int(numbers[6]), waitCount = Int(numbers[7])
        guard numbers.count == 8 + 2 * phoneCount + waitCount else { return nil }
        self.init(phones: phoneCount)
        meetings = Int(numbers[0])
        waited = .nanoseconds(numbers[1])
        changes = Int(numbers[2])
        mistakes = Int(numbers[3])
        transmissions = Int(numbers[4])
        digest = UInt64(bitPattern: numbers[5])
        func time(_ index: Int) -> TimeSpan? { numbers[index] == .max ? nil : .nanoseconds(numbers[index]) }
        for phone in 0..<phoneCount { phones[phone] = Phone(heard: time(8 + 2 * phone), got: time(9 + 2 * phone)) }
        waits = numbers[(8 + 2 * phoneCount)...].map { .nanoseconds($0) }
    }
}
