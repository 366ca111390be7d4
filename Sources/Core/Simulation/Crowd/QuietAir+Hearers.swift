import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Those who listen, and what goes on the air for their sake.
extension QuietAir {
    /// A device's radio is about to listen on a channel. If it scans or initiates, what goes out there matters from now on.
    ///
    /// False if a tap has removed the device meanwhile, or has had its radio do something else.
    func listens(_ device: Device, on channel: ChannelIndex) -> Bool {
        guard channel.index >= 37, let controller = device.controller, controller.isObserving else { return true }
        let reach = controller.mayRequest ? reaches.asking : reaches.listening, order = device.state.radioOrders
        hear(device, channels: 1 << (channel.index - 37), reach, isScripted: false)
        return device.state.radioOrders == order && world.isPresent(device)
    }

    /// A device has done all that there is to do now: it may have ceased to scan.
    func settle(_ device: Device) {
        if let slot = device.state.hearer, let controller = device.controller {
            if !controller.isObserving { hearers[slot].turn(to: 0) }
            if !controller.isObservant { forgetHearer(device) }
        }
        // Who scans or initiates does not only advertise, and most are in the middle of something.
        if device.state.quietAir == nil, device.state.hearer == nil, device.controller?.waitsToAdvertise == true {
            takeOver(device)
        }
    }

    /// A radio that does what a script says has come.
    func addScripted(_ device: Device) {
        hear(device, channels: 0b111, reaches.asking.always, isScripted: true)
    }

    private func hear(_ device: Device, channels: UInt8, _ reach: HearingReach, isScripted: Bool) {
        guard let radio = device.radio else { return }
        guard let slot = device.state.hearer else {
            let position = world.state.position(of: radio)
            let hearer = Hearer(radio: radio, isScripted: isScripted, at: position, reach: reach)
            let cells = (range: grid.range(around: position, reach: reach.distance), places: [Int]())
            if !mayListen(device.id) { intruder = intruder ?? device.id }
            let slot = freeSlots.popLast() ?? hearers.count
            if slot == hearers.count {
                hearers.append(hearer)
                hearerCells.append(cells)
            } else {
                hearers[slot] = hearer
                hearerCells[slot] = cells
            }
            device.state.hearer = slot
            register(hearer: slot)
            return turn(hearer: slot, to: channels)
        }
        if hearers[slot].reach != reach {
            hearers[slot].reach = reach
            renewCells(ofHearer: slot)
        } else if hearers[slot].channels == channels {
            return
        }
        turn(hearer: slot, to: channels)
    }

    /// A hearer listens on other channels from now on.
    private func turn(hearer slot: Int, to channels: UInt8) {
        hearers[slot].turn(to: channels)
        // What has just begun near it can be caught still, and what spoils that.
        lookAround(hearer: slot)
        guard hearers[slot].isPresent, !hearers[slot].isScripted else { return }
        let channel = ChannelIndex.advertising[channels.trailingZeroBitCount]
        guard
            let end = world.state.end(
                ofFramesOn: channel,
                since: world.now - lag - Self.catching,
                within: hearers[slot].reach.heard,
                of: hearers[slot].position
            )
        else { return }
        hearers[slot].receivingUntil = end
        lookAround(hearer: slot, for: .spoilers)
    }

    /// How long after its beginning a frame can be caught, and more.
    private static let catching = TimeSpan.microseconds(40)

    func forgetHearer(_ device: Device) {
        guard let slot = device.state.hearer else { return }
        unregister(hearer: slot)
        hearers[slot] = .nobody
        freeSlots.append(slot)
        device.state.hearer = nil
    }

    func moveHearer(_ slot: Int, to position: Position) {
        hearers[slot].position = position
        renewCells(ofHearer: slot)
        lookAround(hearer: slot)
    }

    /// A frame is about to begin, from this place: those who may hear it care for what may spoil it, from what goes out
    /// already to what begins before its end.
    func begins(_ transmission: borrowing Transmission, at place: Position) {
        guard transmission.channel.index >= 37 else { return }
        hears(power: transmission.power)
        let bit: UInt8 = 1 << (transmission.channel.index - 37), radio = transmission.radio, end = transmission.end
        // Looking around may call a tap, which takes hearers out of their cells, or has the grid made anew: then those of the new
        // cell are looked at, most of whom know by then.
        var number: Int
        repeat {
            number = gridNumber
            let slots = grid[grid.cell(at: place)].hearers
            for slot in slots.lazy.map({ Int($0) }) where gridNumber == number {
                guard hearers[slot].channels & bit != 0, hearers[slot].receivingUntil < end,
                    hearers[slot].radio != radio,
                    !hearers[slot].isScripted,
                    hearers[slot].position.squaredDistance(to: place) <= hearers[slot].reach.heard
                else { continue }
                hearers[slot].receivingUntil = end
                lookAround(hearer: slot, for: .spoilers)
            }
        } while gridNumber != number
    }

    /// An advertiser that listens takes notice of requests for it alone, in a crowd: whether a stranger's frame is computed
    /// in that time depends on who else is near.
    func filter(of device: Device, on channel: ChannelIndex) -> FrameFilter? {
        guard channel.index >= 37, let address = device.controller?.requestedAddress else { return nil }
        return Self.filter(requestsFor: address)
    }

    static func filter(requestsFor address: DeviceAddress) -> FrameFilter {
        FrameFilter(types: (AirFrame.headerOffset, requests), address: (AirFrame.payloadOffset + 6, address.value))
    }

    /// SCAN_REQ and CONNECT_IND.
    private static let requests = [AdvertisingPDUType.scanReq, .connectInd].reduce(UInt16(0)) { set, type in
        set | 1 << UInt16(type.rawValue)
    }

    /// A device has heard an advertiser at this place, and is about to send it a request.
    func asks(_ device: Device, _ radio: RadioID, at place: Position) {
        guard let slot = device.state.hearer else { return }
        hearers[slot].asks(radio, at: place, until: world.now + Self.asking)
        lookAround(hearer: slot)
    }

    /// An advertiser of a cell is elsewhere. For those who are about to ask it something, what matters is near its new place.
    func moveAsked(_ radio: RadioID, of cell: Int, to place: Position) {
        let number = gridNumber, slots = grid[cell].hearers
        for slot in slots.lazy.map({ Int($0) })
        where gridNumber == number && hearers[slot].asked(since: world.now)?.radio == radio {
            hearers[slot].asks(radio, at: place, until: hearers[slot].askingUntil)
            renewCells(ofHearer: slot)
            lookAround(hearer: slot)
        }
    }

    /// The inter frame space, the longest request - CONNECT_IND has 44 bytes -, and a little more for clocks that drift.
    private static let asking = AirTime.interFrameSpace + .microseconds(360)

    /// What may matter that did not before.
    enum Search {
        case everything
        /// What can only spoil; what can be heard matters all the time.
        case spoilers
    }

    /// Something about a hearer is new: what is going out near it may matter now.
    func lookAround(hearer slot: Int, for search: Search = .everything) {
        let over = world.now - longestEvent
        let distance =
            search == .spoilers ? hearers[slot].reach.harmed : hearers[slot].distance(ofWhatBegan: over)
        // A tap may move the hearer.
        let (range, cells) = hearerCells[slot]
        guard !cells.isEmpty else { return }
        guard distance < hearers[slot].reach.distance else {
            _ = look(into: cells, cells.indices, over: over, hearer: slot, for: search)
            return
        }
        let near = range.intersection(grid.range(around: hearers[slot].position, reach: distance))
        var first = range.place(column: near.columns.lowerBound, row: near.rows.lowerBound)
        for _ in 0..<near.width {
            let column = first..<first + near.height
            guard look(into: cells, column, over: over, hearer: slot, for: search) else { return }
            first += range.height
        }
    }

    /// The same in some cells, for what was noticed since `over`. False if a tap has had the grid made anew.
    private func look(
        into cells: [Int],
        _ places: Range<Int>,
        over: Instant,
        hearer slot: Int,
        for search: Search
    ) -> Bool {
        let number = gridNumber
        for place in places {
            let cell = cells[place]
            guard grid.noticed[cell] >= over else { continue }
            let latest = grid.latest[cell]
            look(at: latest.event, in: cell, hearer: slot, for: search)
            guard gridNumber == number else { return false }
            guard latest.before >= over,
                search == .everything || !grid[cell].isWithin(hearers[slot].reach.heard, of: hearers[slot].position)
            else { continue }
            // The last one has been looked at. More may come meanwhile, and old ones go.
            var index = grid[cell].passed + grid[cell].recent.count - 2
            while let event = grid[cell].event(index, since: over) {
                look(at: event, in: cell, hearer: slot, for: search)
                guard gridNumber == number else { return false }
                index -= 1
            }
        }
        return true
    }

    /// An event that began lately goes on the air as far as it matters to a hearer, if it did not before.
    private func look(at event: CellGrid.Recent, in cell: Int, hearer slot: Int, for search: Search) {
        let now = world.now
        guard event.end + lag >= now, hearers[slot].mayCare(for: event.position),
            search == .everything
                || event.position.squaredDistance(to: hearers[slot].position) > hearers[slot].reach.heard
        else { return }
        let place = Int(event.advertiser)
        guard advertisers[place].isPresent, advertisers[place].cell == cell, advertisers[place].isOnAir(at: now, lag)
        else { return }
        // Nothing is new about other hearers: what matters to them is on the air already, or will be in time.
        let channels = hearers[slot].channels & advertisers[place].missingChannels
        putOnAir(place, hearers[slot].channels(of: channels, onWhichItCaresFor: advertisers[place]))
    }

    // MARK: Cells

    /// A hearer stands in the cells that it reaches, and in no others.
    func renewCells(ofHearer slot: Int) {
        let reach = hearers[slot].reach.distance
        var cells = grid.range(around: hearers[slot].position, reach: reach)
        // Until a request is over, what may spoil it at the advertiser matters, too, wherever both are by now.
        if let asked = hearers[slot].asked(since: world.now)?.place {
            cells = cells.union(grid.range(around: asked, reach: reach))
        }
        guard cells != hearerCells[slot].range || hearerCells[slot].places.isEmpty else { return }
        unregister(hearer: slot)
        hearerCells[slot].range = cells
        register(hearer: slot)
    }

    private func register(hearer slot: Int) {
        let isScripted = hearers[slot].isScripted
        let cells = grid.indices(of: hearerCells[slot].range)
        hearerCells[slot].places = cells
        let number = gridNumber
        for cell in cells where gridNumber == number {
            grid[cell].hearers.append(UInt32(slot))
            if isScripted { grid[cell].scripted += 1 }
            for advertiser in grid[cell].advertisers {
                guard isScripted else {
                    wakeUp(Int(advertiser))
                    continue
                }
                let state = advertisers[Int(advertiser)]
                if state.isPresent, let device = world.device(of: state.radio) { recall(device) }
            }
        }
    }

    private func unregister(hearer slot: Int) {
        let isScripted = hearers[slot].isScripted
        for cell in hearerCells[slot].places {
            grid[cell].hearers.removeAll { $0 == UInt32(slot) }
            if isScripted { grid[cell].scripted -= 1 }
        }
    }

    /// The grid is new, and reaches are others.
    func leaveGrid(hearer slot: Int) {
        hearerCells[slot].places = []
        let isAsking = world.device(of: hearers[slot].radio)?.controller?.mayRequest == true
        hearers[slot].reach =
            hearers[slot].isScripted ? reaches.asking.always : isAsking ? reaches.asking : reaches.listening
    }
}
