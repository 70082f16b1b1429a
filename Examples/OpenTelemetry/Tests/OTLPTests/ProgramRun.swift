import Foundation

/// A run of the example's program, in a process of its own: tracer and metrics can be set up once per process.
struct ProgramRun {
  var output: String
  var status: Int32

  static func of(_ name: String, environment: [String: String]) async throws -> ProgramRun {
    let process = Process()
    process.executableURL = try program(name)
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { first, _ in first }
    let pipe = Pipe()
    process.standardOutput = pipe
    let ends = AsyncStream<Void>.makeStream()
    process.terminationHandler = { _ in ends.continuation.finish() }
    try process.run()
    for await _ in ends.stream {}
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    return ProgramRun(output: output, status: process.terminationStatus)
  }

  /// Beside the tests, where SwiftPM builds it.
  private static func program(_ name: String) throws -> URL {
    var candidates = [Bundle.main.bundleURL, Bundle.main.executableURL].compactMap { $0 }
    candidates += CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
    for candidate in candidates {
      var folder = candidate
      while folder.path.count > 1 {
        let program = folder.appending(path: name)
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: program.path, isDirectory: &isFolder), !isFolder.boolValue {
          return program
        }
        folder.deleteLastPathComponent()
      }
    }
    throw CocoaError(.fileNoSuchFile)
  }
}
