public import NovaFixtures

/// Holds a directory of fixtures against its manifest and the contract.
public enum FixtureCheck {
  /// Checks that every file is there and has its digest, that there are no others, and that every JSON record can be read
  /// as its message, is written as the dialect says, and keeps the rules of the contract that can be seen in it alone.
  ///
  /// Memory does not grow with the size.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - progress: called now and then, from the calling thread.
  /// - Throws: ``FixtureError``, when there is no manifest, a file cannot be read, or the task is cancelled.
  public static func run(
    _ path: String, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureReport {
    let manifest = try FixtureManifest(reading: path)
    var checking = Checking(path, manifest, progress)
    try checking.checkNames()
    for file in manifest.files { try checking.check(file) }
    return checking.report
  }

  /// The world that a directory of fixtures was made of, once the files in it are as they were written. Those that are
  /// not there are not asked for: the world is computed from the seed.
  ///
  /// - Throws: ``FixtureError``, when there is no manifest, or a file was changed or cannot be read.
  public static func world(of path: String) throws(FixtureError) -> World {
    let manifest = try FixtureManifest(reading: path)
    for file in manifest.files where FileSystem.kind("\(path)/\(file.name)", followingLinks: false) != nil {
      guard try file.isUnchanged(in: path) else {
        throw .unreadable(
          "\(path)/\(file.name) was changed since it was written: it has another SHA-256 than \(FixtureManifest.fileName) says"
        )
      }
    }
    do throws(FixtureError) {
      return try FixtureOptions(seed: manifest.seed, size: manifest.size).world
    } catch {
      throw .unreadable("\(path)/\(FixtureManifest.fileName): \(error)")
    }
  }
}

/// A check while it is made.
struct Checking {
  private static let problemsPerFile = 10

  let directory: String
  private(set) var report: FixtureReport
  private let progress: (FixtureProgress) -> Void
  private var doneBytes = 0
  private var problemsInFile = 0

  init(_ directory: String, _ manifest: FixtureManifest, _ progress: @escaping (FixtureProgress) -> Void) {
    self.directory = directory
    self.progress = progress
    report = FixtureReport(manifest)
  }

  /// What is there and should not be, and what the options promise and the manifest does not have.
  mutating func checkNames() throws(FixtureError) {
    let known = Set(report.manifest.files.map(\.name) + [FixtureManifest.fileName])
    for name in try FileSystem.files(below: directory) where !known.contains(name) {
      add(name, "is not in the manifest")
    }
    for format in report.manifest.formats {
      for name in report.manifest.entities.map(format.fileName) where !known.contains(name) {
        problemsInFile = 0
        add(FixtureManifest.fileName, "does not list \(name), which its formats and entities ask for")
      }
    }
  }

  mutating func check(_ file: FixtureManifest.File) throws(FixtureError) {
    problemsInFile = 0
    let path = "\(directory)/\(file.name)"
    guard FileSystem.kind(path, followingLinks: true) == .file else { return add(file.name, "is missing") }
    tell(file.name)
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
    tell(file.name)
  }

  mutating func add(_ file: String, _ text: String, line: Int? = nil) {
    problemsInFile += 1
    guard problemsInFile <= Self.problemsPerFile else { return }
    report.problems.append(FixtureReport.Problem(file: file, line: line, text: text))
  }

  /// Whether so much is wrong with a file that nothing more would be told.
  var isFull: Bool { problemsInFile >= Self.problemsPerFile }

  mutating func count() { report.recordsRead += 1 }

  private func tell(_ file: String) {
    let all = max(1, report.manifest.byteCount)
    progress(
      FixtureProgress(
        file: file, records: report.recordsRead, fraction: min(1, Double(doneBytes) / Double(all))))
  }
}
