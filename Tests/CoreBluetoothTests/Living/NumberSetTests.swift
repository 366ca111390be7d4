import BluethroatVirtualTime
import Testing

@testable import BluethroatPhones

@Suite("Numbers of phones that have commands waiting")
struct NumberSetTests {
    @Test("Any order of insertions and removals leaves the same numbers as a sorted list", arguments: 0..<UInt64(40))
    func likeAList(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "numbers")
        var numbers = NumberSet(), list: Set<Int> = []
        let bound: UInt64 = [10, 64, 65, 4_096, 4_097, 300_000][Int(seed % 6)]
        for _ in 0..<2_000 {
            if random.next(below: 2) == 0 {
                let number = Int(random.next(below: bound))
                numbers.insert(number)
                list.insert(number)
            } else {
                let start = Int(random.next(below: bound + 10))
                let expected = list.filter { $0 >= start }.min()
                #expect(numbers.removeFirst(from: start) == expected, "seed \(seed)")
                if let expected { list.remove(expected) }
            }
        }
        var rest: [Int] = []
        while let number = numbers.removeFirst(from: 0) { rest.append(number) }
        #expect(rest == list.sorted(), "seed \(seed)")
    }
}
