import BluethroatMoneyTerms
import Foundation
import FuzzInputs

@testable import BluethroatMoneyBank

/// Questions to a bank: names, who asks, and bodies. How they come over HTTP is not part of it.
enum BankFuzzTargets {
    static let all = [questions]

    /// Each question is answered with JSON or denied with a sentence, and afterwards no money has come or gone.
    static let questions = FuzzTarget(machine: "bank-questions", upTo: 1_200) { input in
        try HostileVisitors().play(&input)
    }
}
