import Testing
import Yams

@testable import BluethroatDeviceStudy

@Suite("Nesting and references in YAML")
struct YAMLTokensTests {
    private static func trouble(_ text: String, deepest: Int = 4) -> YAMLTokens.Trouble? {
        var tokens = YAMLTokens(text)
        return tokens.firstTrouble(deepest: deepest)
    }

    @Test(
        "Text is no reference and nests nothing: in quotes, over several lines, in blocks, behind a number sign",
        arguments: [
            "a: \"over\n  two [[[[[ lines with * stars and &b\"\nc: 1\n", "a: 'it''s [[[[[ *x'\nb: 1\n",
            "a: \"\\\" [[[[[ *x\"\nb: 1\n",
            "a: |\n  Beacons & co\n  [[[[[ *x\nb: 1\n",
            "a: >-\n\n  *x\n   [[[[[\n\nb: 1\n",
            "a: |2 # two\n    *x\n  [[[[[\nb: 1\n", "- - a: |\n      *x\n    b: 1\n", "# *x [[[[[\na: 1 # &b\n",
            "a: plain & simple * [[[[[\n  \"*x [[[[[\nb: 1\n", "[a b & c * d, e]\n",
            "a: b#*x\n", "a:\r\n  - b\r\n  - c\r\n",
            "a: it's\nb: don't [[[[[ \n", "---\na: 1\n...\n",
        ]
    )
    func harmless(text: String) throws {
        #expect(Self.trouble(text) == nil)
        #expect(try Yams.compose(yaml: text) != nil)
    }

    @Test(
        "References are found wherever the parser finds them",
        arguments: [
            "&a b", "a: *b", "[*b]", "{a: &b 1}", "- *b", "? *b", "a: |\n  x\n*b : c",
            "a: \"x\"\n*b : c", "'it''s': *b",
            "a: b # '\nc: *b", "#\r*b", "a: x y\n*b : c", "!tag &b c",
            "[a 'b, *c]", "a: it's\nb: *c", "\u{FEFF}*b", "a: 1\n\u{FEFF}b: *c", "--- *b",
        ]
    )
    func references(text: String) {
        #expect(Self.trouble(text) == .reference)
    }

    @Test(
        "Nesting counts however it is written, also behind what only looks like a quote or a comment",
        arguments: [
            "[[[[[", "{a: {a: {a: {a: {a: 1}}}}}", "- - - - - 1", "? ? ? ? ? 1",
            "a:\n b:\n  c:\n   d:\n    e: 1\n",
            "- - - a: [[", "[a 'b, [[[[", "a: it's\nb: [[[[", "#\r[[[[[", "#\u{2028}[[[[[", "a: |\n[[[[[",
            "a: \"]]]]\"\nb: [[[[",
            "a#b: [[[[", "- a: |\n   x\n  [[[[[", "%YAML 1.1\n--- [[[[[",
        ]
    )
    func nesting(text: String) {
        #expect(Self.trouble(text) == .nesting)
    }

    @Test("Anchors, types and depth are those that the parser finds, whatever the text", arguments: 1...40)
    func sameAsParser(seed: UInt64) {
        var random = SplitMix(state: seed)
        let parts = [
            "[", "]", "{", "}", ", ", ": ", ":", "- ", "? ", "\"", "'", "\\", "&a ", "*a ", "# ", "|\n", ">-\n", "|2\n",
            "\n", "\r\n", "\n  ", "\n    ", "\r", " ", "  ", "x", "y z", "a: ", "b: ", "!t ", "!!bool ", "\u{2028}",
            "---\n", "\t",
            "\u{FEFF}",
        ]
        for _ in 0..<400 {
            let text = (0...random.next() % 24).map { _ in parts[Int(random.next() % UInt64(parts.count))] }.joined()
            // The parser keeps the anchors, nodes do not.
            guard let parser = try? Parser(yaml: text), let node = try? parser.singleRoot() else { continue }
            withExtendedLifetime(parser) {
                guard !Self.hasAnchor(node) else {
                    return #expect(Self.trouble(text, deepest: 100) == .reference, "\(text.debugDescription)")
                }
                let depth = Self.depth(node)
                var tokens = YAMLTokens(text)
                #expect(tokens.firstTrouble(deepest: depth) == nil, "\(text.debugDescription)")
                #expect((tokens.firstType != nil) == Self.hasType(node), "\(text.debugDescription)")
                // One bracket or column may stand for a list and for the name and value in it; a name may be a list.
                if depth > 0 {
                    let least = max(0, depth - 2) / 2
                    #expect(Self.trouble(text, deepest: least) == .nesting, "\(text.debugDescription)")
                }
            }
        }
    }

    private static func hasType(_ node: Node) -> Bool {
        // None of the words here is a Boolean by itself.
        func isNamed(_ tag: Yams.Tag) -> Bool { tag.rawValue.hasPrefix("!") || tag == Yams.Tag(.bool) }
        return switch node {
        case .sequence(let list): isNamed(list.tag) || list.contains(where: hasType)
        case .mapping(let pairs): isNamed(pairs.tag) || pairs.contains { hasType($0.key) || hasType($0.value) }
        case .scalar(let scalar): isNamed(scalar.tag)
        case .alias: false
        }
    }

    private static func depth(_ node: Node) -> Int {
        switch node {
        case .sequence(let list): 1 + (list.map(depth).max() ?? 0)
        case .mapping(let pairs): 1 + (pairs.map { max(depth($0.key), depth($0.value)) }.max() ?? 0)
        default: 0
        }
    }

    private static func hasAnchor(_ node: Node) -> Bool {
        switch node {
        case .sequence(let list): node.anchor != nil || list.contains(where: hasAnchor)
        case .mapping(let pairs): node.anchor != nil || pairs.contains { hasAnchor($0.key) || hasAnchor($0.value) }
        default: node.anchor != nil
        }
    }
}
