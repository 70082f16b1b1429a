import ArgumentParser
import NovaCore
import NovaLibc

/// The option of commands that write a text.
struct EditorOptions: ParsableArguments {
  @Flag(
    name: .shortAndLong,
    help: "Write the text in an editor: VISUAL, EDITOR, or vi. Default on a terminal if one of the variables is set.")
  var editor = false

  /// - Throws: ValidationError if the text is given in two ways.
  func check(_ argument: String?) throws {
    if editor, argument != nil { throw ValidationError("--editor and a text cannot be combined") }
  }

  /// The text of an argument, of the editor, or of standard input.
  ///
  /// - Parameter file: the name of the file that the editor shows.
  /// - Throws: ``Failure``.
  func text(_ argument: String?, in file: String) throws -> EditedText {
    let opens = editor || argument == nil && TextEditor.isChosen && TerminalQuestion.canBeAsked
    return opens ? try TextEditor.edit("", in: file) : EditedText(text: try Input.text(argument), file: nil)
  }
}

/// The user's editor.
enum TextEditor {
  /// Whether a variable names an editor.
  static var isChosen: Bool { chosen != nil }

  private static var chosen: String? {
    ["VISUAL", "EDITOR"].lazy.compactMap { System.variable($0) }.first { $0.contains { !$0.isWhitespace } }
  }

  /// Opens a text in the editor, and waits until it is closed.
  ///
  /// - Parameter name: the name of the file that the editor shows.
  /// - Returns: the text as it was saved, without the line break at its end.
  /// - Throws: ``Failure`` without a terminal, if the editor fails, and for an empty text.
  static func edit(_ text: String, in name: String) throws -> EditedText {
    guard TerminalQuestion.canBeAsked else {
      throw Failure(
        "cannot open an editor: standard input or standard error is not a terminal",
        hint: "Give the text as an argument, or on standard input.", .usage)
    }
    let command = chosen ?? "vi"
    let file = try TemporaryTextFile(named: name, text)
    let status = try Failure.explaining("cannot run the editor") {
      // The variable can have options: `code --wait`.
      try ChildProcess.runOnTerminal("/bin/sh", ["-c", "\(command) \"$1\"", "nova", file.path])
    }
    guard status == 0 else {
      // An editor can be killed after hours of writing.
      if file.isChanged(from: text) { file.reportThatItIsKept() } else { file.remove() }
      throw Failure(
        "the editor failed with exit code \(status); nothing was sent: \(command.displayed)",
        hint: "Set EDITOR to another editor, such as nano.", .failed)
    }
    guard System.fileExists(file.path) else {
      file.remove()
      throw Failure("nothing was sent: the editor removed the file with the text", .failed)
    }
    let bytes = try Failure.explaining("cannot read \(file.path)") {
      try SystemIO.readFile(file.path, limit: ArgumentLimits.textBytes, .any)
    }
    guard let edited = bytes.flatMap(InputText.text) else {
      throw Failure("cannot read \(file.path): not UTF-8, or too large", .badData)
    }
    guard edited.contains(where: { !$0.isWhitespace }) else {
      file.remove()
      throw Failure("nothing was sent: the text is empty", .failed)
    }
    return EditedText(text: edited, file: file, isNew: !edited.hasSameBytes(as: text))
  }
}

/// A text to send. One that was written in an editor is kept until it has arrived.
struct EditedText {
  let text: String
  fileprivate let file: TemporaryTextFile?
  /// Whether the text is not the one that was to be changed.
  private let isNew: Bool

  fileprivate init(text: String, file: TemporaryTextFile?, isNew: Bool = true) {
    (self.text, self.file, self.isNew) = (text, file, isNew)
  }

  /// Sends the text. If that fails, reports where it is kept.
  func send<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    do {
      let result = try await body(text)
      file?.remove()
      return result
    } catch {
      if isNew { file?.reportThatItIsKept() } else { file?.remove() }
      throw error
    }
  }
}

/// A file that only this user can read, in a directory of its own.
private struct TemporaryTextFile {
  let path: String

  init(named name: String, _ text: String) throws {
    let parent = System.variable("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var template = Array("\(parent)/nova-XXXXXX".utf8CString)
    let directory = try Failure.explaining("cannot make a directory in \(parent)") { () throws(SystemError) -> String in
      guard mkdtemp(&template) != nil else { throw .last }
      return String(path: template)
    }
    let path = "\(directory)/\(name)"
    self.path = path
    try Failure.writing(path) { try System.replaceFile(path, with: Self.content(text)) }
  }

  private static func content(_ text: String) -> [UInt8] { Array((text.isEmpty ? "" : "\(text)\n").utf8) }

  /// Whether another text was saved. A file that cannot be read may have one.
  func isChanged(from text: String) -> Bool {
    guard System.fileExists(path) else { return false }
    guard let bytes = try? SystemIO.readFile(path, limit: ArgumentLimits.textBytes, .any) else { return true }
    return bytes != Self.content(text) && bytes.contains { $0 > UInt8(ascii: " ") }
  }

  func reportThatItIsKept() { Diagnostics.warning("the text is kept in \(path.displayed)") }

  /// Removes the file, and what the editor may have left beside it.
  func remove() {
    for name in SystemIO.fileNames(in: path.parentPath) { unlink("\(path.parentPath)/\(name)") }
    System.removeEmptyDirectory(path.parentPath)
  }
}
