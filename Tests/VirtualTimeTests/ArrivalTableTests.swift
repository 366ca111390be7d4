import Testing

@testable import BluethroatVirtualTime

@Suite("Arrival table")
struct ArrivalTableTests {
    @Test("A table that nothing has left numbers its places")
    func fresh() {
        var table = ArrivalTable<String>()
        #expect(table.next.number == 0)
        for number in 0..<5 as Range<UInt32> {
            let arrival = table.insert("value \(number)")
            #expect(arrival.number == number && arrival.place == number)
        }
        #expect(table[Arrival(number: 3)] == "value 3" && table[Arrival(number: 5)] == nil)
        #expect(table.arrivals.map(\.number) == [0, 1, 2, 3, 4])
    }

    @Test(
        "Values come and leave as in a dictionary by number, and arrivals are refused once theirs has left",
        arguments: 0..<50
    )
    func dictionary(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "arrivals")
        var table = ArrivalTable<UInt32>(), model: [UInt32: Arrival] = [:], left: [Arrival] = []
        var most = 0
        for number in 0..<600 as Range<UInt32> {
            let promised = table.next
            let arrival = table.insert(number * 7)
            #expect(arrival.number == number && arrival == promised && arrival.place == promised.place)
            model[number] = arrival
            most = max(most, model.count)
            for _ in 0..<random.next(below: 3) {
                guard let victim = model.keys.sorted().randomElement(using: &random), let arrival = model[victim]
                else { break }
                #expect(table.remove(arrival) == victim * 7 && table.remove(arrival) == nil)
                model[victim] = nil
                left.append(arrival)
            }
            #expect(table.count == model.count && table.placeCount <= most)
            #expect(table.arrivals.map(\.number) == model.keys.sorted(), "seed \(seed)")
            for (number, arrival) in model {
                #expect(table[arrival] == number * 7 && table.find(number: number)?.place == arrival.place)
            }
            for arrival in left.suffix(20) {
                #expect(table[arrival] == nil && !table.contains(arrival) && table.find(number: arrival.number) == nil)
            }
        }
    }

    @Test("A table that a crowd has left is as small as before")
    func shrinks() {
        var table = ArrivalTable<Int>()
        let resident = table.insert(-1)
        for _ in 0..<3 {
            let crowd = (0..<10_000).map { table.insert($0) }
            #expect(table.placeCount == 10_001)
            for arrival in crowd { table.remove(arrival) }
            #expect(table.placeCount == 1 && table.count == 1 && table[resident] == -1)
        }
        #expect(table.places.capacity <= 256)
    }

    @Test("A value is changed in its place")
    func change() {
        var table = ArrivalTable<[Int]>()
        let arrival = table.insert([1])
        table[present: arrival].append(2)
        #expect(table[arrival] == [1, 2] && table[present: arrival] == [1, 2])
    }

    @Test("Numbers begin anew after the last one, and leave out those that are in use")
    func wraps() {
        var table = ArrivalTable<String>(firstNumber: .max - 1)
        let late = [table.insert("late"), table.insert("last")]
        #expect(late.map(\.number) == [.max - 1, .max])
        let early = [table.insert("first"), table.insert("second")]
        #expect(early.map(\.number) == [0, 1])
        #expect(table[late[0]] == "late" && table[early[1]] == "second")

        var full = ArrivalTable<Int>(firstNumber: 0)
        _ = full.insert(0)
        let second = full.insert(1)
        full.remove(second)
        full.skip(to: .max)
        #expect(full.insert(2).number == .max)
        // 0 is still in use.
        #expect(full.insert(3).number == 1)
    }
}
