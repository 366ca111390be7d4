import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime

/// Where advertisers are, and how far what they send matters.
extension QuietAir {
    /// A radio moved.
    func moved(_ device: Device, to position: Position) {
        guard let radio = device.radio else { return }
        let place = Int(radio.arrival.place)
        if place < advertisers.count, advertisers[place].radio == radio {
            if advertisers[place].isPresent {
                moveAdvertiser(place, to: position)
            } else if grid.cell(at: position) != advertisers[place].cell {
                leaveCell(place)
            }
        }
        if let slot = device.state.hearer { moveHearer(slot, to: position) }
    }

    private func moveAdvertiser(_ place: Int, to position: Position) {
        let generation = advertisers[place].generation, old = advertisers[place].cell
        if lag > .zero { putOnAirWhatHasBegun(place) }
        guard isTaken(place), advertisers[place].generation == generation else { return }
        let cell = grid.cell(at: position)
        advertisers[place].position = position
        moveAsked(advertisers[place].radio, of: old, to: position)
        guard isTaken(place), advertisers[place].generation == generation else { return }
        if isOfInterest(position), let device = world.device(of: advertisers[place].radio) { return recall(device) }
        if cell != advertisers[place].cell {
            if grid[cell].scripted > 0, let device = world.device(of: advertisers[place].radio) {
                return recall(device)
            }
            leaveCell(place)
            enter(cell, &advertisers[place])
        } else {
            grid[cell].enclose(position)
        }
        if advertisers[place].isAwake, advertisers[place].isOnAir(at: world.now, lag) { note(place, in: cell) }
        guard !grid[cell].hearers.isEmpty else { return }
        wakeUp(place)
        putOnAirWhatMatters(place)
    }

    func enter(_ cell: Int, _ advertiser: inout QuietAdvertiser) {
        advertiser.cell = cell
        advertiser.placeInCell = grid[cell].advertisers.count
        grid[cell].advertisers.append(advertiser.radio.arrival.place)
        grid[cell].enclose(advertiser.position)
    }

    func leaveCell(_ place: Int) {
        let cell = advertisers[place].cell, freed = advertisers[place].placeInCell
        guard freed >= 0 else { return }
        advertisers[place].placeInCell = -1
        guard let last = grid[cell].advertisers.popLast(), Int(last) != place else { return }
        grid[cell].advertisers[freed] = last
        advertisers[Int(last)].placeInCell = freed
    }

    // MARK: Reach

    /// Somebody sends as loudly as this.
    func hears(power: SignalStrength) {
        guard power.dBm > loudest.dBm else { return }
        loudest = power
        widen()
    }

    /// A device sends as loudly as this.
    func hears(power: SignalStrength, of device: Device) {
        if let loudestSaid, power > loudestSaid { overloud = overloud ?? (device.id, power) }
        hears(power: power)
    }

    /// A radio hears signals as weak as this from now on.
    func hearsDown(to sensitivity: SignalStrength) {
        guard sensitivity.dBm < keenest.dBm else { return }
        keenest = sensitivity
        widen()
    }

    /// A louder sender has come, or a keener radio: everything reaches farther.
    private func widen() {
        reaches = Self.reaches(propagation, loudest, keenest)
        grid = CellGrid(reach: reaches.asking.distance)
        gridNumber += 1
        for place in advertisers.indices {
            advertisers[place].placeInCell = -1
            guard advertisers[place].isPresent else { continue }
            let cell = grid.cell(at: advertisers[place].position)
            enter(cell, &advertisers[place])
            if advertisers[place].isOnAir(at: world.now, lag) { note(place, in: cell) }
        }
        // All of them leave the old grid before one looks around: a tap may move any of them, or have the grid made anew once
        // more.
        let number = gridNumber
        for slot in hearers.indices where hearers[slot].isPresent { leaveGrid(hearer: slot) }
        for slot in hearers.indices where gridNumber == number && hearers[slot].isPresent { renewCells(ofHearer: slot) }
        for slot in hearers.indices where gridNumber == number && hearers[slot].isPresent { lookAround(hearer: slot) }
    }
}
