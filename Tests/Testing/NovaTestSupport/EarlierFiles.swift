import Foundation
import NovaCore

/// The files that one version of the programs wrote, in a copy that later versions may change: see
/// `Tools/write-compatibility-files`. A released version's files are never changed.
package struct EarlierFiles: Sendable {
  /// The gateway of the sessions, stored reads, and queued writes.
  package static let gateway = "http://127.0.0.1:18081"
  private static let root = Checkout.root.appending(path: "Tests/Files")

  /// The versions whose files are kept.
  package static var versions: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    return names.filter { $0.first?.isNumber == true }.sorted()
  }

  package let folder: TemporaryFolder
  package var path: String { "\(folder.path)/files" }

  /// Copies a version's files, for their owner only: Git keeps no such modes.
  package init(_ version: String) throws {
    folder = try TemporaryFolder()
    let files = FileManager.default
    try files.copyItem(atPath: Self.root.appending(path: version).path, toPath: path)
    for name in try files.subpathsOfDirectory(atPath: path) + ["."] {
      var isDirectory: ObjCBool = false
      _ = files.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
      try files.setAttributes(
        [.posixPermissions: isDirectory.boolValue ? 0o700 : 0o600], ofItemAtPath: "\(path)/\(name)")
    }
  }

  /// The path of a file.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  package func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  package func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// The directories of settings, state, and caches.
  package var environment: [String: String] {
    [
      "HOME": folder.path, "XDG_CONFIG_HOME": path("config"), "XDG_STATE_HOME": path("state"),
      "XDG_CACHE_HOME": path("cache"),
    ]
  }

  /// The time of the first change in the state of the mock backend, in Unix seconds.
  package var time: Int {
    get throws {
      let line = try text("mock.state").split(separator: "\n").dropFirst().first ?? ""
      let json = try JSONValue(jsonUTF8: Array(line.drop { $0 != "{" }.utf8))
      return json["t"]?.integerValue ?? 0
    }
  }

  /// Changes the record of the interrupted upload, which would have expired after 7 days: as if it had been interrupted
  /// at a time.
  ///
  /// - Parameter file: the file that it is about from now on. The server has not begun that upload.
  /// - Returns: the ID of the upload.
  package func renewUpload(at time: Int, of file: String? = nil) throws -> String {
    let folder = path("state/nova/uploads")
    let name = try FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".upload") } ?? ""
    var text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    text = text.replacing(/"time":[0-9.]+/, with: "\"time\":\(time)")
    if let file {
      text = String(text.prefix { $0 != "\n" }) + "\n"
      let status = try FileManager.default.attributesOfItem(atPath: file)
      let modified = (status[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      text = text.replacing(/"path":"[^"]+"/, with: "\"path\":\"\(file)\"")
      text = text.replacing(/"size":[0-9]+/, with: "\"size\":\(status[.size] ?? 0)")
      text = text.replacing(/"modified_ns":[0-9]+/, with: "\"modified_ns\":\(Int(modified) * 1_000_000_000)")
      text = text.replacing(/"device":"[0-9]+"/, with: "\"device\":\"\(status[.systemNumber] ?? 0)\"")
      text = text.replacing(/"inode":"[0-9]+"/, with: "\"inode\":\"\(status[.systemFileNumber] ?? 0)\"")
    }
    try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    return String(name.dropLast(".upload".count))
  }
}
