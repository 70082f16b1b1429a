public import NovaFixtures
public import NovaMockWorlds

/// Validates a directory of fixtures against its manifest and the contract.
public enum FixtureCheck {
  /// Checks that every file exists with its digest, that there are no other files, and that every JSON record decodes
  /// as its message, is encoded in the dialect, and satisfies the contract's rules for single records.
  ///
  /// Memory use does not depend on the size.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - progress: called periodically from the calling thread.
  /// - Throws: ``FixtureError`` if there is no manifest, a file cannot be read, or the task is cancelled.
  public static func run(
    _ path: String, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureReport {
    let manifest = try FixtureManifest(reading: path)
    var checking = Checking(path, manifest: manifest, progress: progress)
    try checking.checkNames()
    for file in manifest.files { try checking.check(file) }
    return checking.report
  }

  /// Returns the world of a directory of fixtures, if its files are unchanged. Missing files don't matter, because the
  /// world is computed from the seed.
  ///
  /// - Throws: ``FixtureError`` if there is no manifest, or a file was changed or cannot be read.
  public static func world(of path: String) throws(FixtureError) -> World { try contents(of: path).world }

  /// Returns the world of a directory of fixtures and the password of its accounts, if its files are unchanged.
  ///
  /// - Throws: ``FixtureError`` if there is no manifest, or a file was changed or cannot be read.
  public static func contents(
    of path: String
  ) throws(FixtureError) -> (world: World, password: WorldPassword) {
    let manifest = try FixtureManifest(reading: path)
    if let shard = manifest.shard {
      throw .unreadable("\(path) is shard \(shard.part) of a set; merge all shards with nova fixtures merge")
    }
    for file in manifest.files where FileSystem.kind("\(path)/\(file.name)", followingLinks: false) != nil {
      guard try file.isUnchanged(in: path) else {
        throw .unreadable(
          "\(path)/\(file.name) was changed since it was written: its SHA-256 differs from the one in \(FixtureManifest.fileName)"
        )
      }
    }
    do throws(FixtureError) {
      return (try FixtureOptions(seed: manifest.seed, size: manifest.size).world, manifest.password)
    } catch {
      throw .unreadable("\(path)/\(FixtureManifest.fileName): \(error)")
    }
  }
}

/// A running check.
struct Checking {
  private static let problemsPerFile = 10

  let directory: String
  private(set) var report: FixtureReport
  private let progress: (FixtureProgress) -> Void
  private var doneBytes = 0
  private var problemsInFile = 0

  init(_ directory: String, manifest: FixtureManifest, progress: @escaping (FixtureProgress) -> Void) {
    self.directory = directory
    self.progress = progress
    report = FixtureReport(manifest)
  }

  /// Reports files that are not in the manifest, and files of its formats and entities that the manifest does not list.
  mutating func checkNames() throws(FixtureError) {
    let known = Set(report.manifest.files.map(\.name) + [FixtureManifest.fileName])
    for name in try FileSystem.files(below: directory) where !known.contains(name) {
      add(name, "is not in the manifest")
    }
    for format in report.manifest.formats {
      for name in report.manifest.entities.map({ format.fileName(of: $0, isShard: report.manifest.shard != nil) })
      where !known.contains(name) {
        problemsInFile = 0
        add(FixtureManifest.fileName, "does not list \(name), which its formats and entities require")
      }
    }
  }

  mutating func check(_ file: FixtureManifest.File) throws(FixtureError) {
    problemsInFile = 0
    let path = "\(directory)/\(file.name)"
    guard FileSystem.kind(path, followingLinks: true) == .file else { return add(file.name, "is missing") }
    reportProgress(file.name)
    let digest = try FixtureDigest.ofFile(path)
    if digest.bytes != file.bytes {
      add(file.name, "has \(digest.bytes) bytes; expected \(file.bytes)")
    } else if digest.sha256 != file.sha256 {
      add(file.name, "has the SHA-256 \(digest.sha256); expected \(file.sha256)")
    }
    if let entity = file.entity, FixtureFormat(rawValue: file.format)?.isJSON == true {
      var visitor = RecordCheck(checking: self, file: file)
      try entity.accept(&visitor)
      self = visitor.checking
    }
    doneBytes += file.bytes
    reportProgress(file.name)
  }

  mutating func add(_ file: String, _ text: String, line: Int? = nil) {
    problemsInFile += 1
    guard problemsInFile <= Self.problemsPerFile else { return }
    report.problems.append(FixtureReport.Problem(file: file, line: line, text: text))
  }

  /// Whether a file has so many problems that further ones are not reported.
  var isFull: Bool { problemsInFile >= Self.problemsPerFile }

  mutating func count() { report.recordsRead += 1 }

  private func reportProgress(_ file: String) {
    let all = max(1, report.manifest.byteCount)
    progress(
      FixtureProgress(
        file: file, records: report.recordsRead, fraction: min(1, Double(doneBytes) / Double(all))))
  }
}

/// The result of checking a directory.
public struct FixtureReport: Sendable, Hashable {
  /// A problem in a file.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    /// The file, as a path in the directory.
    public let file: String
    /// The line, counted from 1; nil for the file as a whole.
    public let line: Int?
    /// The problem, and what was expected.
    public let text: String

    /// `users.ndjson:12: username is "x"; expected …`
    public var description: String { "\(file):\(line.map { "\($0):" } ?? "") \(text)" }
  }

  /// The manifest of the directory.
  public let manifest: FixtureManifest
  /// The problems; at most ten per file.
  public internal(set) var problems: [Problem] = []
  /// The number of records read.
  public internal(set) var recordsRead = 0

  init(_ manifest: FixtureManifest) { self.manifest = manifest }
}
