// The headers are all there is; a target without a source is none.
#include "CBEnumerations.h"
