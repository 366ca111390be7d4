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
        let isCode = mode.code(start: codeStart) != nil
        let isMessage = mode == .conversation
        let limit =
            isCode
            ? OverflowCode.payloadSize : isMessage ? Conversation.longestMessage : positions.longestPayload
        let bytes = try OverflowInput.bytes(text, upTo: limit, what: "payload")
        guard !isCode || bytes.count == limit else {
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
        case .hamming, .bch:
            guard let mask = mode.code(start: codeStart)?.mask(of: try payload(text, mode), matchingByte: matchingByte)
            else { return [] }
            return [(nil, mask)]
        case .conversation: throw InvalidText("--mode conversation sends pieces in turn; give demo, hamming or bch")
        case .sequential: throw InvalidText("--mode sequential carries no payload; give demo, hamming or bch")
        }
    }

    package struct Found {
        package let mode: OverflowMode
        package let position: Int?
        package let bytes: [UInt8]
        package let note: String
        /// In each byte, 0 to 1.
        package let confidence: [Double]
        /// How many masks it follows from.
        package let frames: Int

        package var lines: [String] {
            let share = confidence.map(ConfidenceText.percent).joined(separator: " ")
            let count = "from \(frames) mask\(frames == 1 ? "" : "s")"
            return ["\(mode.rawValue) payload \(bytes.hex.uppercased()) \(note)"]
                + (bytes.isEmpty ? [] : ["confidence in each byte: \(share), \(count)"])
        }
    }

    /// What may be a payload in the last one of several masks of a phone; the others count for the confidence.
    package func payloads(in masks: [OverflowMask], size: Int) -> [Found] {
        guard let mask = masks.last else { return [] }
        var found: [Found] = []
        func add(
            _ mode: OverflowMode,
            position: Int? = nil,
            _ read: (OverflowMask) -> PayloadReading?,
            note: (PayloadReading) -> String
        ) {
            guard let last = read(mask) else { return }
            var evidence = PayloadEvidence()
            for mask in masks { evidence.note(mask, read(mask)) }
            found.append(
                Found(
                    mode: mode,
                    position: position,
                    bytes: last.payload,
                    note: note(last),
                    confidence: evidence.confidence(in: last.payload),
                    frames: evidence.frames
                )
            )
        }
        let bytes = mask.bytes(.app)
        if let position = positions.starts.firstIndex(where: { bytes[$0] == matchingByte }) {
            add(.demo, position: position) {
                PayloadReading(inBanksOf: $0, positions: positions, matchingByte: matchingByte, payloadSize: size)
            } note: { _ in
                "in position \(position)"
            }
        }
        for mode in [OverflowMode.hamming, .bch] {
            guard let code = mode.code(start: codeStart) else { continue }
            add(mode) {
                code.read($0, matchingByte: matchingByte)
            } note: {
                $0.correction
            }
        }
        return found
    }
}

extension PayloadReading {
    /// What had to be done to a code word.
    fileprivate var correction: String {
        let bits = corrected?.bits.map { "\($0.index)" } ?? []
        guard let last = bits.last else { return "without an error" }
        guard bits.count > 1 else { return "with bit \(last) put right" }
        return "with bits \(bits.dropLast().joined(separator: ", ")) and \(last) put right"
    }
}
