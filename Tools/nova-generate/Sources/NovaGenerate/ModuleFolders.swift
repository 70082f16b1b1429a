import Foundation

/// Where the modules of a package are: in `Sources/<module>`, or in a folder of `Sources/` that groups modules.
struct ModuleFolders {
  let root: URL

  /// The path with the group of the module, if the module is in one: `Sources/Client/NovaCore/Generated/…`.
  ///
  /// - Parameter path: as for a package without groups: `Sources/NovaCore/Generated/…`.
  func place(of path: String) -> String {
    let parts = path.split(separator: "/", maxSplits: 2).map(String.init)
    guard parts.count == 3, parts[0] == "Sources", !isFolder("Sources/\(parts[1])") else { return path }
    let group = groups.first { isFolder("\($0)/\(parts[1])") }
    return group.map { "\($0)/\(parts[1])/\(parts[2])" } ?? path
  }

  /// The folders beside this one that have the same name: those of other modules, in all groups.
  func siblings(of folder: String) -> [String] {
    let parts = folder.split(separator: "/").map(String.init)
    guard let name = parts.last, parts.count >= 3 else { return [] }
    let modules = parts.count == 4 && parts[0] == "Sources" ? groups : [parts.dropLast(2).joined(separator: "/")]
    return modules.flatMap { group in names(in: group).map { "\(group)/\($0)/\(name)" } }
  }

  func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)) ?? []).sorted()
  }

  private var groups: [String] { names(in: "Sources").map { "Sources/\($0)" } }

  private func isFolder(_ path: String) -> Bool {
    (try? root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
  }
}
