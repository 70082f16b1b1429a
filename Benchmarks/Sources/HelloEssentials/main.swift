// The least that a Swift program with FoundationEssentials costs to start: it is loaded, and used once.

import FoundationEssentials

let now = Date().formatted(.iso8601)
print("Hello, world, it is \(now)")
