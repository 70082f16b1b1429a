import ArgumentParser
import NovaCore

/// IDs as arguments, of which `-` stands for those on standard input.
struct IDArguments: Sendable {
  /// IDs and `-`, as they were typed.
  private let words: [EntityID]
  private static let input = "-"

  /// - Parameter name: the placeholder in messages: `post-id`.
  /// - Throws: ValidationError without any, and for an invalid one.
  init(_ texts: [String], named name: String) throws {
    guard !texts.isEmpty else { throw ValidationError("missing <\(name)>") }
    words = try texts.map { try Self.id($0, named: name) }
    guard words.count(where: { $0.text == Self.input }) < 2 else {
      throw ValidationError("- can be given once: standard input is read once")
    }
  }

  /// - Throws: ValidationError for a text that cannot be an ID.
  static func id(_ text: String, named name: String) throws -> EntityID {
    if let id = EntityID(argument: text) { return id }
    throw ValidationError("invalid value \"\(text.printable(to: 100))\" for <\(name)>")
  }

  /// Whether a text stands for standard input.
  static func isInput(_ text: String) -> Bool { text == input }

  /// The only ID that was typed; nil for several, and for those on standard input.
  var single: EntityID? { words.count == 1 && words[0].text != Self.input ? words[0] : nil }

  /// Returns the IDs, each once. Reads standard input for `-`: IDs between white space, as `--output ids` prints them.
  ///
  /// - Throws: ``Failure`` for an input that cannot be read or is not made of IDs.
  func read() throws -> [EntityID] {
    let ids = try words.flatMap { try $0.text == Self.input ? Self.standardInput() : [$0] }
    return ids.map(\.text).withoutRepeats().compactMap { EntityID(argument: $0) }
  }

  /// The note of a command that has read no IDs.
  static let nothingToDo = "no IDs on standard input: nothing to do"

  private static func standardInput() throws -> [EntityID] {
    guard let text = InputText.text(of: try Input.read(nil, what: "IDs").bytes) else {
      throw Failure("cannot read standard input: not UTF-8", .badData)
    }
    let ids = text.split { $0 == " " || $0 == "\t" || $0.isNewline }.map(String.init)
    return try ids.map { id in
      if let id = EntityID(argument: id) { return id }
      throw Failure(
        "invalid ID on standard input: \"\(id.printable(to: 100))\" has more than \(ArgumentLimits.idBytes) bytes",
        .badData)
    }
  }
}

/// Posts as arguments: `<post-id> ...`.
struct PostArguments: ParsableArguments {
  @Argument(help: .value("post-id", "IDs of the posts; - for those on standard input.")) var texts: [String] = []

  func validate() throws { _ = try ids }

  var ids: IDArguments { get throws { try IDArguments(texts, named: "post-id") } }
}
