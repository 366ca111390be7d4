#if canImport(Phones)
    import ArgumentParser
    import ByteCoding
    import CoreBluetooth
    import Foundation
    import KeyFobConsole
    import OverflowArea

    /// What bytes, services or a payload look like in the overflow area.
    struct OverflowEncodeCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "encode",
            abstract: "Show what bytes, services or a payload become in the overflow area.",
            discussion: """
                Bytes have two orders: as they are sent (air), and as apps have them that carry data there (app), each byte \
                mirrored. A payload is put into its frame first, in each of its positions.
                """
        )

        @Argument(
            help: ArgumentHelp("Up to 16 bytes in hexadecimal, or services with hyphens.", valueName: "bytes")
        )
        var input: [String] = []

        @Option(help: "The order of the bytes: app or air.")
        var order = OverflowOrder.app

        @Option(
            help: ArgumentHelp("A service, by 4, 8 or 36 characters; may be repeated.", valueName: "uuid"),
            transform: { try OverflowInput.service($0) }
        )
        var service: [CBUUID] = []

        @Option(help: ArgumentHelp("Up to 128 digits 0 and 1, from the left.", valueName: "digits"))
        var binary: String?

        @Option(help: ArgumentHelp("The payload of a beacon.", valueName: "hex"))
        var payload: String?

        @Option(help: "The payload's frame: demo (two positions) or hamming (four bytes, a code word).")
        var mode = OverflowMode.demo

        @OptionGroup var frame: OverflowFrameOptions

        @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
        var json = false

        func validate() throws { _ = try masks() }

        func run() throws {
            for (title, mask) in try masks() {
                guard !json else {
                    StandardOutput.write(OverflowText.object("mask", mask, title).text)
                    continue
                }
                if let title { StandardOutput.write(title) }
                for line in OverflowText.lines(mask) { StandardOutput.write(line) }
            }
        }

        /// What there is to be shown, with a title where there are several.
        private func masks() throws -> [(title: String?, mask: OverflowMask)] {
            let sources = [!input.isEmpty, !service.isEmpty, binary != nil, payload != nil].count { $0 }
            guard sources == 1 else {
                throw ValidationError("give one of: bytes, --service, --binary, --payload")
            }
            if let binary {
                guard let mask = OverflowMask(binary: binary) else {
                    throw ValidationError("\(OverflowInput.shown(binary)) is not up to 128 digits 0 and 1")
                }
                return [(nil, mask)]
            }
            if let payload { return try frame.masks(of: payload, mode) }
            if !service.isEmpty { return [(nil, OverflowMask(services: service))] }
            if input.contains(where: { $0.contains("-") }) {
                return [(nil, OverflowMask(services: try input.map(OverflowInput.service)))]
            }
            let bytes = try OverflowInput.bytes(input.joined(), upTo: 16, what: "overflow area")
            return [(nil, OverflowMask(bytes, order: order.order) ?? OverflowMask())]
        }
    }

    /// What is in an overflow area.
    struct OverflowDecodeCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode",
            abstract: "Show what is in an overflow area: bits, services, payloads.",
            discussion: """
                Takes the 16 bytes of a mask, a whole advertisement, Apple's manufacturer data from 4C0001 on, or the \
                services that iOS has reported. A payload is shown whether its bank is polluted or not: one advertisement \
                does not tell.
                """
        )

        @Argument(
            help: ArgumentHelp("Bytes in hexadecimal, or services with hyphens.", valueName: "bytes")
        )
        var input: [String]

        @Option(help: "The order of the bytes of a mask: air or app.")
        var order = OverflowOrder.air

        @Option(help: ArgumentHelp("How long the payload is, 0 to 7.", valueName: "n"))
        var payloadSize = 4

        @OptionGroup var frame: OverflowFrameOptions

        @Flag(help: "Print one JSON object a line; docs/cli-json.md says which.")
        var json = false

        func validate() throws {
            guard (0...frame.positions.longestPayload).contains(payloadSize) else {
                throw ValidationError(
                    "--payload-size \(payloadSize) is not from 0 to \(frame.positions.longestPayload)"
                )
            }
            _ = try mask()
        }

        func run() throws {
            let mask = try mask()
            let found = frame.payloads(in: mask, size: payloadSize)
            guard !json else {
                var line = OverflowText.object("mask", mask)
                line.add(
                    "payloads",
                    found.map { payload in
                        var object = JSONLine()
                        object.add("mode", payload.mode.rawValue)
                        if let position = payload.position { object.add("position", position) }
                        object.add("payload", payload.bytes.hex)
                        return object
                    }
                )
                return StandardOutput.write(line.text)
            }
            for line in OverflowText.lines(mask) + found.map(\.line) { StandardOutput.write(line) }
        }

        private func mask() throws -> OverflowMask {
            if input.contains(where: { $0.contains("-") }) {
                return OverflowMask(services: try input.map(OverflowInput.service))
            }
            let bytes = try OverflowInput.bytes(input.joined(), upTo: 255, what: "overflow area")
            if bytes.count == 16, let mask = OverflowMask(bytes, order: order.order) { return mask }
            if let mask = OverflowMask(advertisement: bytes) ?? OverflowMask(manufacturerData: Data(bytes)) {
                return mask
            }
            throw ValidationError(
                "no overflow area in these \(bytes.count) bytes; give the 16 bytes of a mask, or a whole advertisement"
            )
        }
    }

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
