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

  /// Paths that are missing, differ, or should not be there, sorted.
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

  /// Swift files in the generated folders that the contract no longer has.
  private func stale() -> [String] {
    let folders = Set(files.keys.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
    return folders.flatMap { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []
      return names.filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
    }.filter { files[$0] == nil }
  }
}
