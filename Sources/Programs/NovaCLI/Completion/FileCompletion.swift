import ArgumentParser
import NovaCore

/// The files that `@` and the beginning of a path can be completed to.
struct FileCompletion {
  /// What shells replace: `@`, or nothing in its place, before the directory as typed.
  private let marks: [String]
  private let directory: String
  private let name: String

  /// - Parameter previous: the word before. bash makes `@` a word of its own, but completes it with the rest in some
  ///   versions.
  /// - Returns: nil if no file is to be completed.
  static func path(in word: String, after previous: String?) -> FileCompletion? {
    if word.utf8.first == UInt8(ascii: "@") {
      return FileCompletion(
        word.dropFirst(), marks: word == "@" && CompletionShell.requesting == .bash ? ["", "@"] : ["@"])
    }
    return previous == "@" ? FileCompletion(word[...], marks: ["", "@"]) : nil
  }

  private init(_ path: Substring, marks: [String]) {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    directory = String(path[..<slash])
    name = String(path[slash...])
    self.marks = marks
  }

  /// The files and directories whose names begin with what is typed; hidden ones if that begins with a dot.
  var matches: [String] {
    let paths = SystemIO.fileNames(in: directory.isEmpty ? "." : directory).sorted().filter { file in
      file.hasPrefix(name) && (name.hasPrefix(".") || !file.hasPrefix(".")) && !file.hasPathBytes
    }.map { "\(directory)\($0)\(System.isDirectory(directory + $0) ? "/" : "")" }
    return marks.flatMap { mark in paths.map { mark + $0 } }
  }
}
