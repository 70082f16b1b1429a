import ArgumentParser
import NovaSDK

struct Watch: AsyncParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show events as they happen.",
    usage: "nova watch <topic> ... [--after <position>] [--limit <count>] [<options>]",
    discussion: """
      nova watch user:ada post:post-1
      nova watch me --output ndjson --limit 10

      Topics: user:<id> (the user's profile, follows, and posts), post:<id> (the post's likes, comments, shares, and \
      edits), feed:<id> (new posts by the users that this user follows), and me (everything that happens to the \
      signed-in user).

      Continues until Ctrl-C, and then prints the command that continues from there. A lost connection is reopened, \
      and the missed events are shown first. If the gateway no longer has them, a line reports it: \
      {"resync":"position_gone"} in JSON.
      """)

  @Argument(
    help: "What to watch: user:<id>, post:<id>, feed:<id>, or me. A user can be @ and the name.",
    completion: .list(["me", "user:", "post:", "feed:"]), transform: WatchedTopic.parse)
  var topics: [EventTopic]

  @Option(
    help: .value("position", "Show the events after this position, the ID of an event. Default: new events only."))
  var after = ""

  @Option(name: [.customShort("L"), .long], help: .value("count", "End after this many events."))
  var limit: Int?

  @OptionGroup var names: NameOptions
  @OptionGroup var output: OutputOptions<WatchFormat>
  @OptionGroup var filter: FilterOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    try checkOutput()
    if let limit, limit < 1 { throw ValidationError("invalid --limit: must be 1 or more, got \(limit)") }
    if topics.count > EventTopic.maximumCount {
      throw ValidationError("too many topics: at most \(EventTopic.maximumCount), got \(topics.count)")
    }
    if after.utf8.count > ArgumentLimits.idBytes {
      throw ValidationError("invalid --after: must have at most \(ArgumentLimits.idBytes) bytes")
    }
  }

  func run() async throws {
    try check(Event.descriptor)
    try await CommandContext.run(connection, showing: view) { context in
      let topics = try await resolved(topics, context)
      let isTerminal = context.output.isTerminal
      // What jq reads is one event at a time.
      let format = chosenFormat == .json && output.format == nil ? .ndjson : chosenFormat
      let writer = EventWriter(
        context, as: format ?? (isTerminal ? .table : .ndjson), time: output.time, names: names)
      var watch = EventWatch(topics, after: after, limit: limit, writer: writer, in: context)
      try await watch.run()
    }
  }
}

extension Watch {
  /// The topics with IDs in the place of names, all of which exist as far as the gateway reports it.
  private func resolved(_ topics: [EventTopic], _ context: CommandContext) async throws -> [EventTopic] {
    var resolved: [EventTopic] = []
    for topic in topics {
      let parts = topic.rawValue.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        resolved.append(topic)
        continue
      }
      guard parts[0] != "post" else {
        try await context.requirePost(parts[1])
        resolved.append(topic)
        continue
      }
      let id = try await context.id(ofUser: parts[1])
      if !UserReference(parts[1]).isExplicit { try await context.requireUser(id) }
      resolved.append(EventTopic(rawValue: "\(parts[0]):\(id)"))
    }
    return resolved
  }
}

/// The formats of events.
enum WatchFormat: String, OutputFormats {
  case table, ndjson

  static let help: ArgumentHelp =
    "table (a sentence for each event) or ndjson. Default: table on a terminal, otherwise ndjson."
  static let defaultTime = "iso"
}

/// A topic on the command line.
enum WatchedTopic {
  private static let kinds = ["user", "post", "feed"]

  /// - Throws: ValidationError for an invalid topic.
  static func parse(_ text: String) throws -> EventTopic {
    if text == EventTopic.me.rawValue { return .me }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, kinds.contains(parts[0]), EntityID(argument: parts[1]) != nil {
      return EventTopic(rawValue: text)
    }
    throw ValidationError(
      "invalid topic \(text.printable(to: 100).quoted): must be user:<id>, post:<id>, feed:<id> or me\(advice(parts))")
  }

  private static func advice(_ parts: [String]) -> String {
    guard let first = parts.first, !first.isEmpty else { return "" }
    if parts.count == 2 { return kinds.contains(first) ? "" : Suggestions.question(for: first, among: kinds) }
    // An id alone, most likely.
    if kinds.contains(first) || EntityID(argument: first) == nil { return "" }
    return "; did you mean user:\(first.printable(to: 60))?"
  }
}
