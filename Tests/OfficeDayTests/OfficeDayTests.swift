import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkstationLogin
import Foundation
import Testing

@testable import BluethroatOfficeDay

@Suite("A day in the office")
struct OfficeDayTests {
    private func day(_ plan: OfficePlan, seed: UInt64) -> (World, OfficeDay) {
        let world = World(seed: seed)
        let day = OfficeDay(plan, seed: seed, in: world, cost: ScryptCost(logarithm: 1)!) { name, position in
            var host = HostConfiguration(seed: seed, device: UInt64(world.nextID.rawValue))
            host.pairing.inputOutput = .displayYesNo
            host.pairing.secureConnections = .only
            var settings = PhoneSettings()
            settings.name = name
            settings.advertisingInterval = AdvertisingInterval(steps: 510)
            return Phone(named: name, in: world, at: position, settings: settings, host: host)
        }
        return (world, day)
    }

    @Test("50 desks, 50 people who walk about: everybody is logged in at their own desk, and logged out when they go")
    func everybody() throws {
        let (world, day) = day(OfficePlan(seconds: 60)!, seed: 1)
        world.run(for: .seconds(400)) { day.isOver }
        let report = day.report
        print("A day in the office until \(world.now): \(report)")
        #expect(day.isOver && day.neverLoggedIn.isEmpty, "\(day.neverLoggedIn)")
        #expect(report.peopleLoggedIn == 0 && report.peopleGone == 50)
        #expect(report.logins >= 50)
        let logouts = report.logoutsByWalkingAway + report.logoutsOnRequest + report.logoutsByLinkLoss
        #expect(logouts == report.logins)
        // A hundred radios in one room: they do collide, and all of this happened in spite of it.
        #expect(report.frames > 10_000 && report.collisions.frames > 100 && report.collisions.receptions > 100)
        #expect(report.logoutsOnRequest >= 15 && report.logoutsByWalkingAway + report.logoutsByLinkLoss >= 25)
    }

    @Test("The same seed is the same day")
    func deterministic() {
        let plan = OfficePlan(desks: 3, people: 3, seconds: 60)!
        let digests = (0..<2).map { _ in
            let (world, day) = day(plan, seed: 5)
            world.run(for: .seconds(60)) { day.isOver }
            return "\(world.digest) \(day.report)"
        }
        #expect(digests[0] == digests[1])
    }

    @Test("A plan that is none is refused")
    func plan() {
        #expect(OfficePlan(desks: 0) == nil && OfficePlan(desks: 2, people: 3) == nil && OfficePlan(seconds: 1) == nil)
    }
}
