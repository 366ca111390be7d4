import Foundation

// The C library's names inside types that have methods of the same names.

func closeDescriptor(_ descriptor: CInt) -> CInt { close(descriptor) }

func readBytes(_ descriptor: CInt, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Writes to a socket; a peer that is gone is an error (EPIPE) and no signal.
func sendBytes(_ descriptor: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    #if canImport(Darwin)
        // The socket was told so when it was made.
        send(descriptor, bytes, count, 0)
    #else
        send(descriptor, bytes, count, CInt(MSG_NOSIGNAL))
    #endif
}

func openSocket(_ family: CInt, _ type: CInt, _ number: CInt = 0) -> CInt { socket(family, type, number) }

func connectSocket(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
    connect(descriptor, address, length)
}

func openDescriptor(_ path: String, _ flags: CInt) -> CInt { open(path, flags) }
