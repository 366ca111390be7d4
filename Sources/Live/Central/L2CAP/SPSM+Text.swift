public import BluethroatEvents
public import BluethroatHost

extension SPSM {
    /// Reads `0x0080` or `128`.
    public init(parsing text: String) throws(OperationFailure) {
        let isHexadecimal = text.hasPrefix("0x") || text.hasPrefix("0X")
        let number = isHexadecimal ? UInt16(text.dropFirst(2), radix: 16) : UInt16(text)
        guard let number, let spsm = SPSM(rawValue: number) else {
            throw OperationFailure("\(text) is no PSM; give one from 0x0001 to 0x00FF", .wrongUsage)
        }
        self = spsm
    }
}
