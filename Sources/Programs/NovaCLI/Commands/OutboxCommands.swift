import ArgumentParser
import NovaCore
import NovaOffline

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "List, send, or drop queued changes.",
    subcommands: [OutboxList.self, OutboxShow.self, OutboxFlush.self, OutboxRetry.self, OutboxDiscard.self])
}

struct OutboxList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the queued and the refused changes, oldest first.",
    usage: "nova outbox list [--all] [<options>]",
    discussion: """
      Sends nothing. Lists the changes of the signed-in user at the current gateway, or, with --all, those of all \
      users and gateways; only the changes of the signed-in user are sent. Changes are queued if they are made with \
      --offline, or with --cache while the gateway is unreachable. A blocked change depends on a record that a \
      refused change should have created.
      """)

  @Flag(help: "List the changes of all users and gateways.") var all = false
  @OptionGroup var options: RecordListOptions

  func run() async throws {
    let shape = try options.shape(
      OutboxRecord.descriptor, columns: all ? OutboxRecord.columnsOfAll : OutboxRecord.columns)
    try await CommandContext.run(options, storing: .outbox(isOffline: options.storing.offline)) { context in
      let outbox = try await context.outbox(needsUser: !all)
      var entries = try await outbox?.entries ?? []
      if all, let outbox { entries = (entries + (try await outbox.otherEntries)).sorted { $0.id < $1.id } }
      try await context.list(
        entries.map(OutboxRecord.json), in: shape, key: "entries", counting: ("change", "changes"))
      context.warn(about: outbox?.state)
      if !all, shape.format == .table { context.noteOthers(outbox) }
    }
  }
}

struct OutboxShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the request of a queued change as JSON.",
    usage: "nova outbox show <id> [<options>]", discussion: "Sends nothing.")

  @Argument(help: OutboxFlush.idHelp) var id: Int64
  @OptionGroup var options: ResultOptions

  func run() async throws {
    try await CommandContext.run(options, storing: .outbox(isOffline: options.storing.offline)) { context in
      let entry = try await context.entry(id, in: try await context.outbox(needsUser: false), ofAll: true)
      try context.write(entry.request, as: options.format, dialect: .request)
    }
  }
}

struct OutboxFlush: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flush", abstract: "Send the queued changes.", usage: "nova outbox flush [<options>]",
    discussion: """
      Tries each change once, in order, and takes turns with other programs that send them. Fails if the gateway \
      refuses a change, or if a change is still queued afterward. A refused change stays in the list, and is not sent \
      again automatically. Changes that were refused earlier don't fail the command.
      """)

  static let idHelp = ArgumentHelp("ID from `nova outbox list`.", valueName: "id")

  @OptionGroup var options: ResultOptions

  func run() async throws {
    try options.check(OutboxSummary.fields.descriptor)
    try await CommandContext.run(options, storing: .outbox(isOffline: options.storing.offline)) { context in
      let outbox = try await context.outbox()
      try context.checkSending()
      // Reports a file that cannot be used.
      _ = try await outbox?.entries
      try await context.flush(outbox, as: options.format)
    }
  }
}

struct OutboxRetry: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry", abstract: "Send a refused change again, or all of them.",
    usage: "nova outbox retry [<id>] [--all] [<options>]",
    discussion: """
      Sends all other queued changes, too, like `nova outbox flush`. If it is unknown whether a change took effect, \
      sending it again may apply it twice.
      """)

  @Argument(help: OutboxFlush.idHelp) var id: Int64?
  @Flag(help: "Send all refused changes again.") var all = false
  @OptionGroup var options: ResultOptions

  func validate() throws {
    if all, id != nil { throw ValidationError("--all and an ID cannot be combined") }
    guard all || id != nil else { throw ValidationError("missing <id>: name the change to send, or use --all") }
  }

  func run() async throws {
    try options.check(OutboxSummary.fields.descriptor)
    try await CommandContext.run(options, storing: .outbox(isOffline: options.storing.offline)) { context in
      let outbox = try await context.outbox()
      if let id { _ = try await context.entry(id, in: outbox, ofAll: false) }
      try context.checkSending()
      if let id { try await outbox?.retry(id) } else { try await outbox?.retryAll() }
      try await context.flush(outbox, as: options.format)
    }
  }
}

struct OutboxDiscard: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Drop a queued or refused change, so that it is never sent.",
    usage: "nova outbox discard <id> [--cascade] [--yes] [<options>]",
    discussion: """
      Sends nothing. Can also drop changes of other users; see `nova outbox list --all`. A change that another \
      program is sending may still take effect.
      """)

  @Argument(help: OutboxFlush.idHelp) var id: Int64
  @Flag(help: "Also drop the changes that depend on the record it creates.") var cascade = false
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let confirmation = try confirmation.confirmation(
      to: "discard change \(id)\(cascade ? " and what depends on it" : "")")
    try await CommandContext.run(connection, storing: .outbox()) { context in
      let outbox = try await context.outbox(needsUser: false)
      if let outbox, try await outbox.cannotRead(id) {
        try confirmation.obtain("a change that cannot be read")
        try await outbox.discardUnreadable(id)
        return Diagnostics.confirmation("discarded #\(id), which could not be read")
      }
      let entry = try await context.entry(id, in: outbox, ofAll: true)
      let isOwn = try await outbox?.entries.contains { $0.id == id } ?? false
      try confirmation.obtain(isOwn ? entry.rpc.id : "\(entry.rpc.id), made by \(entry.maker)")
      let discarded: [OutboxEntry]
      do {
        discarded = try await outbox?.discard(id, cascade: cascade, includesOthers: true) ?? []
      } catch let error as APIError where error.code == .failedPrecondition && !cascade {
        throw Failure("cannot discard: \(error.message)", hint: "Drop them all with --cascade.", .failed)
      }
      let names = discarded.map { "\($0.rpc.id) #\($0.id)" }
      Diagnostics.confirmation("discarded \(names.count > 1 ? "\(names.count) changes: " : "")\(names.conjunction)")
    }
  }
}
