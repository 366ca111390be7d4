import BluethroatMoneyBank
import BluethroatMoneyDrop
import BluethroatMoneyTerms
import BluethroatPhoneService
import BluethroatTesting
import Foundation
import Testing

@Suite("In the background, and after the end")
struct LifeTests {
    @Test("A recipient in the background is found by a sender on the screen, paid, and knows it")
    func backgroundRecipient() throws {
        let scene = MoneyScene()
        let anna = scene.add("Anna", photo: picture(20_000)), ben = scene.add("Ben")
        scene.air.run(for: .seconds(1))
        anna.app.enterBackground()
        scene.air.run(for: .seconds(20))
        #expect(anna.app.state == .suspended)
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(20))
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(20_000), within: .seconds(20))
        _ = try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(10))
        try scene.air.run(until: anna.wallet.wallet.notices.count == 1, within: .seconds(5))
    }

    @Test("A sender in the background finds a recipient on the screen, later")
    func backgroundSender() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben")
        ben.drop.look(true)
        scene.air.run(for: .seconds(1))
        ben.app.enterBackground()
        scene.air.run(for: .seconds(20))
        let anna = scene.add("Anna")
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(60))
    }

    @Test("Two in the background do not find each other")
    func bothInBackground() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben")
        scene.air.run(for: .seconds(1))
        ben.drop.look(true)
        ben.app.enterBackground()
        scene.air.run(for: .seconds(10))
        // Its advertisement was never seen while it was on the screen.
        let anna = scene.add("Anna", at: .outOfRange)
        scene.air.run(for: .seconds(1))
        anna.app.enterBackground()
        scene.air.run(for: .seconds(10))
        scene.air.move(anna.phone, to: .near)
        scene.air.run(for: .seconds(120))
        #expect(ben.screen.people.isEmpty)
        ben.app.enterForeground()
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(20))
    }

    @Test("A watch finds and pays, cannot be found, and is connected only while its app is not suspended")
    func watch() throws {
        let scene = MoneyScene()
        let anna = scene.add("Anna", photo: picture(20_000)), ben = scene.add("Ben", phone: .watch)
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(20_000), within: .seconds(20))
        #expect(!ben.screen.isFindable && ben.phone.misuse.isEmpty)
        _ = try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(10))
        ben.app.enterBackground()
        try scene.air.run(until: ben.app.state == .suspended, within: .seconds(10))
        scene.air.run(for: .seconds(5))
        ben.app.enterForeground()
        try scene.air.run(until: ben.sees(anna)?.isConnected == false, within: .seconds(1))
        try scene.air.run(until: ben.sees(anna)?.isConnected == true, within: .seconds(10))
    }

    @Test("A watch among three people stays with the first two it met; the third is known when one of them is gone")
    func watchAmongThree() throws {
        let scene = MoneyScene()
        let first = [scene.add("Anna"), scene.add("Cleo")], ben = scene.add("Ben", phone: .watch)
        ben.drop.look(true)
        try scene.air.run(until: first.allSatisfy { ben.sees($0)?.canBePaid == true }, within: .seconds(20))
        let dora = scene.add("Dora")
        scene.air.run(for: .seconds(60))
        #expect(first.allSatisfy { ben.sees($0)?.isConnected == true })
        #expect(ben.screen.people.count(where: \.isConnected) == 2)
        // It has heard her, and cannot ask who she is.
        #expect(ben.screen.people.count == 3 && ben.sees(dora) == nil)
        scene.air.cut(ben.phone, from: first[0].phone)
        try scene.air.run(until: ben.sees(dora)?.canBePaid == true, within: .seconds(30))
        #expect(ben.screen.people.count(where: \.isConnected) == 2)
        _ = try ben.send(300, to: dora)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(10))
    }

    @Test("A sender that the system ends while the recipient is away delivers the receipt when it is back, restored")
    func restoration() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna") { $0.incomingInterval = 100_000 }
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        scene.air.cut(ben.phone, from: anna.phone)
        _ = try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) != [.ordered], within: .seconds(5))
        try scene.air.run(until: ben.sees(anna)?.isConnected == false, within: .seconds(20))
        scene.air.run(for: .seconds(1))
        ben.app.terminate()
        scene.air.run(for: .seconds(5))
        #expect(!ben.app.state.isRunning && ben.app.launches.count == 1)
        scene.air.mend(ben.phone, with: anna.phone)
        try scene.air.run(until: ben.wallet.wallet.outgoing.map(\.state) == [.told], within: .seconds(60))
        #expect(ben.app.launches.map(\.reason) == [.person, .bluetooth])
        #expect(ben.app.state != .foreground)
        try scene.air.run(until: anna.screen.notices.count == 1, within: .seconds(5))
    }

    @Test("A recipient that the system ends is launched again when somebody writes to it")
    func recipientRestored() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        anna.app.terminate()
        let transfer = try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(20))
        #expect(anna.app.launches.last?.reason == .bluetooth)
        try scene.air.run(until: anna.wallet.wallet.received(transfer) != nil, within: .seconds(5))
    }

    @Test("A transfer that was ordered when the app died is made when it is opened again, once")
    func ordered() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        ben.wallet.fate = { .endsAfter }
        ben.wallet.endApp = { ben.app.forceQuit() }
        _ = try? ben.send(300, to: anna)
        #expect(ben.wallet.wallet.outgoing.map(\.state) == [.ordered])
        scene.air.run(for: .seconds(2))
        #expect(try scene.balance(anna) == 10_000)
        ben.wallet.fate = { .saved }
        ben.app.launch()
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(10))
        #expect(try scene.balance(anna) == 10_300)
    }

    @Test("Bluetooth off and on again, and a controller that fails, cost time only")
    func power() throws {
        let scene = MoneyScene()
        let ben = scene.add("Ben"), anna = scene.add("Anna", photo: picture(200_000))
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        scene.air.switchPower(false, of: anna.phone)
        scene.air.run(for: .seconds(2))
        scene.air.switchPower(true, of: anna.phone)
        scene.air.resetController(of: ben.phone)
        scene.air.run(for: .seconds(2))
        try scene.air.run(until: ben.sees(anna)?.photo == .complete(200_000), within: .seconds(30))
        _ = try ben.send(300, to: anna)
        try scene.air.run(until: ben.screen.outgoing.map(\.state) == [.told], within: .seconds(10))
        #expect(scene.air.misuse.isEmpty)
    }

    @Test("A token that is about to run out is read anew, so that one can send after an hour, too")
    func longEvening() throws {
        let scene = MoneyScene(tokenLifetime: 20)
        let ben = scene.add("Ben"), anna = scene.add("Anna")
        ben.drop.look(true)
        try scene.air.run(until: ben.sees(anna)?.canBePaid == true, within: .seconds(5))
        for _ in 0..<6 {
            scene.air.run(for: .seconds(17))
            _ = try ben.send(10, to: anna)
        }
        try scene.air.run(until: ben.screen.outgoing.allSatisfy { $0.state == .told }, within: .seconds(5))
        #expect(try scene.balance(anna) == 10_060)
    }
}
