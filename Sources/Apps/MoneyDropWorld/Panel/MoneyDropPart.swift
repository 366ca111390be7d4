public import BluethroatControlPanel
import BluethroatLive
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation

/// A person with MoneyDrop in a live world.
struct MoneyGuest {
    let phone: Phone
    /// Nil while the app does not run.
    let app: MoneyDropApp?
    /// The guest's own photo.
    let photo: Data?
}

/// A system that has such people in its world.
protocol MoneyDropOwner: LiveSystem {
    var guests: [MoneyGuest] { get }
}

extension MoneyWorld {
    /// What the panel shows of MoneyDrop.
    public static var part: PanelPart<MoneyWorld> { MoneyDropPart.part }
}

/// The panel's view of MoneyDrop: each phone's screen, as its owner sees it, with what its owner can do.
enum MoneyDropPart<Owner: MoneyDropOwner> {
    static var part: PanelPart<Owner> {
        PanelPart(
            "moneydrop",
            title: "MoneyDrop",
            "What each owner of a MoneyDrop sees.",
            every: .milliseconds(100)
        ) { owner in
            MoneyDropView(guests: owner.guests.map { GuestView($0, in: owner) })
        } endpoints: { api in
            [looking(api), transfer(api), ownPhoto(api), photo(api)]
        }
    }

    private static func looking(_ api: PanelAPI<Owner>) -> Endpoint {
        .ordering(
            .put,
            "/api/moneydrop/guests/{guest}/looking",
            tag: "MoneyDrop",
            "Looks around for people, or no longer."
        ) {
            (call, body: LookingAround) throws(PanelError) in
            let number = try call.number("guest", "guest")
            return try await api.perform { owner throws(PanelError) in
                let guest = try guest(number, in: owner)
                try running(guest).look(body.isLooking)
                owner.settle()
                return GuestView(guest, in: owner)
            }
        }
    }

    private static func transfer(_ api: PanelAPI<Owner>) -> Endpoint {
        .ordering(
            .post,
            "/api/moneydrop/guests/{guest}/transfers",
            tag: "MoneyDrop",
            "Sends money to somebody who was found."
        ) {
            (call, body: TransferOrder) throws(PanelError) in
            let number = try call.number("guest", "guest")
            guard let person = UUID(uuidString: body.to) else {
                throw .badRequest("\"to\" has to be the id of one of the guest's people")
            }
            return try await api.perform { owner throws(PanelError) in
                let guest = try guest(number, in: owner)
                let app = try running(guest)
                do {
                    let usual = app.screen.balance?.currency ?? .euro
                    try app.send(Money(body.amount, usual: usual), to: person)
                } catch let error as Money.Unreadable {
                    throw PanelError.badRequest(error.description)
                } catch {
                    throw PanelError(.conflict, "not-sent", "\(error)")
                }
                owner.settle()
                return GuestView(guest, in: owner)
            }
        }
    }

    private static func ownPhoto(_ api: PanelAPI<Owner>) -> Endpoint {
        .file(
            "/api/moneydrop/guests/{guest}/photo",
            tag: "MoneyDrop",
            "The guest's own photo.",
            type: "application/octet-stream"
        ) {
            call throws(PanelError) in
            let number = try call.number("guest", "guest")
            let photo = try await api.perform { owner throws(PanelError) in try guest(number, in: owner).photo }
            guard let photo else { throw PanelError(.notFound, "no-photo", "the guest has no photo") }
            return (photo, name: "photo")
        }
    }

    private static func photo(_ api: PanelAPI<Owner>) -> Endpoint {
        .file(
            "/api/moneydrop/guests/{guest}/people/{person}/photo",
            tag: "MoneyDrop",
            "The photo of somebody, as it came over the air.",
            type: "application/octet-stream"
        ) { call throws(PanelError) in
            let number = try call.number("guest", "guest")
            let person = UUID(uuidString: call["person"])
            let photo = try await api.perform { owner throws(PanelError) in
                let app = try running(guest(number, in: owner))
                return person.flatMap { app.photo(of: $0) }
            }
            guard let photo else {
                throw PanelError(.notFound, "no-photo", "there is no photo of this person, or not all of it yet")
            }
            return (photo, name: "photo")
        }
    }

    private static func guest(_ number: Int, in owner: Owner) throws(PanelError) -> MoneyGuest {
        guard let guest = owner.guests.first(where: { Int($0.phone.device.rawValue) == number }) else {
            throw PanelError(.notFound, "no-such-guest", "device \(number) is nobody with MoneyDrop")
        }
        return guest
    }

    private static func running(_ guest: MoneyGuest) throws(PanelError) -> MoneyDropApp {
        guard let app = guest.app else {
            throw PanelError(.conflict, "not-running", "MoneyDrop does not run on this phone; open it first")
        }
        return app
    }
}
