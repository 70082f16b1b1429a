import ArgumentParser
import NovaCore
import NovaFleet
import NovaOffline

struct OutboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "outbox", abstract: "List, send, or drop queued changes.",
    subcommands: [
      OutboxList.self, OutboxShow.self, OutboxFlush.self, OutboxRetry.self, OutboxDiscard.self, OutboxEdit.self,
      OutboxDeliver.self, OutboxSchemaCommand.self, OutboxPrepare.self,
    ])
}

struct OutboxList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the queued and the refused changes, oldest first.",
    usage: "nova outbox list [--all] [<options>]",
    discussion: """
      Sends nothing. Lists the changes of the signed-in user at the current gateway, or, with --all, those of all \
      users and gateways; only the changes of the signed-in user are sent. Changes are queued if they are made with \
      --offline, or with --cache while the gateway is unreachable. A blocked change depends on a record that a \
      refused change should have created. With --postgres, lists the changes of all users, and counts those that are \
      for another gateway.
      """)

  @Flag(help: "List the changes of all users and gateways.") var all = false
  @OptionGroup(title: "Database") var database: DatabaseOptions
  @OptionGroup var options: RecordListOptions

  func run() async throws {
    let showsAll = all || database.postgres != nil
    let shape = try options.shape(
      OutboxRecord.descriptor, columns: showsAll ? OutboxRecord.columnsOfAll : OutboxRecord.columns)
    if let outbox = try database.outbox() {
      return try await CommandContext.run(options, storing: .never) { context in
        let entries = try await database.run(isRepeatable: true) { try await context.entries(of: outbox) }
        try await context.list(
          entries.map(OutboxRecord.json), in: shape, key: "entries", counting: ("change", "changes"))
        guard shape.format == .table else { return }
        entries.noteBlocked(isInDatabase: true)
        context.noteOtherGateways(in: entries)
      }
    }
    try await CommandContext.run(options, storing: .outbox(isOffline: options.storing.offline)) { context in
      let outbox = try await context.outbox(needsUser: !all)
      var entries = try await outbox?.entries ?? []
      if all, let outbox { entries = (entries + (try await outbox.otherEntries)).sorted { $0.id < $1.id } }
      try await context.list(
        entries.map(OutboxRecord.json), in: shape, key: "entries", counting: ("change", "changes"))
      context.warn(about: outbox?.state)
      guard shape.format == .table else { return }
      entries.noteBlocked(isInDatabase: false)
      if !all { context.noteOthers(outbox) }
    }
  }
}

struct OutboxShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the request of a queued change as JSON.",
    usage: "nova outbox show <id> [<options>]", discussion: "Sends nothing.")

  @Argument(help: OutboxFlush.idHelp) var id: Int64
  @OptionGroup(title: "Database") var database: DatabaseOptions
  @OptionGroup var options: ResultOptions

  func run() async throws {
    if let outbox = try database.outbox() {
      return try await CommandContext.run(options, storing: .never) { context in
        let stored = try await database.run(isRepeatable: true) { try await outbox.stored(id) }
        guard let entry = stored.entry() else {
          return try StandardOutput.print(String(decoding: stored.request, as: UTF8.self))
        }
        try context.write(entry.request, as: options.format, dialect: .request)
      }
    }
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
      again automatically. Changes that were refused earlier don't fail the command. With --postgres, it does not \
      wait for a replica that is sending them; it names the replica, and when its lease ends.
      """)

  static let idHelp = ArgumentHelp("ID from `nova outbox list`.", valueName: "id")

  @OptionGroup(title: "Database") var database: DatabaseOptions
  @OptionGroup var options: ResultOptions

  func run() async throws {
    try options.check(OutboxSummary.fields.descriptor)
    if let outbox = try database.outbox() {
      return try await CommandContext.run(options, storing: .never) { context in
        try await database.run(isRepeatable: true) { try await context.flush(outbox, as: options.format) }
      }
    }
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
      sending it again may apply it twice. With --postgres, sends nothing itself: the replicas of the service do.
      """)

  @Argument(help: OutboxFlush.idHelp) var id: Int64?
  @Flag(help: "Send all refused changes again.") var all = false
  @OptionGroup(title: "Database") var database: DatabaseOptions
  @OptionGroup var options: ResultOptions

  func validate() throws {
    if all, id != nil { throw ValidationError("--all and an ID cannot be combined") }
    guard all || id != nil else { throw ValidationError("missing <id>: name the change to send, or use --all") }
  }

  func run() async throws {
    try options.check(OutboxSummary.fields.descriptor)
    if let outbox = try database.outbox() { return try await retry(in: outbox) }
    try await CommandContext.run(options, storing: .outbox(isOffline: options.storing.offline)) { context in
      let outbox = try await context.outbox()
      if let id { _ = try await context.entry(id, in: outbox, ofAll: false) }
      try context.checkSending()
      if let id { try await outbox?.retry(id) } else { try await outbox?.retryAll() }
      try await context.flush(outbox, as: options.format)
    }
  }

  private func retry(in outbox: FleetOutbox) async throws {
    try await CommandContext.run(options, storing: .never) { _ in
      try await database.run {
        guard let id else {
          let count = try await outbox.retryAll()
          return Diagnostics.confirmation(
            "queued \(CountText.phrase(count, one: "refused change", many: "refused changes")) again")
        }
        try await outbox.retry(id)
        Diagnostics.confirmation("queued #\(id) again")
      }
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

  private static let cascadeHint = "Drop them all with --cascade."

  @Argument(help: OutboxFlush.idHelp) var id: Int64
  @Flag(help: "Also drop the changes that depend on the record it creates.") var cascade = false
  @OptionGroup(title: "Database") var database: DatabaseOptions
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let confirmation = try confirmation.confirmation(
      to: "discard change \(id)\(cascade ? " and what depends on it" : "")")
    if let outbox = try database.outbox() {
      return try await CommandContext.run(connection) { _ in
        try await database.run {
          let stored = try await outbox.stored(id)
          guard let entry = stored.entry() else {
            try confirmation.obtain("a change that cannot be read")
            try await outbox.discard(id)
            return Diagnostics.confirmation("discarded #\(id), which could not be read")
          }
          try confirmation.obtain("\(entry.rpc.id), made by \(entry.maker)")
          let others: [String]
          do {
            others = try await outbox.discard(id, cascade: cascade).dropFirst().map { "#\($0)" }
          } catch let error as FleetOutboxError where error.kind == .failedPrecondition && !cascade {
            throw Failure("cannot discard: \(error.reason)", hint: Self.cascadeHint, .failed)
          }
          let names = (["\(entry.rpc.id) #\(id)"] + others).conjunction
          Diagnostics.confirmation("discarded \(others.isEmpty ? "" : "\(others.count + 1) changes: ")\(names)")
        }
      }
    }
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
        throw Failure(
          "cannot discard: \(error.text.withoutAdvice.sentence)", hint: Self.cascadeHint, .failed)
      }
      let names = discarded.map { "\($0.rpc.id) #\($0.id)" }
      Diagnostics.confirmation("discarded \(names.count > 1 ? "\(names.count) changes: " : "")\(names.conjunction)")
    }
  }
}

struct OutboxEdit: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Replace the request of a change in a database, and send it again.",
    usage: "nova outbox edit <id> <request> --postgres <url> [<options>]",
    discussion: """
      The change must have been refused, or never sent. Sends nothing itself: the replicas of the service do. `nova \
      outbox show` prints the request as it is.
      """)

  @Argument(help: OutboxFlush.idHelp) var id: Int64
  @Argument(help: ArgumentHelp("The request as JSON, @file, or - for standard input.", valueName: "request"))
  var request: String
  @OptionGroup(title: "Database") var database: DatabaseOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let outbox = try database.required()
    let input = try RequestInput(request)
    try await CommandContext.run(connection) { _ in
      try await database.run {
        let rpc = try await outbox.rpc(of: id)
        let request: any ProtoMessage
        do {
          request = try rpc.requestType.init(refusingUnknownFieldsIn: input.bytes)
        } catch let error as ProtoJSONError {
          let failure = Failure(error, in: input.name)
          let names = error.unknownField?.message.fields.map(\.name).joined(separator: ", ")
          throw Failure(failure.message, hint: names.map { "Fields: \($0)." } ?? failure.hint, failure.status)
        }
        try await outbox.edit(id, to: request)
        Diagnostics.confirmation("queued #\(id) with its new request")
      }
    }
  }
}

struct OutboxDeliver: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deliver", abstract: "Send changes from a database as they come, until it is stopped.",
    usage: "nova outbox deliver --postgres <url> [<options>]",
    discussion: """
      Sends the changes of the signed-in user at the current gateway, together with any replicas of the service. Ctrl-C \
      or SIGTERM stops it: calls in progress end, what it has leased is given back, and it succeeds (0). Each refused \
      change is logged. When the database or the gateway cannot be reached, it logs why, tries again (the database \
      after at most 5 s, the gateway after at most 10 s), and logs when it can be reached again.
      """)

  @OptionGroup(title: "Database") var database: DatabaseOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    let outbox = try database.required()
    Interruption.begin(Interruption.ofServer, grace: 30)
    try await CommandContext.run(connection) { context in
      try await database.run(isRepeatable: true) {
        let replica = try await context.replica(of: outbox, warns: true)
        _ = try await outbox.statistics()
        Diagnostics.note("sending changes as they come; stop with Ctrl-C")
        await replica.run()
        if Interruption.status == .interrupted, System.isTerminal(System.standardError) { Diagnostics.write("") }
        Diagnostics.confirmation(OutboxSummary(sent: replica.delivered, refused: replica.refused).sentence)
      }
    }
  }
}
