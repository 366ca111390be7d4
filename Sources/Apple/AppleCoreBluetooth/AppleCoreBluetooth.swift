// On Apple's systems the product `CoreBluetooth` holds no module of that name, so that `import CoreBluetooth` finds
// Apple's framework. A product has to hold something.
