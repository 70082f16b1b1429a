@testable import NovaCLI

// `Testing` has an `ExitStatus`, too.
typealias ExitStatus = NovaCLI.ExitStatus
