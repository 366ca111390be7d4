import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// The part of a crowd's air that nobody hears: advertisers whose controllers have lent out their advertising, and the
/// radios for whose sake some of it is computed all the same.
final class QuietAir {
    private unowned let world: World
    private let propagation: Propagation
    /// By the places of their radios.
    private var advertisers: [QuietAdvertiser?] = []
    private var hearers: [Hearer?] = []
    private var grid: CellGrid
    /// The power of no advertiser here is greater.
    private var loudest = SignalStrength(dBm: 0)
    /// No radio here hears a weaker signal.
    private var keenest: SignalStrength
    private var generation: UInt32 = 0
    /// Reaches of those who may send requests to advertisers, and of those who only listen.
    private var reaches: (asking: HearingReach, listening: HearingReach)

    init(_ world: World, propagation: Propagation) {
        self.world = world
        self.propagation = propagation
        keenest = propagation.sensitivity
        reaches = Self.reaches(propagation, loudest, keenest)
        grid = CellGrid(reach: reaches.asking.distance)
    }

    private static func reaches(
        _ propagation: Propagation,
        _ loudest: SignalStrength,
        _ keenest: SignalStrength
    ) -> (asking: HearingReach, listening: HearingReach) {
        (
            HearingReach(propagation, loudest: loudest, sensitivity: keenest, answers: true),
            HearingReach(propagation, loudest: loudest, sensitivity: keenest, answers: false)
        )
    }

    // MARK: Advertisers

    /// A device has done all that there is to do now. If it only advertises from here on, it does so here.
    func takeOver(_ device: Device) {
        guard let controller = device.controller, let radio = device.radio, device.transmitPower == nil,
            device.state.transmission == nil, !device.state.hasLostHost,
            let course = controller.lendAdvertising(at: device.state.drift.local(from: world.now))
        else { return }
        device.state.quietAir = self
        device.state.controllerDeadline = nil
        if course.power.dBm > loudest.dBm {
            loudest = course.power
            widen()
        }
        generation &+= 1
        let position = world.state.medium.position(of: radio)
        var advertiser = QuietAdvertiser(
            course,
            radio: radio,
            generation: generation,
            drift: device.state.drift,
            at: position
        )
        let cell = grid.cell(at: position)
        guard grid[cell].scripted == 0 else {
            // Whoever writes a script finds everything as it is.
            device.state.quietAir = nil
            return controller.takeBackAdvertising(course.mark)
        }
        let place = Int(radio.arrival.place)
        while advertisers.count <= place { advertisers.append(nil) }
        enter(cell, &advertiser)
        advertisers[place] = advertiser
        // It may be left alone for long: what it would fill again is given back.
        device.giveBackStorage()
        if !grid[cell].hearers.isEmpty { wakeUp(place) }
    }

    /// A device's advertising is its own again: it is called, or leaves.
    func giveBack(_ device: Device) {
        guard let place = device.radio.map({ Int($0.arrival.place) }), device.state.quietAir != nil else { return }
        catchUp(place)
        guard let controller = device.controller, let advertiser = advertisers[place] else { return }
        let now = world.now
        leave(advertiser)
        advertisers[place] = nil
        device.state.quietAir = nil
        device.state.controllerDeadline = nil
        guard advertiser.isInEvent(at: now) else { return controller.takeBackAdvertising(advertiser.course.mark) }
        // In the middle of an event: of the frame that began last, or of what follows on it.
        let count = advertiser.course.channels.nonzeroBitCount
        let number = (0..<count).last { advertiser.start(ofFrame: $0) <= now } ?? 0
        let left = advertiser.channelsLeft(fromFrame: number)
        world.state.transmissionCount -= count - number - 1
        controller.takeBackAdvertising(advertiser.present, transmittingOn: left)
        let end = advertiser.end(ofFrame: number)
        if let transmission = advertiser.transmission {
            device.state.transmission = transmission
        } else if now < end {
            device.state.transmission = world.putOnAir(
                advertiser.transmission(ofFrame: number, on: left.trailingZeroBitCount)
            )
        } else {
            controller.transmitted(at: advertiser.drift.local(from: end), into: &device.state.controllerActions)
        }
    }

    /// A frame is over. Whether it was one that an advertiser put on the air from here.
    func ended(_ id: TransmissionID, of radio: RadioID) -> Bool {
        let place = Int(radio.arrival.place)
        guard place < advertisers.count, advertisers[place]?.radio == radio, advertisers[place]?.transmission == id
        else { return false }
        advertisers[place]!.transmission = nil
        return true
    }

    /// Somebody is about to answer the frame of an advertiser that has just ended.
    func awaitsAnswer(_ radio: RadioID) {
        if let device = world.device(of: radio), device.state.quietAir != nil { recall(device) }
    }

    /// The time of an event, or of a frame in one, has come.
    func handleWakeUp(_ place: Int, generation: UInt32) {
        guard place < advertisers.count, advertisers[place]?.generation == generation else { return }
        let now = world.now
        if advertisers[place]!.nextStart <= now {
            advertisers[place]!.beginEvent()
            world.state.transmissionCount += advertisers[place]!.course.channels.nonzeroBitCount
            let cell = advertisers[place]!.cell
            guard !grid[cell].hearers.isEmpty else {
                advertisers[place]!.isAwake = false
                return
            }
            scheduleWakeUp(place, at: advertisers[place]!.nextStart)
            note(place, in: cell)
        }
        putOnAirWhatMatters(place)
    }

    /// A radio moved.
    func moved(_ radio: RadioID, to position: Position) {
        let place = Int(radio.arrival.place)
        if place < advertisers.count, advertisers[place]?.radio == radio { moveAdvertiser(place, to: position) }
        if place < hearers.count, hearers[place]?.radio == radio {
            hearers[place]!.position = position
            renewCells(ofHearer: place)
            lookAround(hearer: place)
        }
    }

    /// Counts what is not counted yet of those that are asleep. How many frames were counted that are still to come.
    func catchUpAll() -> Int {
        var early = 0
        for place in advertisers.indices {
            catchUp(place)
            if let advertiser = advertisers[place] { early += advertiser.framesToCome(after: world.now) }
        }
        return early
    }

    private func catchUp(_ place: Int) {
        guard let isAwake = advertisers[place]?.isAwake, !isAwake else { return }
        let frames = advertisers[place]!.course.channels.nonzeroBitCount
        world.state.transmissionCount += advertisers[place]!.catchUp(to: world.now) * frames
    }

    private func moveAdvertiser(_ place: Int, to position: Position) {
        let cell = grid.cell(at: position)
        advertisers[place]!.position = position
        if cell != advertisers[place]!.cell {
            if grid[cell].scripted > 0, let device = world.device(of: advertisers[place]!.radio) {
                return recall(device)
            }
            leave(advertisers[place]!)
            enter(cell, &advertisers[place]!)
        }
        guard !grid[cell].hearers.isEmpty else { return }
        if advertisers[place]!.isAwake { note(place, in: cell) } else { wakeUp(place) }
        putOnAirWhatMatters(place)
    }

    /// Gives a device its advertising back for good.
    private func recall(_ device: Device) {
        giveBack(device)
        world.exchangePackets(of: device)
    }

    private func enter(_ cell: Int, _ advertiser: inout QuietAdvertiser) {
        advertiser.cell = cell
        advertiser.placeInCell = grid[cell].advertisers.count
        grid[cell].advertisers.append(advertiser.radio.arrival.place)
    }

    private func leave(_ advertiser: QuietAdvertiser) {
        guard let last = grid[advertiser.cell].advertisers.popLast(), last != advertiser.radio.arrival.place else {
            return
        }
        grid[advertiser.cell].advertisers[advertiser.placeInCell] = last
        advertisers[Int(last)]!.placeInCell = advertiser.placeInCell
    }

    private func wakeUp(_ place: Int) {
        catchUp(place)
        advertisers[place]!.isAwake = true
        scheduleWakeUp(place, at: advertisers[place]!.nextStart)
        if advertisers[place]!.isInEvent(at: world.now) { note(place, in: advertisers[place]!.cell) }
    }

    private func scheduleWakeUp(_ place: Int, at instant: Instant) {
        let generation = advertisers[place]!.generation
        world.state.queue.schedule(
            .advertisement(place: UInt32(place), generation: generation),
            at: max(instant, world.now)
        )
    }

    /// An event has begun: who begins to listen meanwhile finds it.
    private func note(_ place: Int, in cell: Int) {
        if grid[cell].recent.count >= grid[cell].mostRecent {
            let now = world.now
            grid[cell].recent.removeAll { [advertisers] place in
                guard let advertiser = advertisers[Int(place)] else { return true }
                return !advertiser.isInEvent(at: now) || advertiser.cell != cell
            }
            grid[cell].mostRecent = max(32, 2 * grid[cell].recent.count)
        }
        grid[cell].recent.append(UInt32(place))
    }

    /// Frames of the present event that somebody cares for go on the air, at once or when their time comes.
    private func putOnAirWhatMatters(_ place: Int) {
        let now = world.now
        guard let end = advertisers[place]?.presentEnd, end >= now else { return }
        let cell = advertisers[place]!.cell, position = advertisers[place]!.position
        for channel in 0..<3 {
            guard let number = advertisers[place]!.number(ofFrameOn: channel),
                advertisers[place]!.onAirChannels & (1 << UInt8(channel)) == 0,
                matters(onChannel: channel, at: position, in: cell)
            else { continue }
            let start = advertisers[place]!.start(ofFrame: number)
            if start > now {
                scheduleWakeUp(place, at: start)
            } else if advertisers[place]!.end(ofFrame: number) > now {
                let generation = advertisers[place]!.generation
                advertisers[place]!.onAirChannels |= 1 << UInt8(channel)
                let id = world.putOnAir(advertisers[place]!.transmission(ofFrame: number, on: channel))
                // Whoever taps the world may have changed it.
                guard place < advertisers.count, advertisers[place]?.generation == generation else { return }
                advertisers[place]!.transmission = id
            }
        }
    }

    private func matters(onChannel channel: Int, at position: Position, in cell: Int) -> Bool {
        for place in grid[cell].hearers where hearers[Int(place)]!.cares(forChannel: channel, at: position) {
            return true
        }
        return false
    }

    // MARK: Hearers

    /// A device's radio is about to listen on a channel. If it scans or initiates, what goes out there matters from now on.
    func listens(_ device: Device, on channel: ChannelIndex) {
        guard channel.index >= 37, let radio = device.radio else { return }
        if let controller = device.controller {
            guard controller.isObserving else { return }
            let reach = controller.mayRequest ? reaches.asking : reaches.listening
            hear(radio, channels: 1 << (channel.index - 37), reach, isScripted: false)
        }
    }

    /// A device has done all that there is to do now: it may have ceased to scan.
    func settle(_ device: Device) {
        guard let radio = device.radio, let controller = device.controller else { return }
        let place = Int(radio.arrival.place)
        if place < hearers.count, hearers[place]?.radio == radio {
            if !controller.isObserving { hearers[place]!.channels = 0 }
            if !controller.isObservant { forgetHearer(radio) }
        }
        if device.state.quietAir == nil { takeOver(device) }
    }

    /// A radio that does what a script says has come.
    func addScripted(_ radio: RadioID) { hear(radio, channels: 0b111, reaches.asking, isScripted: true) }

    /// A device leaves.
    func remove(_ device: Device) {
        if device.state.quietAir != nil { giveBack(device) }
        if let radio = device.radio { forgetHearer(radio) }
    }

    private func hear(_ radio: RadioID, channels: UInt8, _ reach: HearingReach, isScripted: Bool) {
        let place = Int(radio.arrival.place)
        while hearers.count <= place { hearers.append(nil) }
        if hearers[place]?.radio != radio {
            let position = world.state.medium.position(of: radio)
            hearers[place] = Hearer(
                radio: radio,
                isScripted: isScripted,
                position: position,
                reach: reach,
                cells: grid.range(around: position, reach: reach.distance)
            )
            register(hearer: place)
        } else if hearers[place]!.reach != reach {
            hearers[place]!.reach = reach
            renewCells(ofHearer: place)
        } else if hearers[place]!.channels == channels {
            return
        }
        hearers[place]!.channels = channels
        lookAround(hearer: place)
    }

    private func forgetHearer(_ radio: RadioID) {
        let place = Int(radio.arrival.place)
        guard place < hearers.count, hearers[place]?.radio == radio else { return }
        unregister(hearer: place)
        hearers[place] = nil
    }

    /// It has begun to listen, or is at another place: what is going out near it may matter now.
    private func lookAround(hearer place: Int) {
        let now = world.now
        for cell in grid.indices(of: hearers[place]!.cells) {
            for index in grid[cell].recent.indices.reversed() {
                guard index < grid[cell].recent.count else { continue }
                let advertiser = Int(grid[cell].recent[index])
                guard let state = advertisers[advertiser], state.cell == cell else { continue }
                if state.isInEvent(at: now) { putOnAirWhatMatters(advertiser) }
            }
        }
    }

    private func renewCells(ofHearer place: Int) {
        let cells = grid.range(around: hearers[place]!.position, reach: hearers[place]!.reach.distance)
        guard cells != hearers[place]!.cells else { return }
        unregister(hearer: place)
        hearers[place]!.cells = cells
        register(hearer: place)
    }

    private func register(hearer place: Int) {
        let isScripted = hearers[place]!.isScripted
        for cell in grid.indices(of: hearers[place]!.cells) {
            grid[cell].hearers.append(UInt32(place))
            if isScripted { grid[cell].scripted += 1 }
            for advertiser in grid[cell].advertisers {
                guard let state = advertisers[Int(advertiser)] else { continue }
                if isScripted {
                    if let device = world.device(of: state.radio) { recall(device) }
                } else if !state.isAwake {
                    wakeUp(Int(advertiser))
                }
            }
        }
    }

    private func unregister(hearer place: Int) {
        let isScripted = hearers[place]!.isScripted
        for cell in grid.indices(of: hearers[place]!.cells) {
            grid[cell].hearers.removeAll { $0 == UInt32(place) }
            if isScripted { grid[cell].scripted -= 1 }
        }
    }

    // MARK: Reach

    /// A radio hears signals as weak as this from now on.
    func hearsDown(to sensitivity: SignalStrength) {
        guard sensitivity.dBm < keenest.dBm else { return }
        keenest = sensitivity
        widen()
    }

    /// A louder advertiser has come, or a keener radio: everything reaches farther.
    private func widen() {
        reaches = Self.reaches(propagation, loudest, keenest)
        grid = CellGrid(reach: reaches.asking.distance)
        for place in advertisers.indices where advertisers[place] != nil {
            let cell = grid.cell(at: advertisers[place]!.position)
            enter(cell, &advertisers[place]!)
            if advertisers[place]!.isInEvent(at: world.now) { note(place, in: cell) }
        }
        for place in hearers.indices where hearers[place] != nil {
            let controller = world.device(of: hearers[place]!.radio)?.controller
            let isAsking = hearers[place]!.isScripted || controller?.mayRequest == true
            let reach = isAsking ? reaches.asking : reaches.listening
            hearers[place]!.reach = reach
            hearers[place]!.cells = grid.range(around: hearers[place]!.position, reach: reach.distance)
            register(hearer: place)
            lookAround(hearer: place)
        }
    }
}
