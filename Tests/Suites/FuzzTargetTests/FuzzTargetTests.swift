import Foundation
@testable import FuzzTargets
import NovaTestSupport
import Testing

/// The inputs from which Tools/fuzz starts, without its sanitizers. A target that no longer compiles, or an input that does
/// not hold, is noticed with every change.
@Suite(.hangLimit) struct FuzzTargetTests {
  private static let corpus = Checkout.root.appending(path: "Tools/fuzz/Corpus")
  /// Part of the program only.
  private static let others = ["urls"]

  @Test func eachTargetHasInputs() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path).filter { !$0.hasPrefix(".") }
    #expect(folders.sorted() == (FuzzTarget.all.map(\.name) + Self.others).sorted())
  }

  /// A finding ends the process, after a line that says which input it was.
  @Test func eachInputHoldsWholeAndInHalves() async throws {
    var inputs: [(FuzzTarget, name: String, [UInt8])] = []
    for target in FuzzTarget.all {
      let folder = Self.corpus.appending(path: target.name)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
        inputs.append((target, name, Array(try Data(contentsOf: folder.appending(path: name)))))
      }
    }
    #expect(inputs.count > FuzzTarget.all.count)
    await Self.onThread { [inputs] in
      for (target, name, bytes) in inputs {
        FuzzTarget.place = "Tools/fuzz/Corpus/\(target.name)/\(name)"
        target.check(bytes)
        FuzzTarget.place += ", its first half"
        target.check(Array(bytes.prefix(bytes.count / 2)))
      }
    }
  }

  /// Targets wait for asynchronous code, which would block a thread that other tests need.
  private static func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        body()
        continuation.resume()
      }
      // As that of a program's main thread.
      thread.stackSize = 8 << 20
      thread.start()
    }
  }
}
