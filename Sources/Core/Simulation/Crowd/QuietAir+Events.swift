import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Events of advertisers, and the frames in them that go on the air.
extension QuietAir {
    /// The time of an event, or of a frame in one, has come.
    func handleWakeUp(_ place: Int, generation: UInt32) {
        guard place < advertisers.count, advertisers[place].generation == generation else { return }
        guard advertisers[place].request == nil else { return sendResponse(place) }
        let now = world.now
        if advertisers[place].nextStart <= now {
            advertisers[place].beginEvent()
            world.state.transmissionCount += advertisers[place].frameCount
            let cell = advertisers[place].cell
            guard !grid[cell].hearers.isEmpty else {
                advertisers[place].isAwake = false
                return
            }
            scheduleWakeUp(place, at: advertisers[place].nextStart)
            note(place, in: cell)
        }
        putOnAirWhatBegins(place)
    }

    /// Counts what is not counted yet of those that are asleep. How many frames were counted that are still to come.
    func catchUpAll() -> Int {
        var early = 0
        for place in advertisers.indices where advertisers[place].isPresent {
            catchUp(place)
            early += advertisers[place].framesToCome(after: world.now)
        }
        return early
    }

    func catchUp(_ place: Int) {
        guard isTaken(place), !advertisers[place].isAwake else { return }
        let frames = advertisers[place].frameCount
        world.state.transmissionCount += advertisers[place].catchUp(to: world.now) * frames
    }

    func wakeUp(_ place: Int) {
        guard advertisers[place].isPresent, !advertisers[place].isAwake else { return }
        catchUp(place)
        advertisers[place].isAwake = true
        scheduleWakeUp(place, at: advertisers[place].nextStart)
        if advertisers[place].isOnAir(at: world.now, lag) { note(place, in: advertisers[place].cell) }
    }

    func scheduleWakeUp(_ place: Int, at instant: Instant) {
        world.state.queue.schedule(
            .advertisement(place: UInt32(place), generation: advertisers[place].generation),
            at: max(instant, world.now)
        )
    }

    /// An event has begun: who begins to listen meanwhile finds it.
    func note(_ place: Int, in cell: Int) {
        let now = world.now
        let event = CellGrid.Recent(
            advertiser: UInt32(place),
            position: advertisers[place].position,
            noticed: now,
            end: advertisers[place].presentEnd
        )
        grid.note(event, in: cell, over: now - longestEvent)
    }

    /// The same as a frame of the event begins. It has begun from then on: a receiver that comes near later in this instant has
    /// missed its beginning.
    func putOnAirWhatBegins(_ place: Int) {
        let generation = advertisers[place].generation
        putOnAirWhatMatters(place)
        guard place < advertisers.count, advertisers[place].generation == generation else { return }
        advertisers[place].noteBegun(at: world.now)
    }

    /// Puts on the air, at once or at their start, the frames of the present event that may matter to a receiver.
    func putOnAirWhatMatters(_ place: Int) {
        guard advertisers[place].isOnAir(at: world.now, lag) else { return }
        putOnAir(place, channelsThatMatter(place))
    }

    /// The same for those of its channels that are known to matter.
    func putOnAir(_ place: Int, _ channels: UInt8) {
        let now = world.now
        var channels = channels
        while channels != 0 {
            let channel = channels.trailingZeroBitCount
            channels &= channels &- 1
            let bit: UInt8 = 1 << UInt8(channel)
            let number = advertisers[place].number(ofFrameOn: bit)
            let start = advertisers[place].start(ofFrame: number)
            if start > now {
                guard advertisers[place].plannedChannels & bit == 0 else { continue }
                advertisers[place].plannedChannels |= bit
                scheduleWakeUp(place, at: start)
            } else if advertisers[place].end(ofFrame: number) + lag > now {
                guard putOnAir(place, frame: number, on: channel) else { return }
            }
        }
    }

    /// The channels on which a frame of the present event may matter to a receiver and is not on the air; bit n is channel
    /// 37 + n.
    private func channelsThatMatter(_ place: Int) -> UInt8 {
        let missing = advertisers[place].missingChannels
        guard missing != 0 else { return 0 }
        let advertiser = advertisers[place]
        var matter: UInt8 = 0
        for index in grid[advertiser.cell].hearers.indices {
            let slot = Int(grid[advertiser.cell].hearers[index]), asked = hearers[slot].channels & missing & ~matter
            if asked != 0 { matter |= hearers[slot].channels(of: asked, onWhichItCaresFor: advertiser) }
        }
        return matter
    }

    // MARK: Frames

    /// Frames that have begun, and to whose end the medium has not come, go on the air from where they began.
    func putOnAirWhatHasBegun(_ place: Int) {
        let now = world.now
        guard advertisers[place].isOnAir(at: now, lag) else { return }
        for channel in 0..<3 where advertisers[place].missingChannels & 1 << UInt8(channel) != 0 {
            let number = advertisers[place].number(ofFrameOn: 1 << UInt8(channel))
            guard advertisers[place].start(ofFrame: number) <= now, advertisers[place].end(ofFrame: number) + lag > now
            else { continue }
            guard putOnAir(place, frame: number, on: channel) else { return }
        }
    }

    /// A frame that has begun goes on the air. False if a tap has changed it.
    private func putOnAir(_ place: Int, frame number: Int, on channel: Int) -> Bool {
        let bit: UInt8 = 1 << UInt8(channel)
        advertisers[place].onAirChannels |= bit
        return begin(
            advertisers[place].transmission(of: frames[place], number: number, on: channel),
            of: place,
            hasBegun: advertisers[place].begunChannels & bit != 0
        )
    }

    /// Puts a frame of an advertiser on the air. False if a tap has changed the advertiser.
    ///
    /// - Parameter hasBegun: whether it began before this moment, though it may be in this instant.
    func begin(_ transmission: consuming Transmission, of place: Int, hasBegun: Bool = false) -> Bool {
        let generation = advertisers[place].generation, device = advertisers[place].device
        let goesOn = transmission.end > world.now
        advertisers[place].isBeginning = goesOn
        let id = world.putOnAir(
            consume transmission,
            from: (device, advertisers[place].position),
            hasBegun: hasBegun
        )
        if place < advertisers.count, advertisers[place].generation == generation {
            advertisers[place].isBeginning = false
            if goesOn { advertisers[place].transmission = id }
            return true
        }
        // Its controller has its advertising back, and waits for the frame's end. In a divided world it knows which that is.
        if goesOn, world.state.sharedAir == nil, let device = world.device(device), device.state.quietAir == nil {
            device.state.transmission = id
        }
        return false
    }

    /// The frame that an advertiser has begun has a number before a tap learns of it, as it is in a divided world: a device that
    /// turns to something else then breaks it off.
    func sends(_ id: TransmissionID, by radio: RadioID) {
        let place = Int(radio.arrival.place)
        advertisers[place].isBeginning = false
        advertisers[place].transmission = id
    }

    /// A frame is over. Whether it was one that an advertiser put on the air from here.
    func ended(_ id: TransmissionID, of radio: RadioID) -> Bool {
        let place = Int(radio.arrival.place)
        guard isTaken(place), advertisers[place].radio == radio, advertisers[place].transmission == id else {
            return false
        }
        advertisers[place].transmission = nil
        if advertisers[place].isAnswering {
            goOn(place, after: world.now)
        } else if advertisers[place].isBeacon {
            // Its next frame begins before anybody hears the one that has ended.
            putOnAirWhatBegins(place)
        }
        return true
    }
}
