import Foundation
import Testing

/// The built program `nova`.
enum NovaProgram {
  /// Runs it, without the caller's NOVA_ variables.
  ///
  /// - Returns: everything it wrote, to either output.
  static func run(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> String {
    // Files and not pipes: other programs may hold a pipe open, and then its end never comes.
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-guide-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (inputs, outputs) = (folder.appending(path: "in"), folder.appending(path: "out"))
    try Data(input.utf8).write(to: inputs)
    try Data().write(to: outputs)
    let process = Process()
    process.executableURL = try program()
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let kept = ProcessInfo.processInfo.environment.filter {
      ["PATH", "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
    }
    process.environment = kept.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: inputs)
    let output = try FileHandle(forWritingTo: outputs)
    try output.seekToEnd()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    for _ in 0..<3000 where process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
    try #require(!process.isRunning, "nova \(arguments.joined(separator: " ")) does not end")
    return try String(contentsOf: outputs, encoding: .utf8)
  }

  /// It lies beside the test bundle, or in a directory around it.
  private static func program() throws -> URL {
    var directory = URL(fileURLWithPath: CommandLine.arguments.first ?? "")
    for _ in 0..<5 {
      directory = directory.deletingLastPathComponent()
      let program = directory.appending(path: "nova")
      if FileManager.default.isExecutableFile(atPath: program.path),
        (try? program.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == false
      {
        return program
      }
    }
    throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: "nova"])
  }
}
