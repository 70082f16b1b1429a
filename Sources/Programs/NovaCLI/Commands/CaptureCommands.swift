import ArgumentParser
import NovaSDK

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", abstract: "Capture a text, an image, a video, or a link, or manage your captures.",
    usage: """
      nova capture <text> [<options>]
      nova capture <subcommand>
      """,
    discussion: """
      nova capture 'The light this morning.'
      nova capture add list      capture the text "list"
      nova capture < text.txt
      nova capture --type url --media-url https://swift.org 'Read later'
      nova capture list
      """,
    subcommands: [
      CaptureAdd.self, CaptureList.self, CaptureShow.self, CaptureMeaning.self, CaptureDelete.self,
    ],
    defaultSubcommand: CaptureAdd.self)
}

struct CaptureAdd: RecordCommand, WordTaking {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Capture a text, an image, a video, or a link, and show it.",
    usage: """
      nova capture [add] <text> [<options>]
      nova capture [add] --type <type> --media-url <url> [<text>] [<options>]
      """,
    discussion: """
      A text that is or resembles the name of a subcommand requires the word add: nova capture add list. An image, a \
      video, or a link requires --media-url; its text is optional.
      """,
    aliases: ["create"])

  @Argument(
    help: .value("text", "1 to 10,000 characters. - reads standard input, which is also the default for type text."))
  var text: String?
  @Option(help: .value("type", "What to capture.")) var type = CaptureType(.text)
  @Option(help: .value("url", "URL of the image, the video, or the link: http or https."))
  var mediaURL: String?
  @OptionGroup var account: AccountOptions
  @OptionGroup var options: RecordOptions

  func validate() throws {
    guard type.value == .text, mediaURL != nil else { return }
    throw ValidationError("--media-url requires --type image, video or url")
  }

  func call() throws -> (CommandContext) async throws -> Something {
    let content = type.value != .text && text == nil ? nil : try Input.text(text)
    return { context in
      try await context.requireSignIn(account)
      return try await context.capture.create(type.value, content: content, mediaUrl: mediaURL)
    }
  }

  /// A word close to a subcommand is more likely a typing error than a text to keep: it is captured only if the user
  /// confirms that.
  static func subcommand(meantBy word: String, among names: [String]) throws -> String? {
    guard !word.contains(" "), let name = Suggestion.closest(to: word, among: names) else { return nil }
    guard TerminalQuestion.canBeAsked else {
      throw Failure(
        "unclear argument: \(word.quoted) resembles the subcommand \(name)",
        hint: "Run `nova capture \(name)`, or capture the text with `nova capture add \(word.displayed.shellWord)`.",
        .usage)
    }
    let prompt = "Capture the text \(word.quoted), or run `nova capture \(name)`? [text/\(name)/cancel] "
    switch try TerminalQuestion.answer(to: prompt)?.lowercased() {
    case "text"?, "t"?: return nil
    case name?, String(name.prefix(1))?: return name
    default: throw Failure("did not capture \(word.quoted): not confirmed", .failed)
    }
  }
}

/// The type of a capture as an argument. The server supports no other types.
struct CaptureType: ExpressibleByArgument, CustomStringConvertible {
  let value: ContentType

  init(_ value: ContentType) { self.value = value }

  init?(argument: String) {
    guard let value = ContentType.allCases.first(where: { $0.rawValue == argument }) else { return nil }
    self.value = value
  }

  static var allValueStrings: [String] { ContentType.allCases.map(\.rawValue) }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  var description: String { value.rawValue }
}

struct CaptureList: PagedRecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List your captures, newest first.",
    usage: "nova capture list [--limit <count>] [--offset <count>] [--all] [<options>]",
    discussion: "Lists your own captures only.")
  static let columns = ["id", "created_at", "content_type", "content", "meaning"]
  static let key = "somethings"

  @OptionGroup var account: AccountOptions
  @OptionGroup var options: PagedOptions

  func list(_ context: CommandContext) async throws -> PagedList<Something> {
    try await context.requireSignIn(account)
    // The contract has no default limit here.
    return PagedList(one: "capture", many: "captures", isCounted: false, defaultLimit: 50, greatestLimit: 100) {
      context.capture.all(maximumCount: $0, onShift: $1)
    }
  }
}

/// Captures as arguments, whose IDs are numbers.
struct CaptureArguments: ParsableArguments {
  @Argument(help: .value("id", "IDs of the captures, numbers; - for those on standard input.")) var texts: [String] = []

  func validate() throws {
    _ = try ids
    if let text = texts.first(where: { !IDArguments.isInput($0) && Int64($0) == nil }) {
      throw ValidationError("invalid value \"\(text.printable(to: 100))\" for <id>: expected a whole number")
    }
  }

  var ids: IDArguments { get throws { try IDArguments(texts, named: "id") } }

  /// - Throws: ``Failure`` for an ID from standard input that is no number.
  static func number(_ id: EntityID) throws -> Int64 {
    if let number = Int64(id.text) { return number }
    throw Failure("invalid ID on standard input: \"\(id.text.printable(to: 100))\" is not a whole number", .badData)
  }
}

struct CaptureShow: RecordsByIDCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a capture, or several.", usage: "nova capture show <id> ... [<options>]")
  static let key = "somethings"

  @OptionGroup var captures: CaptureArguments
  @OptionGroup var account: AccountOptions
  @OptionGroup var options: RecordOptions

  var ids: IDArguments { get throws { try captures.ids } }

  func load(_ id: EntityID, _ context: CommandContext) async throws -> Something {
    let number = try CaptureArguments.number(id)
    try await context.requireSignIn(account)
    return try await context.capture.get(id: number)
  }
}

struct CaptureMeaning: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "meaning", abstract: "Set the meaning of a capture, and show it.")

  @Argument(help: .value("id", "ID of the capture, a number.")) var id: Int64
  @Argument(help: .value("text", "The meaning; - or nothing for standard input.")) var text: String?
  @OptionGroup var account: AccountOptions
  @OptionGroup var options: RecordOptions

  func call() throws -> (CommandContext) async throws -> Something {
    let text = try Input.text(text)
    return { context in
      try await context.requireSignIn(account)
      return try await context.capture.updateMeaning(id: id, meaning: text)
    }
  }
}

struct CaptureDelete: DeletingCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete a capture, or several.",
    usage: "nova capture delete <id> ... [--yes] [<options>]")
  static let unit = (one: "capture", many: "captures", field: "id")

  @OptionGroup var captures: CaptureArguments
  @OptionGroup var account: AccountOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var options: ResultOptions

  var ids: IDArguments { get throws { try captures.ids } }

  func name(of id: EntityID) -> String { "capture \(id.text)" }

  func deletion(_ context: CommandContext) async throws -> (EntityID) async throws -> DeleteSomethingResponse {
    try await context.requireSignIn(account)
    return { try await context.capture.deleteSomething(DeleteSomethingRequest(id: try CaptureArguments.number($0))) }
  }
}
