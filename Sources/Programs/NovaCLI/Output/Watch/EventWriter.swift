import NovaSDK

/// Writes events as they come: a sentence each for people, or JSON.
struct EventWriter {
  private let context: CommandContext
  private let format: OutputFormat
  private let time: TimeStyle
  private let showsNames: Bool
  private var lookup: RecordLookup
  /// By the `byteKey` of the users' IDs.
  private var names: [String: String] = [:]

  /// - Parameter time: how times look. Default: as in ISO 8601, because lines stay on the screen.
  init(_ context: CommandContext, as format: OutputFormat, time: TimeStyle?, names: NameOptions) {
    (self.context, self.format, self.time) = (context, format, time ?? .iso)
    showsNames = !names.ids && context.output.isTerminal
    lookup = .users(context)
  }

  mutating func write(_ event: Event) async throws {
    guard format == .table else { return try write(json: try event.jsonUTF8(.response)) }
    if showsNames { try await learnNames(of: event) }
    // Relative to now, in each line.
    let time = TimeText(time).text(Timestamp(seconds: event.createdAt))
    try write(line: "\(time)  \(EventSentence(event, names: names).text)")
  }

  /// Writes that events may be missing.
  func write(resync reason: ResyncReason) throws {
    guard format == .table else {
      return try write(json: JSONValue.object([.init(name: "resync", value: .string(reason.rawValue))]).jsonUTF8)
    }
    try write(line: "resync: events may be missing (\(reason.rawValue)); read afresh what you show")
  }

  private func write(json: [UInt8]) throws {
    try context.output.writeLine(json: json)
    try context.output.settle()
  }

  private func write(line: String) throws {
    let width = System.terminalWidth(context.output.descriptor)
    for line in line.displayed.wrapped(to: width, after: "", indent: 2) { try context.output.writeLine(line) }
    try context.output.flush()
  }

  private mutating func learnNames(of event: Event) async throws {
    let unknown = [event.actorId, event.subjectId].filter { names[$0.byteKey] == nil }
    guard !unknown.isEmpty else { return }
    let found = try await lookup.records(unknown)
    for id in unknown { names[id.byteKey] = found[id.byteKey]?["username"]?.stringValue ?? id }
  }
}
