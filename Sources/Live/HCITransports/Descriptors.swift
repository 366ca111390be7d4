import Foundation

// The C library's names inside types that have methods of the same names.

func closeDescriptor(_ descriptor: CInt) -> CInt { close(descriptor) }

func readBytes(_ descriptor: CInt, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

func openDescriptor(_ path: String, _ flags: CInt) -> CInt { open(path, flags) }
