// OpenCombine under the name of Apple's framework, with what it lacks: `Merge`, and `publisher(for:)`.
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation
