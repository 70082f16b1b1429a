import ArgumentParser
import NovaCore

/// The files that `@` and the beginning of a path can be completed to.
struct FileCompletion {
  /// What shells replace: `@` and the directory, as typed.
  private let typed: String
  private let directory: String
  private let name: String

  /// - Parameter previous: the word before. bash makes `@` a word of its own.
  /// - Returns: nil if no file is to be completed.
  static func path(in word: String, after previous: String?) -> FileCompletion? {
    if word.utf8.first == UInt8(ascii: "@") {
      // Alone, it is the end of a word for bash, which keeps it.
      return FileCompletion(word.dropFirst(), mark: word == "@" && CompletionShell.requesting == .bash ? "" : "@")
    }
    return previous == "@" ? FileCompletion(word[...], mark: "") : nil
  }

  private init(_ path: Substring, mark: String) {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    directory = String(path[..<slash])
    name = String(path[slash...])
    typed = mark + directory
  }

  /// The files and directories whose names begin with what is typed; hidden ones if that begins with a dot.
  var matches: [String] {
    SystemIO.fileNames(in: directory.isEmpty ? "." : directory).sorted().filter { file in
      file.hasPrefix(name) && (name.hasPrefix(".") || !file.hasPrefix(".")) && !file.hasPathBytes
    }.map { "\(typed)\($0)\(System.isDirectory(directory + $0) ? "/" : "")" }
  }
}
