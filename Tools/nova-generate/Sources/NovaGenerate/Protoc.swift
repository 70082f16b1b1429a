import Foundation

/// Runs protoc on the .proto files below a folder.
public struct Protoc {
  /// The program, by name or path.
  private let program: String
  /// Where imports are found, besides the folder itself.
  private let importPaths: [String]

  /// - Parameters:
  ///   - program: the program, by name or path. Default: `protoc`.
  ///   - importPaths: where imports are found, besides the folder itself. `google/api/annotations.proto` and
  ///     `google/api/http.proto` are always found. Default: none.
  public init(program: String = "protoc", importPaths: [String] = []) {
    self.program = program
    self.importPaths = importPaths
  }

  /// Returns the descriptor set of all .proto files below a folder.
  ///
  /// - Throws: ``GenerationError`` with protoc's messages.
  public func descriptorSet(ofFilesBelow folder: String) throws -> [UInt8] {
    let names = Self.files(below: folder)
    guard !names.isEmpty else { throw error(folder, "has no .proto files") }
    let work = FileManager.default.temporaryDirectory.appending(path: "nova-generate-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: work) }
    for (name, text) in BundledProtos.files {
      let file = work.appending(path: name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let output = work.appending(path: "descriptors.pb")
    // The folder comes first: its own copies of bundled files count.
    let paths = ([folder] + importPaths + [work.path]).flatMap { ["-I", $0] }
    try run(paths + ["--include_imports", "--include_source_info", "-o", output.path] + names, for: folder)
    return Array(try Data(contentsOf: output))
  }

  /// The .proto files below a folder, as paths from it, sorted.
  public static func files(below folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".proto") }.sorted()
  }

  private func run(_ arguments: [String], for folder: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus == 127 {
      throw error(
        program,
        "is not installed; install it with apt-get install protobuf-compiler libprotobuf-dev or brew install protobuf")
    }
    guard process.terminationStatus == 0 else {
      throw error(folder, text.trimmingCharacters(in: .whitespacesAndNewlines) + advice(on: text))
    }
  }

  /// What helps where protoc does not find an import.
  private func advice(on text: String) -> String {
    guard let missing = text.firstMatch(of: /(\S+): File not found/)?.output.1 else { return "" }
    return missing.hasPrefix("google/protobuf/")
      ? "\ninstall google/protobuf/*.proto: apt-get install libprotobuf-dev"
      : "\nname the folder of \(missing) with --import-path"
  }

  private func error(_ place: String, _ reason: String) -> GenerationError {
    GenerationError(file: "protoc", place: place, reason: reason)
  }
}
