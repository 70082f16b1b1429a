import Foundation
import NovaTestSupport

extension TemporaryFolder {
  /// Writes over the file, as private as a session's file must be.
  func write(_ bytes: [UInt8], _ name: String) throws {
    _ = try write(bytes, to: name)
    try setMode(0o600, name)
  }

  func mode(_ name: String = ".") throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")[.posixPermissions] as? Int
  }

  func setMode(_ mode: Int, _ name: String = ".") throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(path)/\(name)")
  }
}
