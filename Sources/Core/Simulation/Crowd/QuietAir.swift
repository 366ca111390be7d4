import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// The part of a crowd's air that nobody hears: advertisers whose controllers have lent out their advertising, and the
/// radios for whose sake some of it is computed all the same.
///
/// Here are the advertisers; `QuietAir+Events` has what they send, `QuietAir+Requests` what they are asked, `QuietAir+Places` where
/// they are, and `QuietAir+Hearers` those who listen.
final class QuietAir {
    /// It owns this, and lives longer.
    unowned(unsafe) let world: World
    let propagation: Propagation
    // Each access to what follows is checked in debug builds only.
    /// By the places of their radios.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var advertisers: [QuietAdvertiser] = []
    /// What they send, by the same places.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var frames: [[UInt8]] = []
    /// By their slots; each device knows its own.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var hearers: [Hearer] = []
    /// By their slots, the cells that they reach, and the places of these in the grid.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var hearerCells: [(range: CellRange, places: [Int])] = []
    /// Slots of those who have ceased to listen.
    var freeSlots: [Int] = []
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var grid: CellGrid
    /// Another one for each grid: a tap may have it made anew.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var gridNumber = 0
    /// The power of nobody here is greater.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var loudest = SignalStrength(dBm: 0)
    /// No radio here hears a weaker signal.
    var keenest: SignalStrength
    /// How far the medium is behind the radios' orders: what ended no longer ago is on the air still.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var lag = TimeSpan.zero
    private var generation: UInt32 = 0
    /// No advertiser's event lasts longer.
    private(set) var longestEvent = TimeSpan.zero
    /// What a device gave back that was left alone: the next one that is called has it, mostly before another one is left
    /// alone, so that hardly any storage is made anew.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private(set) var spareStorage = ActionStorage()
    /// Reaches of those who may send requests to advertisers, and of those who only listen.
    var reaches: (asking: HearingReach, listening: HearingReach)

    /// Whether what goes out in a place matters to another part of the world: it is computed there as in an exact air.
    var isOfInterest: (Position) -> Bool = { _ in false }
    /// Which devices may listen in a world that is divided, and one that did so all the same.
    var mayListen: (DeviceID) -> Bool = { _ in true }
    var intruder: DeviceID?
    /// The greatest power that was said of a divided world, and one that advertises with more.
    var loudestSaid: SignalStrength?
    var overloud: (device: DeviceID, power: SignalStrength)?

    init(_ world: World, propagation: Propagation) {
        self.world = world
        self.propagation = propagation
        keenest = propagation.sensitivity
        reaches = Self.reaches(propagation, loudest, keenest)
        grid = CellGrid(reach: reaches.asking.distance)
    }

    static func reaches(
        _ propagation: Propagation,
        _ loudest: SignalStrength,
        _ keenest: SignalStrength
    ) -> (asking: HearingReach, listening: HearingReach) {
        (
            HearingReach(propagation, loudest: loudest, sensitivity: keenest, answers: true),
            HearingReach(propagation, loudest: loudest, sensitivity: keenest, answers: false)
        )
    }

    /// Whether somebody advertises from here with the radio in this place.
    func isTaken(_ place: Int) -> Bool { place < advertisers.count && advertisers[place].isPresent }

    /// The place of a device whose advertising is here; nil if it is its controller's.
    func place(of device: Device) -> Int? {
        guard let radio = device.radio, isTaken(Int(radio.arrival.place)) else { return nil }
        return Int(radio.arrival.place)
    }

    // MARK: Lending

    /// A device has done all that there is to do now. If it only advertises from here on, it does so here.
    func takeOver(_ device: Device) {
        guard let controller = device.controller, let radio = device.radio else { return }
        // Before anything is lent: a tap may touch the device.
        hears(power: controller.configuration.transmitPower, of: device)
        guard device.transmitPower == nil, device.state.transmission == nil, !device.state.hasLostHost,
            device.state.quietAir == nil,
            device.state.hearer == nil, world.isPresent(device),
            let (course, frame) = controller.lendAdvertising(at: device.state.drift.local(from: world.now))
        else { return }
        device.state.quietAir = self
        device.state.controllerDeadline = nil
        let position = world.state.position(of: radio)
        let cell = grid.cell(at: position)
        guard grid[cell].scripted == 0, !isOfInterest(position) else {
            // Whoever writes a script finds everything as it is, and so do other parts of the world.
            device.state.quietAir = nil
            return controller.takeBackAdvertising(course.mark)
        }
        generation = generation == .max ? 1 : generation + 1
        var advertiser = QuietAdvertiser(
            course,
            frame: frame,
            radio: radio,
            device: device.id,
            generation: generation,
            drift: device.state.drift,
            delay: lag,
            at: position
        )
        longestEvent = max(longestEvent, advertiser.longestEvent + lag)
        let place = Int(radio.arrival.place)
        while advertisers.count <= place {
            advertisers.append(.nobody)
            frames.append([])
        }
        if advertisers[place].isListed, advertisers[place].cell == cell {
            (advertiser.cell, advertiser.placeInCell) = (cell, advertisers[place].placeInCell)
            grid[cell].enclose(position)
        } else {
            leaveCell(place)
            enter(cell, &advertiser)
        }
        advertisers[place] = advertiser
        frames[place] = frame
        // It may be left alone for long: what it would fill again others have meanwhile.
        device.giveBackStorage(into: &spareStorage)
        if !grid[cell].hearers.isEmpty { wakeUp(place) }
    }

    /// The host of a device that was left alone is about to be called.
    func lendHostStorage(to device: Device) { device.state.takeHostStorage(from: &spareStorage) }

    /// The host of a device that was left alone has been called, and the device still is left alone.
    func takeBackHostStorage(of device: Device) { device.state.giveBackHostStorage(into: &spareStorage) }

    /// A device's advertising is its own again: it is called, or leaves.
    func giveBack(_ device: Device) {
        guard let place = device.radio.map({ Int($0.arrival.place) }), device.state.quietAir != nil else { return }
        catchUp(place)
        guard let controller = device.controller, isTaken(place) else { return }
        let now = world.now, generation = advertisers[place].generation
        putOnAirWhatHasBegun(place)
        guard isTaken(place), advertisers[place].generation == generation else { return }
        let advertiser = advertisers[place]
        advertisers[place].leave()
        frames[place] = []
        device.state.takeControllerStorage(from: &spareStorage)
        device.state.quietAir = nil
        device.state.controllerDeadline = nil
        guard advertiser.isInEvent(at: now) else { return controller.takeBackAdvertising(advertiser.course.mark) }
        // In the middle of an event: of the frame that began last, or of what follows on it.
        let number = advertiser.latestFrame(at: now)
        let left = advertiser.channelsLeft(fromFrame: number)
        world.state.transmissionCount -= advertiser.presentFrameCount - number - 1
        controller.takeBackAdvertising(advertiser.present, advertiser.request, on: left)
        if let transmission = advertiser.transmission {
            device.state.transmission = transmission
        } else if advertiser.request == nil, !advertiser.isBeginning {
            controller.transmitted(
                at: advertiser.drift.local(from: advertiser.end(ofFrame: number)),
                into: &device.state.controllerActions
            )
        }
    }

    /// A device leaves.
    func remove(_ device: Device) {
        if device.state.quietAir != nil { giveBack(device) }
        forgetHearer(device)
        guard let radio = device.radio else { return }
        let place = Int(radio.arrival.place)
        guard place < advertisers.count, advertisers[place].radio == radio else { return }
        leaveCell(place)
        advertisers[place] = .nobody
    }

    /// Gives a device its advertising back for good.
    func recall(_ device: Device) {
        giveBack(device)
        world.exchangePackets(of: device)
    }

    /// What goes out in these places matters to other parts of the world from now on.
    func tell(where isOfInterest: @escaping (Position) -> Bool, newIn areas: [(low: Position, high: Position)]) {
        self.isOfInterest = isOfInterest
        let number = gridNumber
        for area in areas {
            for cell in grid.known(from: area.low, to: area.high) {
                guard gridNumber == number else { return }
                for advertiser in grid[cell].advertisers {
                    let state = advertisers[Int(advertiser)]
                    if state.isPresent, isOfInterest(state.position), let device = world.device(of: state.radio) {
                        recall(device)
                    }
                }
            }
        }
    }
}
