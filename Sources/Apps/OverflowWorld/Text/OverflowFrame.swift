import BluethroatByteCoding
package import BluethroatEvents
package import BluethroatOverflowArea

/// How a payload is framed.
package struct OverflowFrame {
    /// The byte in front of a payload.
    package var matchingByte: UInt8
    package var positions: BeaconFrame.Positions
    /// Where a code word begins.
    package var codeStart: Int

    package init(matchingByte: UInt8, positions: BeaconFrame.Positions, codeStart: Int) {
        self.matchingByte = matchingByte
        self.positions = positions
        self.codeStart = codeStart
    }

    /// What is typed, if it fits into the frame.
    package func payload(_ text: String, _ mode: OverflowMode) throws(InvalidText) -> [UInt8] {
        let limit = mode == .hamming ? HammingFrame.payloadSize : positions.longestPayload
        let bytes = try OverflowInput.bytes(text, upTo: limit, what: "payload")
        guard mode != .hamming || bytes.count == limit else {
            throw InvalidText("a code word carries \(limit) bytes, not \(bytes.count)")
        }
        return bytes
    }

    /// A payload in each of its positions.
    package func masks(of text: String, _ mode: OverflowMode) throws(InvalidText) -> [(
        title: String?, mask: OverflowMask
    )] {
        switch mode {
        case .demo:
            let bytes = try OverflowInput.bytes(text, upTo: positions.longestPayload, what: "payload")
            guard let frame = BeaconFrame(bytes, matchingByte: matchingByte, positions: positions) else {
                return []
            }
            return (0..<positions.count).map { ("position \($0)", frame.mask(at: $0)) }
        case .hamming:
            let bytes = try OverflowInput.bytes(text, upTo: HammingFrame.payloadSize, what: "payload")
            guard let frame = HammingFrame(bytes, matchingByte: matchingByte, start: codeStart) else {
                throw InvalidText("a code word carries \(HammingFrame.payloadSize) bytes, not \(bytes.count)")
            }
            return [(nil, frame.mask)]
        case .sequential: throw InvalidText("--mode sequential carries no payload; give demo or hamming")
        }
    }

    package struct Found {
        package let mode: OverflowMode
        package let position: Int?
        package let bytes: [UInt8]
        package let note: String

        package var line: String { "\(mode.rawValue) payload \(bytes.hex.uppercased()) \(note)" }
    }

    /// What may be a payload.
    package func payloads(in mask: OverflowMask, size: Int) -> [Found] {
        var found: [Found] = []
        let bytes = mask.bytes(.app)
        if let position = positions.starts.firstIndex(where: { bytes[$0] == matchingByte }) {
            let payload = Array(bytes[(positions.starts[position] + 1)...].prefix(size))
            found.append(Found(mode: .demo, position: position, bytes: payload, note: "in position \(position)"))
        }
        if case .payload(let payload, let corrected) = HammingFrame.read(
            mask,
            matchingByte: matchingByte,
            start: codeStart
        ) {
            let note = corrected.map { "with bit \($0.index) put right" } ?? "without an error"
            found.append(Found(mode: .hamming, position: nil, bytes: payload, note: note))
        }
        return found
    }
}
