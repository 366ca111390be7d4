import Foundation
import FuzzInputs

@testable import BluethroatWorkstationLogin

/// The machines of a phone and of a desk, each in front of a device that knows the protocol, says what it likes in any order,
/// and whose messages may come damaged.
enum FuzzedConversations {
    /// A phone that knows no desk, this one, or another one with the same digits: what `RogueDeskModel` watches over holds.
    static func phone(_ input: inout FuzzInput) {
        let keys = [nil, RogueDeskModel.rogueKey.publicKey, DeskKey(random: .seeded(7)).publicKey]
        var model = RogueDeskModel(knownKey: input.pick(keys), isItsMonitorSeen: input.index(2) == 0)
        while !input.isEmpty {
            let symbol = input.pick(Array(RogueDeskModel.Symbol.allCases))
            model.change = change(&input)
            _ = model.play(symbol)
            hold(model.faults.isEmpty, "\(symbol): \(model.faults)")
        }
    }

    /// A desk that draws digits or not: what `RoguePhoneModel` watches over holds.
    static func desk(_ input: inout FuzzInput) {
        var model = RoguePhoneModel(demandsCode: input.index(2) == 0, isMonitorSeen: input.index(2) == 0)
        while !input.isEmpty {
            let symbol = input.pick(Array(RoguePhoneModel.Symbol.allCases))
            model.change = change(&input)
            _ = model.play(symbol)
            hold(model.faults.isEmpty, "\(symbol): \(model.faults)")
        }
    }

    /// What becomes of the message: the same for the same bytes.
    private static func change(_ input: inout FuzzInput) -> (Data) -> Data {
        guard input.index(6) == 0 else { return { $0 } }
        let choices = input.bytes(6)
        return { bytes in
            var choices = FuzzInput(choices)
            return Data(choices.mutate([UInt8](bytes)))
        }
    }
}
