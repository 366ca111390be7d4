import AppTime
import CoreBluetooth
import Foundation

// Talking to a phone.
extension Desk {
    func visitor(_ central: CBCentral) -> DeskVisitor {
        if let visitor = visitors.first(where: { $0.central.identifier == central.identifier }) { return visitor }
        let visitor = DeskVisitor(central)
        let outlet = FramedPipe.Outlet(notifying: central, of: exchange, by: manager)
        visitor.pipe = FramedPipe(
            outlet,
            maximumLength: LoginProfile.maximumMessageLength,
            clock: clock,
            random: random
        )
        visitor.pipe.received = { [weak self, weak visitor] message in
            if let self, let visitor { receive(message, from: visitor) }
        }
        visitors.append(visitor)
        return visitor
    }

    func leave(_ visitor: DeskVisitor) {
        visitors.removeAll { $0 === visitor }
        visitor.isGone = true
        visitor.pipe.close()
        visitor.alarm?.cancel()
        hideCode(of: visitor)
        guard owner === visitor, visitor.endsWithLink else { return }
        lossTimer?.cancel()
        guard settings.linkLossSeconds > 0 else { return endSession(.linkLost) }
        setLocked(true)
        lossTimer = clock.once(after: settings.linkLossSeconds) { [weak self] in self?.endSession(.linkLost) }
    }

    private func receive(_ bytes: Data, from visitor: DeskVisitor) {
        switch (LoginMessage(bytes), visitor.step) {
        case (.hello(let hello), .nothing): greet(hello, visitor)
        case (.reveal(let key, let nonce), .offered(let handshake)): agree(handshake, key, nonce, visitor)
        case (.sealed(let box), .agreed), (.sealed(let box), .inside):
            guard let message = try? visitor.channel?.open(box) else { return intrude(visitor) }
            obey(message, visitor)
        // What is being checked is answered first; and the phone may not have heard yet that it is over.
        case (.sealed, .checking), (.sealed, .nothing): return
        default: intrude(visitor)
        }
    }

    private func greet(_ hello: LoginMessage.Hello, _ visitor: DeskVisitor) {
        if let seconds = watch.wait(at: clock.now) { return refuse(visitor, .wait(seconds: seconds)) }
        guard hello.identifier == screen.identifier else {
            refuse(visitor, .otherDesk)
            noteFailure()
            return
        }
        let isSomebodyAtIt = visitors.contains { if case .nothing = $0.step { false } else { $0 !== visitor } }
        guard owner == nil || owner!.isGone, !isSomebodyAtIt else { return refuse(visitor, .busy) }
        let handshake = DeskHandshake(hello, deskKey: key, demandsCode: settings.code == .always, random: random)
        visitor.step = .offered(handshake)
        visitor.pipe.send(handshake.offer)
        hurry(visitor, Self.answerSeconds)
    }

    /// Nobody keeps others waiting by being slow.
    private func hurry(_ visitor: DeskVisitor, _ seconds: TimeInterval) {
        visitor.alarm?.cancel()
        visitor.alarm = clock.once(after: seconds) { [weak self, weak visitor] in
            guard let self, let visitor else { return }
            hideCode(of: visitor)
            visitor.step = .nothing
            refuse(visitor, .tooSlow)
        }
    }

    private func agree(_ handshake: DeskHandshake, _ key: Data, _ nonce: Data, _ visitor: DeskVisitor) {
        guard let (channel, code, proof) = try? handshake.conclude(ephemeralKey: key, nonce: nonce) else {
            return intrude(visitor)
        }
        visitor.channel = channel
        visitor.step = .agreed
        visitor.pipe.send(LoginMessage.proof(proof).bytes)
        hurry(visitor, settings.codeSeconds)
        guard handshake.hello.wantsCode || settings.code == .always else { return }
        visitor.showsCode = true
        screen.code = code
        happened?(.codeShown(code))
    }

    private func obey(_ message: SealedMessage, _ visitor: DeskVisitor) {
        switch (message, visitor.step) {
        case (.credentials(let credentials, let endsWithLink), .agreed):
            visitor.alarm?.cancel()
            hideCode(of: visitor)
            visitor.step = .checking
            visitor.endsWithLink = endsWithLink
            let verifier = verifier
            work {
                verifier.verify(credentials)
            } then: { [weak self, weak visitor] verdict in
                if let self, let visitor { conclude(verdict, credentials.user, visitor) }
            }
        case (.end(let walkedAway), .inside): endSession(walkedAway ? .walkedAway : .requested)
        case (.lock, .inside): setLocked(true)
        case (.unlock, .inside): setLocked(false)
        default: intrude(visitor)
        }
    }

    private func conclude(_ verdict: CredentialVerdict, _ user: String, _ visitor: DeskVisitor) {
        guard !visitor.isGone, case .checking = visitor.step else { return }
        switch verdict {
        case .accepted:
            watch.succeeded()
            // The one whose phone was lost for a while makes room.
            if owner != nil { endSession(.linkLost) }
            owner = visitor
            visitor.step = .inside
            screen.session = DeskScreen.Session(user: user)
            screen.notice = nil
            send(.accepted, to: visitor)
            happened?(.loggedIn(user: user))
            manager.setDesiredConnectionLatency(.high, for: visitor.central)
        case .rejected:
            // Others may be tried over the same keys.
            visitor.step = .agreed
            hurry(visitor, settings.codeSeconds)
            happened?(.rejected(user: user))
            let seconds = noteFailure()
            send(.rejected(seconds.map { .wait(seconds: UInt16($0)) } ?? .wrong), to: visitor)
            if seconds != nil {
                visitor.alarm?.cancel()
                visitor.step = .nothing
            }
        case .unavailable(let why):
            visitor.step = .agreed
            hurry(visitor, settings.codeSeconds)
            screen.notice = "Passwords cannot be checked at the moment"
            happened?(.unavailable(why))
            send(.rejected(.unavailable), to: visitor)
        }
    }

    private func send(_ message: SealedMessage, to visitor: DeskVisitor) {
        guard !visitor.isGone, let sealed = visitor.channel?.seal(message) else { return }
        visitor.pipe.send(sealed)
    }

    private func refuse(_ visitor: DeskVisitor, _ refusal: DeskRefusal) {
        visitor.pipe.send(LoginMessage.refusal(refusal).bytes)
        happened?(.refused(refusal))
    }

    /// Somebody is not who they were, or never was anybody: nothing of what was agreed counts any more.
    private func intrude(_ visitor: DeskVisitor) {
        visitor.alarm?.cancel()
        hideCode(of: visitor)
        visitor.channel = nil
        visitor.step = .nothing
        happened?(.intrusion)
        refuse(visitor, .noSense)
        noteFailure()
        if owner === visitor { endSession(.linkLost) }
    }

    /// Something failed; for how many seconds the desk is closed, if it is.
    @discardableResult
    private func noteFailure() -> Int? {
        guard let seconds = watch.failed(at: clock.now) else { return nil }
        screen.notice = "Too many failures: closed for \(seconds) s"
        happened?(.closed(seconds: seconds))
        _ = clock.once(after: Double(seconds)) { [weak self] in
            guard let self, watch.wait(at: clock.now) == nil, screen.notice?.hasPrefix("Too many") == true else {
                return
            }
            screen.notice = nil
        }
        return seconds
    }

    private func hideCode(of visitor: DeskVisitor) {
        guard visitor.showsCode else { return }
        visitor.showsCode = false
        screen.code = nil
        happened?(.codeHidden)
    }

    func setLocked(_ isLocked: Bool) {
        guard let session = screen.session, session.isLocked != isLocked, let owner else { return }
        screen.session?.isLocked = isLocked
        send(isLocked ? .locked : .unlocked, to: owner)
        happened?(isLocked ? .locked(user: session.user) : .unlocked(user: session.user))
    }

    func endSession(_ end: SessionEnd) {
        guard let session = screen.session else { return }
        lossTimer?.cancel()
        screen.session = nil
        if let owner, !owner.isGone {
            send(.ended(end), to: owner)
            // What comes now begins anew.
            owner.step = .nothing
        }
        owner = nil
        happened?(.loggedOut(user: session.user, end))
    }
}
