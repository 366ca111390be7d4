#if canImport(Phones)
    import ArgumentParser
    import ByteCoding
    import OverflowArea

    /// How a payload is framed.
    struct OverflowFrameOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("The byte in front of a payload (default: AA).", valueName: "hex"),
            transform: { try OverflowInput.byte($0) }
        )
        var matchingByte: UInt8 = BeaconFrame.usualMatchingByte

        @Flag(help: "Use places without bit 69, with which an Apple Watch asks to be set up.")
        var spareWatches = false

        var positions: BeaconFrame.Positions { spareWatches ? .sparingWatches : .halves }
        var codeStart: Int { spareWatches ? HammingFrame.startSparingWatches : HammingFrame.usualStart }

        /// A payload in each of its positions.
        func masks(of text: String, _ mode: OverflowMode) throws -> [(title: String?, mask: OverflowMask)] {
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
                    throw ValidationError("a code word carries \(HammingFrame.payloadSize) bytes, not \(bytes.count)")
                }
                return [(nil, frame.mask)]
            case .sequential: throw ValidationError("--mode sequential carries no payload; give demo or hamming")
            }
        }

        struct Found {
            let mode: OverflowMode
            let position: Int?
            let bytes: [UInt8]
            let note: String

            var line: String { "\(mode.rawValue) payload \(bytes.hex.uppercased()) \(note)" }
        }

        /// What may be a payload.
        func payloads(in mask: OverflowMask, size: Int) -> [Found] {
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
#endif
