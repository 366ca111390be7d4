#if canImport(Phones)
    import ByteCoding
    import Foundation
    import KeyFobConsole
    import LiveLoop
    import OverflowArea
    import Phones
    import Simulation
    import VirtualTime

    /// The demonstration in virtual time, from its beginning to its end.
    struct OverflowVirtualRun {
        let options: SceneOptions
        let plan: OverflowPlan
        let length: TimeSpan
        var write: (String) -> Void = StandardOutput.write

        /// Why it was not worth it, if it was not.
        func perform() -> ExitStatus? {
            var captures: Captures?
            do throws(CaptureError) {
                if options.capture != nil || options.btsnoop != nil {
                    captures = try Captures(air: options.capture, log: options.btsnoop, epoch: Captures.epochNow) {
                        StandardError.write("\($0)")
                    }
                }
            } catch {
                return fail("\(error)", .refused, at: .zero)
            }
            let scene = LiveScene(
                seed: options.seed ?? .random(in: .min ... .max),
                isVirtual: true,
                captures: captures
            )
            let owner = OverflowWorld(scene, plan, json: options.json) { news in
                if let text = news.text(json: options.json) { write(text) }
            }
            owner.begin()
            // In pieces, so that captures are written now and then.
            while owner.present < .zero + length {
                owner.advance(by: min(.seconds(10), .zero + length - owner.present))
                if StandardOutput.isBroken { break }
            }
            owner.finish()
            for player in owner.players { summarise(player, at: owner.present) }
            guard plan.mode != .sequential, plan.phoneCount > 1, owner.readerCount == 0 else { return nil }
            return fail("nobody has read a payload in \(Seconds(span: length)) s", .nothingFound, at: owner.present)
        }

        private func summarise(_ player: OverflowPlayer, at now: Instant) {
            let state = player.state
            for neighbour in state.neighbours {
                guard options.json else {
                    var line = "\(player.phone.name): \(neighbour.id.uuidString) "
                    if let payload = neighbour.payload, let first = neighbour.firstBelieved {
                        line += "sends \(payload.hex.uppercased()), read \(neighbour.readings) times, "
                        line += "first at \(String((first * 10).rounded() / 10)) s"
                    } else {
                        line += "was heard \(neighbour.sightings) times; nothing was believed"
                    }
                    write(line)
                    continue
                }
                var line = JSONLine(event: "neighbour", time: now)
                line.add("phone", player.phone.name)
                line.add("peer", neighbour.id.uuidString)
                if let payload = neighbour.payload { line.add("payload", payload.hex) }
                line.add("readings", neighbour.readings)
                line.add("sightings", neighbour.sightings)
                line.add("statuses", neighbour.statuses.map(\.rawValue))
                line.add("verdict", neighbour.verdict.rawValue)
                if let first = neighbour.firstBelieved { line.add("first", .nanoseconds(Int64(first * 1e9))) }
                write(line.text)
            }
        }

        private func fail(_ message: String, _ status: ExitStatus, at now: Instant) -> ExitStatus {
            if options.json { write(KeyFobJSON.error(message, at: now)) }
            StandardError.write(message)
            return status
        }
    }
#endif
