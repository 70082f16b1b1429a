import Foundation

/// Generated files against those that are there.
public struct GeneratedFiles {
  private let root: URL
  private let files: [String: String]

  /// - Parameters:
  ///   - files: path from `root` to content.
  public init(root: URL, files: [String: String]) {
    self.root = root
    self.files = files
  }

  /// Paths that are missing, differ, or should not be there any more, sorted.
  public func differences() -> [String] {
    let changed = files.filter { path, content in
      (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) != content
    }
    return (Array(changed.keys) + stale()).sorted()
  }

  /// Writes every file, each at once, and removes those that no longer belong.
  public func write() throws {
    for (path, content) in files.sorted(by: { $0.key < $1.key }) {
      let url = root.appending(path: path)
      guard (try? String(contentsOf: url, encoding: .utf8)) != content else { continue }
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: url, options: .atomic)
    }
    for path in stale() { try FileManager.default.removeItem(at: root.appending(path: path)) }
  }

  /// Generated files that the contract no longer has: in its folders, and in folders like them (`Generated` in another
  /// module beside), since a package that is gone has none. Files without the generator's first line are not its own.
  private func stale() -> [String] {
    var folders: Set<String> = []
    for path in files.keys {
      let folder = path.split(separator: "/").dropLast()
      folders.insert(folder.joined(separator: "/"))
      guard let name = folder.last, folder.count >= 3 else { continue }
      let modules = folder.dropLast(2).joined(separator: "/")
      for module in names(in: modules) { folders.insert("\(modules)/\(module)/\(name)") }
    }
    return folders.sorted().flatMap { folder in names(in: folder).map { "\(folder)/\($0)" } }
      .filter { $0.hasSuffix(".swift") && files[$0] == nil && isGenerated($0) }
  }

  private func names(in folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
  }

  private func isGenerated(_ path: String) -> Bool {
    let content = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    return [SourceText.firstLine, SourceText.firstLineElsewhere].contains { content?.hasPrefix($0) == true }
  }
}
