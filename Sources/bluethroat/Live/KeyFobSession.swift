import KeyFob
import KeyFobConsole
import LiveLoop

/// A live key fob from launch to end.
struct KeyFobSession {
    let options: SceneOptions
    let fob: FobChoice
    /// How far the fob is from everybody else on the virtual air.
    let distance: Double
    let bonds: BondOptions

    func run() async -> ExitStatus {
        let session = SceneSession<KeyFobWorld, KeyFobHappening>(options: options, hasPhones: false)
        let teller = KeyFobTeller(fob, distance: distance, isJSON: options.json)
        return await session.run(teller) { scene, voice throws(CommandFailure) in
            KeyFobWorld(scene: scene, fob: fob, distance: distance, keeping: try keeping(voice.warn)) { happening in
                switch happening {
                case .failed(let message, let now): voice.fail(message, at: now)
                case .askedToEnd: voice.end()
                default: voice.tell(happening)
                }
            }
        } whenLive: { live, _ in
            StandardInput.read(KeyFobInput(teller.takesKeys ? .keys : .lines, of: fob.vocabulary)) { item in
                live.post { $0.obey(item) }
            }
        }
    }

    /// The fob goes by bonds from earlier runs, and keeps them for later ones, except that a world that is to be the same
    /// for the same seed does not.
    private func keeping(_ warn: (String) -> Void) throws(CommandFailure) -> Keeping {
        guard options.seed == nil || bonds.isExplicit else { return Keeping(secret: .fromSystem()) }
        return try bonds.keeping(named: fob.identityName, warn: warn)
    }
}
