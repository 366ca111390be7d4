// The module map is all there is; a target without a source is none.
