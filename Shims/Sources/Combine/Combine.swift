// OpenCombine under the name of Apple's framework. It lacks `Merge` and `merge(with:)`.
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation
