// What writing fixtures costs: records a second for each entity and format, memory and time at growing sizes. One part per
// process, so that each part's memory is its own.

import Foundation
import NovaFixtureFiles
import NovaFixtures

@main
enum FixtureBenchmark {
  static func main() throws {
    switch CommandLine.arguments.dropFirst().first {
    case "entities": try measureEntities(users: 20_000)
    case "formats": try measureFormats(users: 5_000)
    case "growth": for users in [5_000, 10_000, 20_000, 40_000] { try measure(users, FixtureEntity.allCases) }
    case "million": try measure(1_000_000, [.users, .follows])
    default: try runEach()
    }
  }

  private static func runEach() throws {
    for part in ["entities", "formats", "growth", "million"] {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = [part]
      try process.run()
      process.waitUntilExit()
    }
  }

  private static func measureEntities(users: Int) throws {
    say("\nNDJSON, \(users) users, one core:")
    var (records, seconds) = (0, 0.0)
    for entity in FixtureEntity.allCases {
      let run = try write(.init(users: users), formats: [.ndjson], entities: [entity])
      report(entity.rawValue, run)
      records += run.manifest.recordCount
      seconds += run.seconds
    }
    say("  all: \(Int(Double(records) / seconds)) records/s")
  }

  private static func measureFormats(users: Int) throws {
    say("\nEach format, \(users) users:")
    for format in FixtureFormat.allCases {
      report(format.rawValue, try write(.init(users: users), formats: [format], entities: FixtureEntity.allCases))
    }
  }

  private static func measure(_ users: Int, _ entities: [FixtureEntity]) throws {
    let before = memory("VmHWM")
    let run = try write(.init(users: users, followsPerUser: 20), formats: [.ndjson], entities: entities)
    report("\(users) users, 20 follows each", run)
    say("    \(memory("VmHWM")) MB at the most, \(before) MB before")
  }

  private struct Run {
    let manifest: FixtureManifest
    let seconds: Double
  }

  private static func write(
    _ size: World.Size, formats: [FixtureFormat], entities: [FixtureEntity]
  ) throws -> Run {
    let path = NSTemporaryDirectory() + "nova-fixture-benchmark-\(ProcessInfo.processInfo.processIdentifier)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let options = try FixtureOptions(seed: Seed(42), size: size, formats: formats, entities: entities)
    let clock = ContinuousClock()
    let start = clock.now
    let manifest = try FixtureSet(options).write(to: path)
    return Run(manifest: manifest, seconds: (clock.now - start) / .seconds(1))
  }

  private static func report(_ name: String, _ run: Run) {
    let rate = Double(run.manifest.recordCount) / run.seconds
    let megabytes = Double(run.manifest.byteCount) / 1e6
    say(
      "  \(name): \(run.manifest.recordCount) records, \(Int(megabytes)) MB in \(Int(run.seconds * 1000)) ms, \(Int(rate)) records/s"
    )
  }

  /// Says it at once: the larger parts take minutes.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  /// A figure of the process, in MB.
  private static func memory(_ key: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
  }
}
