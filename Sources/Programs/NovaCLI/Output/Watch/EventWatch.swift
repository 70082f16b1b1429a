import NovaSDK

/// Shows events until the task is cancelled, or until there were enough.
struct EventWatch {
  private let topics: [EventTopic]
  private let start: String
  private let limit: Int?
  private let context: CommandContext
  private let subscription: EventSubscription
  private var writer: EventWriter

  init(_ topics: [EventTopic], after start: String, limit: Int?, writer: EventWriter, in context: CommandContext) {
    (self.topics, self.start, self.limit, self.writer, self.context) = (topics, start, limit, writer, context)
    subscription = context.events.subscribe(topics: topics, after: start)
  }

  /// - Throws: ``Failure`` with the command that continues, when a signal, the gateway, or a failure of the output has ended
  ///   it; ``OutputClosed``.
  mutating func run() async throws {
    let (events, output, subscription) = (context.events, context.output.descriptor, subscription)
    try await context.beginning { try await subscription.beginToFollow() }
    let names = topics.map { $0.rawValue.displayed }.joined(separator: ", ")
    Diagnostics.note("watching \(names)\(start.isEmpty ? "" : " after \(start)"); stop with Ctrl-C")
    if context.configuration.usesMockData {
      Diagnostics.note(
        "the mock backend in memory belongs to this command alone, so nothing will happen; watch a `nova serve` instead"
      )
    }
    let reporting = Task { await Self.reportStates(of: events, unless: { subscription.isEnded }) }
    let isReaderGone = Locked(false)
    let watchingReader = Task {
      // The next event may come late, or never.
      while !System.isReaderGone(output) { try await Task.sleep(for: .seconds(1)) }
      isReaderGone.withLock { $0 = true }
      subscription.cancel()
    }
    defer {
      reporting.cancel()
      watchingReader.cancel()
    }
    var isComplete = false
    do { isComplete = try await write() } catch  where !Interruption.happened {
      throw resumable(error)
    }
    guard Interruption.happened else {
      // As if the next event had been written.
      if isReaderGone.withLock({ $0 }), !isComplete { throw OutputClosed() }
      return
    }
    // Below the terminal's ^C.
    if System.isTerminal(System.standardError) { Diagnostics.write("") }
    throw Failure("interrupted", hint: resumption, Interruption.status)
  }

  /// - Returns: whether there were enough events.
  private mutating func write() async throws -> Bool {
    var rest = limit ?? .max
    for try await update in subscription {
      switch update {
      case .event(let event):
        try await writer.write(event)
        rest -= 1
      case .resync(let reason): try writer.write(resync: reason)
      }
      if rest == 0 { return true }
    }
    return false
  }

  /// The failure to report for an error, with the command that continues.
  private func resumable(_ error: any Error) -> any Error {
    let error = context.failure(for: (error as? APIError).map(context.explained) ?? error)
    guard let failure = error as? Failure, let resumption else { return error }
    return Failure(failure.message, hint: failure.hint.map { "\($0)\n\(resumption)" } ?? resumption, failure.status)
  }

  /// How to continue later: the same command, from this position.
  private var resumption: String? {
    guard let position = subscription.position else { return nil }
    var command = RepeatedCommand()
    let option = ["--after", position]
    if !command.replace("--after", with: option) { command.add(option) }
    guard let text = command.text else { return nil }
    // What does not fit has its own line, which is not wrapped, so that it can be copied.
    let fits = System.terminalWidth(System.standardError).map { text.columns + 20 <= $0 } ?? true
    return "resume with:\(fits ? " " : "\n  ")\(text)"
  }

  private static func reportStates(of events: EventService, unless isEnded: @escaping @Sendable () -> Bool) async {
    let report = Locked(ConnectionReport())
    @Sendable func write(_ note: (inout ConnectionReport) -> String?) {
      // The state after the end of the subscription is not reported: nothing connects again.
      if !Interruption.happened, !isEnded(), let text = report.withLock({ note(&$0) }) { Diagnostics.note(text) }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await state in events.states { write { $0.note(state) } } }
      group.addTask { for await pause in events.pauses { write { $0.note(pause) } } }
    }
  }
}

extension CommandContext {
  /// Events are never read from the store.
  var events: EventService {
    nova.events.with {
      $0 = options
      $0.cache = .networkOnly
    }
  }

  /// Begins a subscription.
  ///
  /// - Throws: what `begin` throws; ``Failure`` if the gateway has no events at all.
  func beginning(_ begin: () async throws -> Void) async throws {
    do { try await begin() } catch let error as APIError { throw explained(error) }
  }

  /// An error of the EventService, which older gateways do not have.
  func explained(_ error: APIError) -> any Error {
    let isMissing = error.code == .unimplemented || error.code == .notFound && error.server?.message.isEmpty != false
    guard isMissing, !error.isFromAnotherServer else { return error }
    return Failure("not supported: \(place) has no events (\(error.rpc ?? "EventService"))", .failed)
  }
}
