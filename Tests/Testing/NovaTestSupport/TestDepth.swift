import Foundation
import NovaSupport

/// How many of its cases a suite tries.
///
/// Suites that end a program at every step, or change every byte, repeat themselves. They try a sample, another one each
/// day, and everything at full depth: with `TEST_DEPTH=full`, or with a list of modules, `TEST_DEPTH=NovaAuth,NovaMedia`,
/// for the tests of these.
package enum TestDepth {
  /// The seed of the samples: `TEST_SEED`, or the day. Tools/run-tests prints it when a test fails.
  package static let seed: UInt64 =
    environment["TEST_SEED"].flatMap { UInt64($0) } ?? UInt64(Date().timeIntervalSince1970 / 86_400)

  /// Whether the tests in this file try every case.
  package static func isFull(file: String = #fileID) -> Bool {
    let module = file.prefix { $0 != "/" }
    return depth.contains { $0 == "full" || $0 + "Tests" == module }
  }

  /// `count` of the cases, in their order; all of them at full depth.
  ///
  /// - Parameter required: whether a case is always tried.
  package static func cases<Case>(
    _ cases: some Sequence<Case>, sample count: Int, file: String = #fileID, line: Int = #line,
    required: (Case) -> Bool = { _ in false }
  ) -> [Case] {
    let all = Array(cases)
    guard !isFull(file: file), all.count > count else { return all }
    // Suites with as many cases take different ones.
    var random = SeededGenerator(seed: seed &* 1_000_003 &+ UInt64(line))
    let chosen = Set(all.indices.shuffled(using: &random).prefix(count))
    return all.indices.filter { chosen.contains($0) || required(all[$0]) }.map { all[$0] }
  }

  private static let environment = ProcessInfo.processInfo.environment
  private static let depth = (environment["TEST_DEPTH"] ?? "").split(separator: ",")
}
