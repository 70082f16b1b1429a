import Foundation
import NovaSupport
import Testing

/// Paths are bytes, and the text of a path represents exactly these bytes.
@Suite struct PathTextTests {
  /// Bytes that cover every branch of UTF-8 decoding: too short, too long, a surrogate, too large, and the characters
  /// that represent bytes themselves.
  private static let pieces: [[UInt8]] = [
    [0x61], [0x2F], [0x80], [0xBF], [0xC0], [0xC1], [0xC2], [0xC3, 0xA9], [0xE0], [0xE0, 0x80, 0x80], [0xE9],
    [0xED, 0xA0, 0x80], [0xEE, 0xBD, 0xBF], [0xEE, 0xBE, 0x80], [0xEE, 0xBF, 0xBF], [0xEE], [0xEF, 0x80, 0x80],
    [0xEF, 0xBF, 0xBD], [0xCC, 0x81], [0xF0, 0x9F, 0x98, 0x80], [0xF0, 0x9F], [0xF4, 0x90, 0x80, 0x80], [0xFF],
  ]

  private static func paths() -> [[UInt8]] {
    var generator = SeededGenerator(seed: 41)
    let random = (0..<3000).map { _ in
      (0..<Int.random(in: 0...6, using: &generator)).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
    }
    let bytes = (0..<1000).map { _ in
      (0..<Int.random(in: 1...8, using: &generator)).map { _ in UInt8.random(in: 1...255, using: &generator) }
    }
    return pieces + random + bytes
  }

  @Test func everyPathHasOneTextThatLeadsBack() {
    var texts: [String: [UInt8]] = [:]
    for path in Self.paths() {
      let text = String(path: path)
      #expect(text.pathBytes == path)
      #expect(text.withPath { String(path: $0) }.utf8.elementsEqual(text.utf8))
      if let other = texts.updateValue(path, forKey: text.byteKey) { #expect(other == path) }
      #expect(text.shownPath == String(decoding: path, as: UTF8.self))
    }
  }

  @Test func textsInUTF8ArePathsAsTheyAre() {
    for text in ["", "a/b", "é", "e\u{301}", "文件 🎬", "\u{FFFD}", "\u{E000}", "\u{F8FF}", "/"] {
      #expect(String(path: Array(text.utf8)).utf8.elementsEqual(text.utf8) && !text.hasPathBytes)
    }
  }

  @Test func partsAreFoundByBytes() {
    for (path, directory, name) in [
      ("a", ".", "a"), ("/", "/", ""), ("/a", "/", "a"), ("a/b", "a", "b"), ("a/b/", "a/b", "b"), ("", ".", ""),
      // For `Character`, the slash and the accent are one.
      ("a/\u{301}b", "a", "\u{301}b"), (String(path: [0xE9, 0x2F, 0xE9]), String(path: [0xE9]), String(path: [0xE9])),
    ] {
      #expect(path.parentPath.utf8.elementsEqual(directory.utf8) && path.lastPathPart.utf8.elementsEqual(name.utf8))
    }
  }

  @Test func messagesShowAReplacementAndShellsGetTheBytes() {
    let path = String(path: Array("it's caf".utf8) + [0xE9])
    #expect(path.quoted == "\"it's caf\u{FFFD}\"")
    #expect(path.shellQuoted == #"$'it\'s caf\351'"#)
  }

  /// Two files whose names differ only in invalid UTF-8, or in the spelling of a character, stay two files.
  @Test(arguments: [
    [[0x63, 0xE9], [0x63, 0xEF, 0xBF, 0xBD]], [[0xC3, 0xA9], [0x65, 0xCC, 0x81]], [[0xEE, 0xBE, 0x80], [0x80]],
    [[0xFF], [0xFE]],
  ])
  func theSystemGetsTheBytes(_ names: [[UInt8]]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID().uuidString)").path
    try PrivateDirectory.create(folder)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (index, name) in names.enumerated() {
      let path = "\(folder)/\(String(path: name))"
      var file = try AtomicFile(for: path)
      try file.write([UInt8(index)])
      try file.publish()
      #expect(SystemIO.exists(path))
    }
    let found = SystemIO.fileNames(in: folder)
    #expect(Set(found.map(\.pathBytes)) == Set(names))
    for (index, name) in names.enumerated() {
      let path = "\(folder)/\(String(path: name))"
      #expect(try SystemIO.readFile(path) == [UInt8(index)])
      #expect(rename(path, "\(path)-moved") == 0 && unlink("\(path)-moved") == 0)
    }
    #expect(SystemIO.fileNames(in: folder).isEmpty)
  }
}
