import BluethroatHCITransports
import Foundation
import NIOCore

/// Turns what a host sends on a channel into batches of packets, and reads no more while its owner has too much in hand, or
/// while the host leaves too much unread.
///
/// The channel's `autoRead` is off; the handler asks for each read.
final class StreamReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let transport: StreamTransport
    private let callbacks: HCITransportCallbacks
    private let timing: PacketTiming
    private let held = HeldBytes(limit: HCITransportLimits.unconsumedOfHost)
    private var incoming = IncomingPackets(from: .host)
    private var arrived: [[UInt8]] = []
    private var isWaiting = false
    private var isOver = false

    init(transport: StreamTransport, callbacks: HCITransportCallbacks, timing: PacketTiming) {
        self.transport = transport
        self.callbacks = callbacks
        self.timing = timing
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        transport.whenTaken {
            let (reader, context) = here.value
            reader.readAgain(context: context)
        }
        if context.channel.isActive { context.read() }
    }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        // Not asked for: after a FIN, NIO reads all that is left.
        guard !isWaiting else { return context.close(promise: nil) }
        incoming.append(unwrapInboundIn(data).readableBytesView)
        do throws(IncomingPackets.Garbage) {
            while let packet = try incoming.next() {
                arrived.append(packet)
            }
        } catch {
            deliver(context: context)
            finish(.notHCI(error.description))
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !isOver, !isWaiting else { return }
        timing.heard(packets: arrived.count, isMidPacket: incoming.isMidPacket)
        deliver(context: context)
        if held.hasRoom, transport.hasRoom {
            context.read()
        } else {
            isWaiting = true
            timing.pause()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset is how a process that died looks from here.
        if (error as? IOError)?.errnoCode != ECONNRESET { finish(.failed(Self.text(of: error))) }
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deliver(context: context)
        // While reading is paused, whether the last packet was whole is not known.
        finish(incoming.isMidPacket && !isWaiting ? .cutMidPacket : .closedByPeer)
    }

    /// A channel that is closed before it was ever active says no more than this.
    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.closedByPeer)
        transport.whenTaken(nil)
    }

    private func deliver(context: ChannelHandlerContext) {
        guard !arrived.isEmpty, !isOver else { return }
        let eventLoop = context.eventLoop
        let reader = NIOLoopBound((self, context), eventLoop: eventLoop)
        let batch = HCIBatch(arrived, in: held) {
            eventLoop.execute {
                let (reader, context) = reader.value
                reader.readAgain(context: context)
            }
        }
        arrived = []
        callbacks.received(batch)
    }

    private func readAgain(context: ChannelHandlerContext) {
        guard isWaiting, !isOver, held.hasRoom, transport.hasRoom else { return }
        isWaiting = false
        timing.heard(packets: 0, isMidPacket: incoming.isMidPacket)
        context.read()
    }

    private static func text(of error: any Error) -> String {
        if let error = error as? IOError { SystemText.of(errno: error.errnoCode) } else { "\(error)" }
    }

    private func finish(_ reason: HCITransportEnd) {
        guard !isOver else { return }
        isOver = true
        callbacks.ended(transport.finish(with: reason))
    }
}
