package import Foundation

/// The folder with Package.swift, whose pages and files tests read.
package enum Checkout {
  package static let root: URL = {
    var folder = URL(filePath: #filePath)
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// - Parameter path: the path from ``root``, for example `docs/faults.md`.
  package static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }
}
