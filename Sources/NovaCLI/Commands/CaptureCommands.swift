import ArgumentParser
import NovaCore
import NovaSDK

struct CaptureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", abstract: "Capture a text, or look after what was captured.",
    usage: """
      nova capture <text> [<options>]
      nova capture <subcommand>
      """,
    discussion: """
      nova capture 'The light this morning.'
      nova capture < text.txt
      nova capture list
      """,
    subcommands: [
      CaptureCreate.self, CaptureList.self, CaptureShow.self, CaptureMeaning.self, CaptureDelete.self,
    ],
    defaultSubcommand: CaptureCreate.self)
}

struct CaptureCreate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Capture a text, and show it.", usage: "nova capture [create] <text> [<options>]",
    discussion: "A text that is also the name of a command needs the word create: nova capture create list.")

  @Argument(
    help: ArgumentHelp("1 to 10,000 characters; - or nothing for standard input.", valueName: "text"))
  var text: String?
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Something.self)
    let text = try Input.text(text)
    try await CommandContext.run(connection) { context in
      try context.show(try await context.capture.create(text: text), shape, format.output)
    }
  }
}

struct CaptureList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List what you captured, newest first.",
    usage: "nova capture list [--limit <count>] [--offset <count>] [--all] [<options>]",
    discussion: "Without --all, --limit is 1 to 100.")

  @OptionGroup(title: "List") var paging: PagingOptions
  @OptionGroup(title: "List") var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(
      Something.self, columns: ["id", "created_at", "content_type", "content", "meaning"])
    try await CommandContext.run(connection) { context in
      let list = PagedList<Something>(
        one: "something", many: "somethings", isCounted: false
      ) { [capture = context.capture] limit, offset in
        // The contract has no "as many as the server likes" here.
        let limit = limit == 0 ? 50 : limit
        let page = try await capture.list(skip: offset, limit: limit)
        return Page(items: page, totalCount: 0, hasMore: page.count >= limit)
      } everyone: { maximum, onShift in
        context.capture.all(maximumCount: maximum, onShift: onShift)
      }
      try await list.write(paging, to: RecordWriter(context.output, format.output, shape, key: "somethings"))
    }
  }
}

struct CaptureShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Show one captured thing.")

  @Argument(help: ArgumentHelp("The thing's id, a number.", valueName: "id")) var id: Int64
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Something.self)
    try await CommandContext.run(connection) { context in
      try context.show(try await context.capture.get(id: id), shape, format.output)
    }
  }
}

struct CaptureMeaning: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "meaning", abstract: "Say what a captured thing means, and show it.")

  @Argument(help: ArgumentHelp("The thing's id, a number.", valueName: "id")) var id: Int64
  @Argument(help: ArgumentHelp("What it means; - or nothing for standard input.", valueName: "text")) var text: String?
  @OptionGroup var format: RecordOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let shape = try format.shape(Something.self)
    let text = try Input.text(text)
    try await CommandContext.run(connection) { context in
      try context.show(try await context.capture.updateMeaning(id: id, meaning: text), shape, format.output)
    }
  }
}

struct CaptureDelete: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete one captured thing.")

  @Argument(help: ArgumentHelp("The thing's id, a number.", valueName: "id")) var id: Int64
  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    try await CommandContext.run(connection) { context in
      let response = try await context.capture.deleteSomething(DeleteSomethingRequest(id: id))
      try context.confirm(response, true, "", "something \(id) is deleted", format.output)
    }
  }
}
