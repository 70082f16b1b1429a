import Foundation

/// Generated files against those that are there.
public struct GeneratedFiles {
  private let root: URL
  private let folders: ModuleFolders
  private let files: [String: String]
  /// The module whose files these are, and the module of its fakes; nil for the SDK's own.
  private let module: String?
  private let testing: String?

  /// - Parameters:
  ///   - files: path from `root` to content. If a module's folder is in another folder of `Sources/`, the files go there.
  ///   - module: the module that the files are generated for; nil for the SDK's own.
  ///   - testing: the module of its fakes, if any.
  public init(root: URL, files: [String: String], module: String? = nil, testing: String? = nil) {
    self.root = root
    folders = ModuleFolders(root: root)
    self.files = Dictionary(uniqueKeysWithValues: files.map { [folders] in (folders.place(of: $0.key), $0.value) })
    self.module = module
    self.testing = testing
  }

  /// Paths that are missing, differ, or should not be there any more, sorted.
  public func differences() -> [String] {
    let changed = files.filter { path, content in
      (try? String(contentsOf: root.appending(path: path), encoding: .utf8)) != content
    }
    return (Array(changed.keys) + stale()).sorted()
  }

  /// Writes every file, each at once, and removes those that no longer belong.
  ///
  /// - Throws: ``GenerationError`` before anything is written, if one of the files belongs to another module.
  public func write() throws {
    try checkOwners()
    for (path, content) in files.sorted(by: { $0.key < $1.key }) {
      let url = root.appending(path: path)
      guard (try? String(contentsOf: url, encoding: .utf8)) != content else { continue }
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: url, options: .atomic)
    }
    for path in stale() { try FileManager.default.removeItem(at: root.appending(path: path)) }
  }

  /// Two modules can have one module for their fakes, as long as no file is in both.
  private func checkOwners() throws {
    for path in files.keys.sorted() where !isGenerated(path) {
      let content = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
      guard let content, content.hasPrefix(SourceText.firstLineStart) else { continue }
      let owner = content.dropFirst(SourceText.firstLineStart.count).prefix { $0 != "." }
      throw GenerationError(
        file: path, place: "the file", reason: "is generated for \(owner); write this module's into another one")
    }
  }

  /// Generated files that the contract no longer has. Files without the first line of these files belong to others: they
  /// are written by hand, or by a run for another module.
  private func stale() -> [String] {
    let used = Set(files.keys.map { $0.split(separator: "/").dropLast().joined(separator: "/") })
    let places = used.union(module == nil ? used.flatMap(folders.siblings) : moduleFolders)
    return places.sorted().flatMap { folder in folders.names(in: folder).map { "\(folder)/\($0)" } }
      .filter { $0.hasSuffix(".swift") && files[$0] == nil && isGenerated($0) }
  }

  /// The folders of a run for one module, which may have nothing left to write.
  private var moduleFolders: [String] {
    [module, testing].compactMap(\.self).map { folders.place(of: "Sources/\($0)/Generated") }
  }

  private func isGenerated(_ path: String) -> Bool {
    let content = try? String(contentsOf: root.appending(path: path), encoding: .utf8)
    return content?.hasPrefix(module.map(SourceText.firstLine(ofModule:)) ?? SourceText.firstLine) == true
  }
}
