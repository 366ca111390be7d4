/// What is said of a word that is none of those there are.
package enum Spelling {
    /// The words among which it was probably meant, as the end of a sentence: the one that is spelled nearly the same, or
    /// all of them. Of words in sections, as `phone.window`, those of the section that was meant; where there is no such
    /// section, each is named once, as `phone.…`, since its name may be long and its words many.
    package static func hint(for word: String, among words: [String]) -> String {
        if let near = nearest(to: word, among: words) { return "; did you mean \(near)?" }
        var named = section(of: word).map { section in words.filter { self.section(of: $0) == section } } ?? []
        if named.isEmpty {
            for word in words.map({ section(of: $0).map { "\($0).…" } ?? $0 }) where named.last != word {
                named.append(word)
            }
        }
        return "; there are \(named.joined(separator: ", "))"
    }

    /// What stands before its first dot.
    private static func section(of word: String) -> Substring? {
        word.firstIndex(of: ".").map { word[..<$0] }
    }

    /// The word with the fewest changes of a letter, if it takes two at most and fewer than it has letters.
    static func nearest(to word: String, among words: [String]) -> String? {
        // Longer words match none; the limit bounds the work, since input may have any length.
        let typed = Array(word.prefix(40))
        let distances = words.map { (word: $0, distance: distance(Array($0), typed)) }
        return distances.filter { $0.distance <= min(2, typed.count - 1) }.min { $0.distance < $1.distance }?.word
    }

    /// The letters that have to be added, taken away, replaced or exchanged with their neighbour, one after the other.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var row = [i + 1]
            for j in right.indices {
                var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, beforeLast[j - 1] + 1)
                }
                row.append(best)
            }
            (beforeLast, last) = (last, row)
        }
        return last[right.count]
    }
}
