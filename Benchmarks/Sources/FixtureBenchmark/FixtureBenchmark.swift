// What writing fixtures costs: records a second for each entity and format, memory and time at growing sizes.
//
//   FixtureBenchmark entities|formats|growth|million
//
// Prints lines of JSON. One part per process, so that each part's memory is its own; the sizes of `growth` are processes
// of their own, too.

import Foundation
import NovaFixtureFiles
import NovaFixtures

@main
enum FixtureBenchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    switch arguments.first {
    case "entities": try measureEntities(users: 20_000)
    case "formats": try measureFormats(users: 5_000)
    case "growth":
      if let users = arguments.dropFirst().first.flatMap({ Int($0) }) {
        try measure(users, FixtureEntity.allCases)
      } else {
        try runEach([5_000, 10_000, 20_000, 40_000])
      }
    case "million": try measure(1_000_000, [.users, .follows])
    default:
      print("usage: FixtureBenchmark entities|formats|growth|million")
      exit(2)
    }
  }

  private static func runEach(_ sizes: [Int]) throws {
    for users in sizes {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      process.arguments = ["growth", "\(users)"]
      try process.run()
      process.waitUntilExit()
    }
  }

  private static func measureEntities(users: Int) throws {
    var (records, bytes, seconds) = (0, 0, 0.0)
    for entity in FixtureEntity.allCases {
      let run = try write(.init(users: users), formats: [.ndjson], entities: [entity])
      report(entity.rawValue, records: run.manifest.recordCount, bytes: run.manifest.byteCount, seconds: run.seconds)
      records += run.manifest.recordCount
      bytes += run.manifest.byteCount
      seconds += run.seconds
    }
    report("all", records: records, bytes: bytes, seconds: seconds)
  }

  private static func measureFormats(users: Int) throws {
    for format in FixtureFormat.allCases {
      let run = try write(.init(users: users), formats: [format], entities: FixtureEntity.allCases)
      report(format.rawValue, records: run.manifest.recordCount, bytes: run.manifest.byteCount, seconds: run.seconds)
    }
  }

  private static func measure(_ users: Int, _ entities: [FixtureEntity]) throws {
    let run = try write(.init(users: users, followsPerUser: 20), formats: [.ndjson], entities: entities)
    report("\(users)", records: run.manifest.recordCount, bytes: run.manifest.byteCount, seconds: run.seconds)
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

  /// Prints a line at once: the larger parts take minutes.
  private static func report(_ name: String, records: Int, bytes: Int, seconds: Double) {
    let line =
      #"{"name": "\#(name)", "records": \#(records), "bytes": \#(bytes), "seconds": \#(seconds), "#
      + #""peak_mb": \#(memory("VmHWM"))}"#
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// A figure of the process, in MB.
  private static func memory(_ key: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(key):") } ?? ""
    return (line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1024
  }
}
