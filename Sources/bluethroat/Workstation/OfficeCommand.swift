#if canImport(Phones)
    import BluetoothValues
    import Foundation
    import Host
    import KeyFobConsole
    import OfficeDay
    import PhoneService
    import Phones
    import RadioMedium
    import Simulation
    import Stage
    import VirtualTime
    import WorkstationLogin

    /// A day in virtual time, from beginning to end at once.
    enum OfficeCommand {
        static func runFast(_ plan: OfficePlan, _ options: SceneOptions) throws {
            let seed = options.seed ?? .random(in: .min ... .max)
            let scene = LiveScene(seed: seed, isVirtual: true, drawsSecrets: false)
            let world = scene.stage.world
            let began = DispatchTime.now().uptimeNanoseconds
            let day = makeDay(plan, seed: seed, in: scene)
            // Whoever is still here long after closing time has not got out.
            world.run(for: .seconds(Int64(plan.seconds) * 4 + 300)) { day.isOver }
            if let stall = world.stall { throw CommandFailure("\(stall)", time: stall.instant) }
            let real = Double(DispatchTime.now().uptimeNanoseconds - began) / 1e9
            let report = day.report
            if options.json {
                var line = JSONLine(event: "day", time: world.now)
                line.add("seed", String(seed))
                line.add("over", day.isOver)
                line.add(report)
                StandardOutput.write(line.text)
            } else {
                StandardOutput.write(report.sentences.joined(separator: "\n"))
                StandardOutput.write("The day took \(world.now.sinceStart), here \(hundredths(real)) s (seed \(seed)).")
            }
            guard day.isOver else { throw ExitStatus.refused }
        }

        static func makeDay(_ plan: OfficePlan, seed: UInt64, in scene: LiveScene) -> OfficeDay {
            // Many passwords are looked at in an hour, and none of them is anybody's.
            OfficeDay(plan, seed: seed, in: scene.stage.world, cost: ScryptCost(logarithm: 6)!) { name, position in
                var settings = PhoneSettings()
                // Fifty of them should not fill the air with nothing else.
                settings.advertisingInterval = AdvertisingInterval(steps: 510)
                return scene.addPhone(named: name, at: position, settings: settings) { $0.pairForLogin() }
            }
        }

        static func hundredths(_ number: Double) -> String { String(format: "%.2f", number) }
    }

    extension HostConfiguration {
        /// How desks and their phones pair: LE Secure Connections with keys of full length, or not at all.
        mutating func pairForLogin() {
            pairing.inputOutput = .displayYesNo
            pairing.secureConnections = .only
            pairing.minimumKeySize = 16
        }
    }

    extension OfficeDay.Report {
        var sentences: [String] {
            let times =
                "\(OfficeCommand.hundredths(medianLoginSeconds)) s in the middle, "
                + "\(OfficeCommand.hundredths(longestLoginSeconds)) s at most"
            return [
                "\(peopleCome) of \(people) people have come, \(peopleGone) have gone home",
                "\(logins) logins, from sitting down to the session \(times); \(retries) times somebody pressed again",
                "\(logoutsOnRequest) sessions ended on the phone, \(logoutsByWalkingAway) by walking away, "
                    + "\(logoutsByLinkLoss) with the link; \(peopleLoggedIn) are left",
                "\(frames) frames on the air, \(collisions.frames) of them while another was on the same channel; "
                    + "\(collisions.receptions) receptions were lost to such collisions",
            ]
        }
    }

    extension JSONLine {
        mutating func add(_ report: OfficeDay.Report) {
            add("people", report.people)
            add("come", report.peopleCome)
            add("gone", report.peopleGone)
            add("logins", report.logins)
            add("loggedIn", report.peopleLoggedIn)
            add("requested", report.logoutsOnRequest)
            add("walkedAway", report.logoutsByWalkingAway)
            add("linkLost", report.logoutsByLinkLoss)
            add("retries", report.retries)
            add("frames", report.frames)
            add("collidedFrames", report.collisions.frames)
            add("lostReceptions", report.collisions.receptions)
            add("medianLogin", decimal: OfficeCommand.hundredths(report.medianLoginSeconds))
            add("longestLogin", decimal: OfficeCommand.hundredths(report.longestLoginSeconds))
        }
    }
#endif
