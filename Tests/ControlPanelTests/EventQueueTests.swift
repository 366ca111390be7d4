import Foundation
import Testing

@testable import BluethroatControlPanel

@Suite("Event streams of the panel")
struct EventQueueTests {
    private struct Word: Described {
        static let schemaName = "Word"

        @Property var word = ""
    }

    @Test("A listener hears what it asked for, in order, as text of an event stream")
    func order() async throws {
        let hub = EventHub()
        let queue = hub.listen(to: ["fob"])
        hub.say("fob", Word(word: "one"))
        hub.say("air", Word(word: "not wanted"))
        hub.say("fob", Word(word: "two"))
        let text = try #require(await queue.next())
        #expect(
            String(decoding: text, as: UTF8.self)
                == "event: fob\ndata: {\"word\":\"one\"}\n\nevent: fob\ndata: {\"word\":\"two\"}\n\n"
        )
    }

    @Test("A listener that does not read loses the oldest, and is told how many those were")
    func bounded() async throws {
        let hub = EventHub()
        let queue = hub.listen(to: nil)
        let long = String(repeating: "x", count: 1000)
        for _ in 0..<5000 { hub.say("fob", Word(word: long)) }
        hub.say("fob", Word(word: "last"))
        let text = String(decoding: try #require(await queue.next()), as: UTF8.self)
        #expect(text.utf8.count < EventQueue.capacity + 100)
        #expect(text.hasPrefix("event: lost\ndata: {\"count\":"))
        #expect(text.hasSuffix("{\"word\":\"last\"}\n\n"))
        let kept = text.components(separatedBy: "event: fob").count - 1
        #expect(text.contains("{\"count\":\(5001 - kept)}"))
    }

    @Test("The end of a hub is the end of its streams, and nobody is kept who listens no more")
    func end() async {
        let hub = EventHub()
        let queue = hub.listen(to: nil)
        async let rest = queue.next()
        hub.close()
        #expect(await rest == nil)
        #expect(hub.listenerCount == 0)
    }
}
