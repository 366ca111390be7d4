#if canImport(Phones)
    import ArgumentParser
    import OverflowAnalyser
    import OverflowArea
    import PhoneService
    import Phones

    /// What the demonstration shows.
    struct OverflowPlan: Sendable {
        /// Whether screens are lit.
        enum Screen: String, ExpressibleByArgument, CaseIterable, Sendable {
            case on
            /// And nothing lights them: the phones lie on their faces.
            case off
            /// Except after notifications.
            case notified
        }

        /// When there are notifications.
        enum Cycle: String, ExpressibleByArgument, CaseIterable, Sendable {
            /// Every 60 s.
            case documented = "60"
            /// Every 31 s.
            case quick = "31"
            /// Every 30 s.
            case halfMinute = "30"
            /// Only if nothing was heard.
            case sparing

            var cycle: ScanCycle {
                switch self {
                case .documented: .documented
                case .quick: .quick
                case .halfMinute: .halfMinute
                case .sparing: .sparing
                }
            }
        }

        var phoneCount = 2
        var mode = OverflowMode.demo
        /// One for each phone; the last one is for the rest. Empty is the usual one.
        var payloads: [[UInt8]] = []
        var matchingByte = BeaconFrame.usualMatchingByte
        var positions = BeaconFrame.Positions.halves
        /// Where a code word begins.
        var codeStart = HammingFrame.usualStart
        var version = 13
        var screen = Screen.on
        var cycle = Cycle.documented
        /// What another app on the first phone sets.
        var pollution: [OverflowBit] = []
        /// Whether somebody listens who learns from the air.
        var analysis: OverflowAnalyser.Settings?

        func payload(of number: Int) -> [UInt8]? {
            payloads.indices.contains(number) ? payloads[number] : payloads.last
        }

        /// Whether iPhones nearby will ask their people about a watch that is not there.
        var disturbsWatches: Bool {
            // Only the matching byte is ever there, whatever the payload.
            switch mode {
            case .demo: BeaconFrame([], matchingByte: matchingByte, positions: positions)?.disturbsWatches ?? false
            case .hamming:
                HammingFrame([0, 0, 0, 0], matchingByte: matchingByte, start: codeStart)?.disturbsWatches ?? false
            case .sequential: false
            }
        }

        func settings(named name: String) -> PhoneSettings {
            var settings = PhoneSettings()
            settings.name = name
            settings.systemVersion = version
            return settings
        }
    }
#endif
