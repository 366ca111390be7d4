import Testing

@testable import BluethroatWorkstationLogin

@Suite("The QR code with a desk's digits")
struct QRCodeTests {
    private func rows(_ code: QRCode) -> String {
        (0..<code.size).map { row in (0..<code.size).map { code[$0, row] ? "1" : "0" }.joined() }.joined(
            separator: "\n"
        )
    }

    /// What the package qrcode 8.2 of PyPI draws for this text at level M with mask 2.
    private let vector = """
        1111111001010010001111111
        1000001001101111001000001
        1011101011001011101011101
        1011101010101101101011101
        1011101010100010001011101
        1000001010000001001000001
        1111111010101010101111111
        0000000010100010000000000
        1011111001110100101111100
        0110000001011010010100010
        0000101110110001111100011
        0011010100011010001000001
        1001011001110000001011110
        1001000111101100100100000
        1000111001000111110110011
        1010110101001100011110000
        1011101000101011111110101
        0000000010000000100010000
        1111111000111000101011011
        1000001011010010100010001
        1011101010110001111111111
        1011101010001110011011111
        1011101010000110000101001
        1000001000001101111010001
        1111111011101010001000111
        """

    @Test("The code of desk 4711 is module for module what another encoder draws")
    func known() throws {
        let code = DeskIdentifier("4711")!.qrCode
        #expect(code.mask == 2 && rows(code) == vector)
    }

    @Test("Codewords of error correction are those of ISO/IEC 18004, annex I")
    func correction() {
        let data: [UInt8] = [
            0x10, 0x20, 0x0C, 0x56, 0x61, 0x80, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11, 0xEC, 0x11,
        ]
        let expected: [UInt8] = [0xA5, 0x24, 0xD4, 0xC1, 0xED, 0x36, 0xC7, 0x87, 0x2C, 0x55]
        #expect(QRCode.ReedSolomon.remainder(of: data, count: 10) == expected)
    }

    @Test("A text takes the smallest version that has room, and what is longer than 42 bytes has no code")
    func versions() {
        let sizes = [0, 14, 15, 26, 27, 42].map { QRCode(String(repeating: "x", count: $0))?.size }
        #expect(sizes == [21, 21, 25, 25, 29, 29])
        #expect(QRCode(String(repeating: "x", count: 43)) == nil && QRCode(String(repeating: "ü", count: 22)) == nil)
    }

    @Test("Both drawings have the quiet zone, and the terminal's has two rows in a line")
    func drawings() {
        let code = DeskIdentifier("0042")!.qrCode
        let lines = code.halfBlocks.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 17 && lines.allSatisfy { $0.count == 33 })
        #expect(lines[0] == String(repeating: "█", count: 33)[...])
        #expect(code.svg.contains(#"viewBox="-4 -4 33 33""#) && code.svg.contains("M0 0h1v1h-1z"))
    }

    @Test("Typed or scanned, only four digits name a desk")
    func typed() {
        let desk = DeskIdentifier("4711")!
        #expect(DeskIdentifier(typed: "4711") == desk && DeskIdentifier(typed: desk.link) == desk)
        #expect(
            ["bluethroat-desk:471", "bluethroat-desk:", "desk:4711", "bluethroat-desk:47110", ""].allSatisfy {
                DeskIdentifier(typed: $0) == nil
            }
        )
    }
}
