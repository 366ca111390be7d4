import BluethroatAppEnvironment
import CoreBluetooth
import Foundation

// Talking to a phone: what the conversation says is done.
extension Desk {
    func visitor(_ central: CBCentral) -> DeskVisitor {
        if let visitor = visitors.first(where: { $0.central.identifier == central.identifier }) { return visitor }
        let visitor = DeskVisitor(central, random: random)
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
        visitor.conversation.happened(.link)
        stopWaiting(for: visitor, isBrokenOff: true)
        guard owner === visitor, visitor.endsWithLink else { return }
        lossTimer?.cancel()
        guard settings.linkLossSeconds > 0 else { return endSession(.linkLost) }
        setLocked(true)
        lossTimer = clock.once(after: settings.linkLossSeconds) { [weak self] in self?.endSession(.linkLost) }
    }

    private func receive(_ bytes: Data, from visitor: DeskVisitor) {
        // Before a hello nothing has begun that could be broken into: a closed desk neither counts nor notes it.
        let isHeard = visitor.conversation.phase != .idle || watch.wait(at: clock.now) == nil
        switch visitor.conversation.receive(bytes) {
        case .ignored: break
        case .hello(let hello): greet(hello, visitor)
        case .agreed(let proof, let shown):
            visitor.pipe.send(LoginMessage.proof(proof).bytes)
            awaitCredentials(of: visitor)
            if let shown { showCode(shown, of: visitor) }
        case .credentials(let credentials, let endsWithLink, let check):
            visitor.endsWithLink = endsWithLink
            visitor.comparesDigits = false
            verify(credentials, check, visitor)
        case .wrongCode(let shown):
            tell(.codeRejected)
            if let seconds = noteFailure() {
                reject(visitor, .wait(seconds: UInt16(seconds)))
            } else {
                awaitCredentials(of: visitor)
                showCode(shown, of: visitor)
                send(.rejected(.wrongCode), to: visitor)
            }
        case .end(let walkedAway): endSession(walkedAway ? .walkedAway : .requested)
        case .lock(let isLocked): setLocked(isLocked)
        case .intrusion: if isHeard { intrude(visitor) }
        }
    }

    private func greet(_ hello: LoginMessage.Hello, _ visitor: DeskVisitor) {
        // Who takes no answers gets no more of them.
        guard visitor.pipe.waitingCount < DeskVisitor.mostAnswers else { return }
        if let seconds = watch.wait(at: clock.now) { return refuse(visitor, .wait(seconds: seconds)) }
        guard hello.identifier == screen.identifier else {
            refuse(visitor, .otherDesk)
            noteFailure()
            return
        }
        let isTaken = visitors.contains { $0 !== visitor && $0.conversation.phase != .idle }
        guard screen.session == nil || owner?.isGone == true, !isTaken else { return refuse(visitor, .busy) }
        visitor.heldSince = clock.now
        visitor.comparesDigits = hello.wantsCode
        visitor.pipe.send(visitor.conversation.offer(to: hello, key, demandsCode: settings.code == .always))
        hurry(visitor, Self.answerSeconds)
    }

    func awaitCredentials(of visitor: DeskVisitor) { hurry(visitor, settings.codeSeconds) }

    /// Limits the time until the next message, and the time of the whole visit.
    private func hurry(_ visitor: DeskVisitor, _ seconds: TimeInterval) {
        let left = (visitor.heldSince ?? clock.now) + settings.visitSeconds - clock.now
        visitor.alarm?.cancel()
        visitor.alarm = clock.once(after: max(0, min(seconds, left))) { [weak self, weak visitor] in
            guard let self, let visitor, visitor.conversation.happened(.time) == .tooSlow else { return }
            stopWaiting(for: visitor, isBrokenOff: true)
            refuse(visitor, .tooSlow)
        }
    }

    /// A visit is over, or has become a session.
    ///
    /// - Parameter isBrokenOff: whether the phone left, or was too slow. If it had asked for digits to be compared, that counts as
    ///   a failure: it knows them before the desk shows them, and could come back until they are those of another connection.
    func stopWaiting(for visitor: DeskVisitor, isBrokenOff: Bool = false) {
        visitor.alarm?.cancel()
        hideCode(of: visitor)
        guard let since = visitor.heldSince else { return }
        visitor.heldSince = nil
        let isFailure = isBrokenOff && visitor.comparesDigits
        tellClosed(watch.heldUp(for: clock.now - since, isFailure: isFailure, at: clock.now))
    }

    /// Ends a visit with a rejection.
    func reject(_ visitor: DeskVisitor, _ rejection: CredentialRejection) {
        send(.rejected(rejection), to: visitor)
        visitor.conversation.reset()
        stopWaiting(for: visitor)
    }

    func send(_ message: SealedMessage, to visitor: DeskVisitor) {
        guard !visitor.isGone, let sealed = visitor.conversation.seal(message) else { return }
        visitor.pipe.send(sealed)
    }

    /// Someone logged in at the keyboard, so the visit ends.
    func refuseAsBusy(_ visitor: DeskVisitor) {
        guard visitor.conversation.happened(.keyboard) == .busy else { return }
        stopWaiting(for: visitor)
        refuse(visitor, .busy)
    }

    private func refuse(_ visitor: DeskVisitor, _ refusal: DeskRefusal) {
        visitor.pipe.send(LoginMessage.refusal(refusal).bytes)
        if refusalPace.tells(at: clock.now) { tell(.refused(refusal)) }
    }

    /// The peer is not the one from before, or never was authentic: nothing of what was agreed counts any more.
    private func intrude(_ visitor: DeskVisitor) {
        stopWaiting(for: visitor)
        tell(.intrusion)
        refuse(visitor, .noSense)
        noteFailure()
        if owner === visitor { endSession(.linkLost) }
    }

    /// Something failed; for how many seconds the desk is closed, if it is.
    @discardableResult
    private func noteFailure() -> Int? { tellClosed(watch.failed(at: clock.now)) }

    @discardableResult
    func tellClosed(_ seconds: Int?) -> Int? {
        guard let seconds else { return nil }
        screen.notice = "Too many failures: closed for \(seconds) s"
        tell(.closed(seconds: seconds))
        _ = clock.once(after: Double(seconds)) { [weak self] in
            guard let self, watch.wait(at: clock.now) == nil, screen.notice?.hasPrefix("Too many") == true else {
                return
            }
            screen.notice = nil
        }
        return seconds
    }

    private func showCode(_ code: String, of visitor: DeskVisitor) {
        visitor.showsCode = true
        screen.code = code
        tell(.codeShown(code))
    }

    func hideCode(of visitor: DeskVisitor) {
        guard visitor.showsCode else { return }
        visitor.showsCode = false
        screen.code = nil
        tell(.codeHidden)
    }
}
