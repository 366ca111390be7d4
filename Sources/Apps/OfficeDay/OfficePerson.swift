import BluethroatAppEnvironment
import BluethroatPhones
import BluethroatWorkstationLogin
import Foundation

/// A person who comes to the office with a phone, sits down, logs in, has coffee in between, and goes home.
///
/// They know what people know: their name and password, their desk's digits, what the phone shows, and what is on the
/// monitor in front of them.
final class OfficePerson {
    enum Step: Equatable {
        case atHome
        case comingIn
        case loggingIn
        case working
        case goingForCoffee
        case comingBack
        case goingHome
        case gone
    }

    let number: Int
    let name: String
    let password: String
    let desk: Desk
    let app: LoginPhone
    let phone: Phone
    let seat: OfficePlan.Point
    /// When they come, have coffee and go, in seconds.
    let times: (arrival: Double, coffee: Double, leaving: Double)
    /// Whether they end the session on the phone before they get up; the others just leave.
    let saysGoodbye: Bool

    private(set) var step = Step.atHome
    private(set) var place: OfficePlan.Point
    /// How long each login took, from sitting down to the session, in seconds.
    private(set) var loginTimes: [Double] = []
    /// How often they had to press the button again.
    private(set) var retries = 0
    private var satDown = 0.0
    private var hadCoffee = false
    private var hasPressed = false

    init(
        number: Int,
        password: String,
        desk: Desk,
        app: LoginPhone,
        phone: Phone,
        seat: OfficePlan.Point,
        times: (Double, Double, Double),
        saysGoodbye: Bool
    ) {
        self.number = number
        name = Self.name(number)
        self.password = password
        self.desk = desk
        self.app = app
        self.phone = phone
        self.seat = seat
        self.times = times
        self.saysGoodbye = saysGoodbye
        place = OfficePlan.door
    }

    static func name(_ number: Int) -> String { "person\(number + 1)" }

    private static let speed = 1.4

    /// Looks around and does the next thing. `span` seconds have passed since they did the last.
    func live(at now: Double, span: Double) {
        switch step {
        case .atHome: if now >= times.arrival { step = .comingIn }
        case .comingIn, .comingBack: if walk(to: seat, span) { sitDown(now) }
        case .loggingIn: logIn(now)
        case .working: work(now)
        case .goingForCoffee: if walk(to: OfficePlan.door, span) { step = .comingBack }
        case .goingHome: if walk(to: OfficePlan.door, span), !isLoggedIn { step = .gone }
        case .gone: break
        }
    }

    private var isLoggedIn: Bool { desk.screen.session?.user == name }

    private func walk(to goal: OfficePlan.Point, _ span: Double) -> Bool {
        place = place.moved(towards: goal, by: Self.speed * span)
        return place == goal
    }

    private func sitDown(_ now: Double) {
        satDown = now
        hasPressed = false
        step = .loggingIn
    }

    private func logIn(_ now: Double) {
        switch app.screen.page {
        case .start, .notFound:
            // The registry is there after four seconds; who is quicker waits for it.
            guard !app.screen.isScanning else { return }
            if hasPressed { retries += 1 }
            hasPressed = true
            app.choose(desk.screen.identifier)
        case .credentials: app.submit(Credentials(user: name, password: password))
        case .code: if let code = desk.screen.code { app.enterCode(code) }
        case .connected where isLoggedIn:
            loginTimes.append(now - satDown)
            step = .working
        case .connected, .connecting, .searching, .locked, .otherKey: break
        }
    }

    private func work(_ now: Double) {
        if now >= times.leaving {
            if saysGoodbye {
                app.askToEnd()
                app.confirmEnd()
            }
            step = .goingHome
        } else if !hadCoffee, now >= times.coffee {
            hadCoffee = true
            step = .goingForCoffee
        } else if app.screen.page == .start {
            // Something has ended the session that was not meant to end.
            retries += 1
            sitDown(now)
        }
    }
}
