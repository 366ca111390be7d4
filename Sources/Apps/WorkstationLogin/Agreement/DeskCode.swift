/// Six digits on a desk's monitor, as text: 000000 to 999999.
enum DeskCode {
    static let length = 6

    /// From at least eight bytes that are as good as random.
    static func digits(of bytes: some Sequence<UInt8>) -> String {
        let number = bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        return String(repeating: "0", count: length - digits.count) + digits
    }

    static func isCode(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.count == length && bytes.allSatisfy { (0x30...0x39).contains($0) }
    }
}
