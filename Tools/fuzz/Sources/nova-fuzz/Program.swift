@testable import FuzzTargets
import Glibc

// `nova-fuzz <target> [options and corpus directories of libFuzzer]`. libFuzzer has the `main`, and calls these two.

private let targets =
  FuzzTarget.all + [
    FuzzTarget(name: "urls", summary: "request URLs, base URLs, paths and queries") { URLsTarget.check($0) }
  ]
private nonisolated(unsafe) var target: FuzzTarget?

/// Takes the name of the target off the command line; libFuzzer reads the rest. Without a name, it lists the targets.
@_cdecl("LLVMFuzzerInitialize")
func start(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
  guard count.pointee > 1, let name = arguments.pointee[1].map({ String(cString: $0) }) else {
    for target in targets { print("\(target.name)\t\(target.summary)") }
    exit(0)
  }
  guard let found = targets.first(where: { $0.name == name }) else {
    let message = "unknown target \(name); expected \(targets.map(\.name).joined(separator: ", "))\n"
    _ = write(STDERR_FILENO, message, message.utf8.count)
    exit(2)
  }
  target = found
  arguments.pointee[1] = arguments.pointee[0]
  arguments.pointee += 1
  count.pointee -= 1
  return 0
}

/// Runs the target on one input.
@_cdecl("LLVMFuzzerTestOneInput")
func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target?.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
