/// What both screens of the text sample have: a text view, a keyboard, and the buttons of the navigation bar.
public protocol TextScreen: AnyObject {
    var pad: TextPad { get }
    /// Does something to the text view.
    func change(_ change: (inout TextPad) -> Void)
    /// Sends a text, after those that are under way. Without a receiver nothing is sent.
    func send(_ text: String)
}

extension TextScreen {
    public func beginEditing() { change { $0.beginEditing() } }
    public func type(_ text: String) { change { $0.type(text) } }
    public func deleteBackward() { change { $0.deleteBackward() } }
    public func clear() { change { $0.clear() } }

    /// `Send`: what was typed is sent.
    public func sendTyped() {
        guard pad.isSendEnabled else { return }
        var typed = ""
        change { typed = $0.endEditing() }
        send(typed)
    }

    public func sendLongText() { send(LongText.text) }
}
