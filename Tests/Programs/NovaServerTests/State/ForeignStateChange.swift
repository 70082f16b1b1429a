import Foundation
import Testing

/// What is done to a file while it is in use, how it is reported, and how it is undone.
struct ForeignStateChange: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// At the path of the file, with another path.
  let change: @Sendable (String, String) throws -> Void
  var undo: (@Sendable (String, String) throws -> Void)?

  static let all: [ForeignStateChange] = [
    ForeignStateChange(
      testDescription: "removed or moved", change: { path, _ in try FileManager.default.removeItem(atPath: path) }),
    ForeignStateChange(
      testDescription: "removed or moved",
      change: { try FileManager.default.moveItem(atPath: $0, toPath: $1) },
      undo: { try FileManager.default.moveItem(atPath: $1, toPath: $0) }),
    ForeignStateChange(
      testDescription: "replaced by another file",
      change: { path, other in
        try FileManager.default.moveItem(atPath: path, toPath: other)
        try FileManager.default.copyItem(atPath: other, toPath: path)
      },
      undo: { #expect(rename($1, $0) == 0) }),
    ForeignStateChange(
      testDescription: "replaced by a directory",
      change: { path, other in
        try FileManager.default.moveItem(atPath: path, toPath: other)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      },
      undo: { path, other in
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: other, toPath: path)
      }),
    ForeignStateChange(
      testDescription: "replaced by a symbolic link",
      change: { path, other in
        try FileManager.default.moveItem(atPath: path, toPath: other)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: other)
      },
      undo: { #expect(rename($1, $0) == 0) }),
    ForeignStateChange(
      testDescription: "replaced by something that is not a file",
      change: { path, other in
        try FileManager.default.moveItem(atPath: path, toPath: other)
        #expect(mkfifo(path, 0o600) == 0)
      },
      undo: { #expect(rename($1, $0) == 0) }),
    // As the shell's `: > state` does.
    ForeignStateChange(
      testDescription: "cut from ",
      change: { path, other in
        try FileManager.default.copyItem(atPath: path, toPath: other)
        #expect(truncate(path, 0) == 0)
      },
      undo: { path, other in try Data(contentsOf: URL(fileURLWithPath: other)).overwrite(path) }),
    ForeignStateChange(
      testDescription: "cut from ",
      change: { path, other in
        try FileManager.default.copyItem(atPath: path, toPath: other)
        #expect(truncate(path, 90) == 0)
      },
      undo: { path, other in try Data(contentsOf: URL(fileURLWithPath: other)).overwrite(path) }),
    ForeignStateChange(
      testDescription: "extended from ",
      change: { path, other in
        try FileManager.default.copyItem(atPath: path, toPath: other)
        try (Data(contentsOf: URL(fileURLWithPath: path)) + Data("x".utf8)).overwrite(path)
      },
      undo: { path, other in try Data(contentsOf: URL(fileURLWithPath: other)).overwrite(path) }),
  ]
}

extension Data {
  /// Writes to a file that stays the same one.
  fileprivate func overwrite(_ path: String) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.write(contentsOf: self)
    try handle.truncate(atOffset: UInt64(count))
    try handle.close()
  }
}
