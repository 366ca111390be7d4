public import Foundation

/// Where targets write files: in memory, where there is such a folder, since each file is on its disk before anybody goes on.
public let fuzzFolder = URL(
    fileURLWithPath: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory(),
    isDirectory: true
)
