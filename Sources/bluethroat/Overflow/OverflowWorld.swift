#if canImport(Phones)
    import Foundation
    import OverflowAnalyser
    import OverflowArea
    import PhoneService
    import Phones
    import RadioMedium
    import Simulation
    import Stage
    import VirtualTime

    /// The demonstration's phones on a stage.
    final class OverflowWorld: SceneOwner {
        let scene: LiveScene
        let plan: OverflowPlan
        private(set) var players: [OverflowPlayer] = []
        private let tell: (OverflowNews) -> Void
        private var listener: OverflowListener?
        private let isJSON: Bool

        init(_ scene: LiveScene, _ plan: OverflowPlan, json: Bool, tell: @escaping (OverflowNews) -> Void) {
            self.scene = scene
            self.plan = plan
            self.tell = tell
            isJSON = json
        }

        func begin() {
            for number in 0..<plan.phoneCount { enter(number) }
            if let analysis = plan.analysis {
                let tell = tell
                let teller = OverflowFindingsTeller(OverflowAnalyser(analysis), json: isJSON) {
                    tell(.analysis($0))
                }
                let listener = OverflowListener(teller)
                self.listener = listener
                let id = scene.addDevice(named: "analyser", application: listener)
                stage.cast(id, as: .device, named: "analyser")
            }
            settle()
        }

        func end() { listener?.teller.end(at: present) }

        /// How many phones have read a payload.
        var readerCount: Int { players.count { $0.state.neighbours.contains { $0.readings > 0 } } }

        private func enter(_ number: Int) {
            let name = "phone \(number + 1)"
            let phone = scene.addPhone(named: name, at: place(number), settings: plan.settings(named: name))
            // People do not begin at the same instant; if they did, phones would talk at the same time for ever.
            world.schedule(at: present + .milliseconds(370 * Int64(number))) { [weak self] _ in
                guard let self else { return }
                let player = OverflowPlayer(phone, plan, number: number, in: world) { [weak self] event in
                    guard let self else { return }
                    tell(.happened(event, phone: name, at: present))
                }
                players.append(player)
                player.begin(plan.screen)
                if number == 0, !plan.pollution.isEmpty { player.pollute(plan.pollution) }
            }
        }

        /// On a circle around whoever attaches, near enough for an analyser.
        private func place(_ number: Int) -> Position {
            let angle = 2 * Double.pi * Double(number) / Double(plan.phoneCount)
            return .metres(x: 0.5 * cos(angle), y: 0.5 * sin(angle))
        }
    }
#endif
