import Logging
import NovaOffline
import NovaSDK

/// The client and the output of a command. Its services have the options of the command line.
struct CommandContext: NovaServices {
  let nova: NovaClient
  let configuration: APIConfiguration
  let options: CallOptions
  let output: StandardOutput
  /// Whether requests are logged to standard error, between whose lines nothing can be redrawn.
  let isLogging: Bool
  /// How values look in tables and cards.
  let cells: CellText
  /// The store, and what the command has used of it; nil for a command that uses none.
  let stored: StoredAnswers?
  /// What the command has changed.
  let made: MadeChange

  var client: APIClient { nova.client }

  /// Where the token of calls comes from.
  enum Identity {
    /// NOVA_TOKEN, or else the session at the gateway if there is one, or else no token.
    case automatic
    /// The session, even if NOVA_TOKEN is set: for commands that open and end it.
    case session
  }

  /// Runs `body` until it returns or a signal cancels it.
  ///
  /// - Parameters:
  ///   - view: how the results are shown. Default: as they are.
  ///   - limit: what `--timeout` limits.
  ///   - use: whether the store is used.
  ///   - request: the request that `body` sends; required if it can hold a password or a token.
  /// - Throws: ``Failure``, ``Interrupted``, ``OutputClosed`` or ConfigurationError.
  static func run(
    _ connection: ConnectionOptions, showing view: OutputView? = nil, as identity: Identity = .automatic,
    limiting limit: ConnectionOptions.TimeLimit = .call, storing use: StoreUse = .never,
    sending request: (any ProtoMessage)? = nil, _ body: (CommandContext) async throws -> Void
  ) async throws {
    // Short, because the compiler makes a copy for each command's body.
    let context = try await begin(
      connection, showing: view, as: identity, limiting: limit, storing: use, sending: request)
    var failure: (any Error)?
    do { try await body(context) } catch { failure = error }
    try await context.end(after: failure)
  }

  private static func begin(
    _ connection: ConnectionOptions, showing view: OutputView?, as identity: Identity,
    limiting limit: ConnectionOptions.TimeLimit, storing use: StoreUse, sending request: (any ProtoMessage)?
  ) async throws -> CommandContext {
    if connection.quiet { Diagnostics.isQuiet = true }
    let configuration = try connection.configuration(limiting: limit, isOffline: use.isOffline ? true : nil)
    configuration.warnings.forEach(Diagnostics.warning)
    if !configuration.usesMockData { try System.requireDescriptors() }
    try await CredentialGuard(configuration).check(sending: request)
    // Before anything is sent: the output would be lost.
    if view?.usesOutput == true { try StandardOutput.require() }
    let made = MadeChange()
    let output = try view?.filter.standardOutput() ?? StandardOutput()
    let stored = try use.answers(configuration)
    var options = CallOptions(timeout: connection.timeout?.duration, cache: use.policy)
    if let stored { options.onSource = { stored.note($0) } }
    // All calls of a command are its first caller's, even if another user signs in. A command that opens or ends a session
    // changes the caller itself.
    if identity == .automatic { options.caller = OperationCaller() }
    let context = CommandContext(
      nova: try await client(configuration, connection, as: identity, store: stored?.store, made: made),
      configuration: configuration,
      options: options, output: output, isLogging: Self.isLogging(configuration, verbose: connection.verbose),
      cells: view?.cells ?? CellText(isTerminal: output.isTerminal), stored: stored, made: made)
    Interruption.begin()
    return context
  }

  /// Finishes the output and the session, and ends the client.
  ///
  /// - Throws: what the command failed with, or else why its output or its session could not be saved.
  private func end(after failure: (any Error)?) async throws {
    var failure = failure
    do {
      if let failure { throw failure }
      try output.finish()
    } catch {
      failure = error
      // Complete parts of the output stay.
      if !Interruption.happened { try? output.finish() }
    }
    stored?.report(try? nova.offline.outbox)
    // Of every command, also of those without the store: changes of the user may be lost.
    if !configuration.usesMockData { OfflineDirectory(configuration)?.damageNotices.forEach(Diagnostics.warning) }
    let unsaved = await Self.finish(try? nova.sessions)
    if isEndOfSession(failure) { SessionFile.noteEnd(configuration) }
    // Its thread must end before the program exits, which unloads the libraries.
    await nova.client.shutdown(grace: .zero)
    leaveClientInMemory()
    if let failure {
      if let unsaved { Diagnostics.warning(unsaved.message) }
      throw self.failure(for: failure)
    }
    if let unsaved { throw unsaved }
  }

  /// Whether a failure is that of a session that the gateway has ended, which removes it here.
  private func isEndOfSession(_ failure: (any Error)?) -> Bool {
    guard (failure as? APIError)?.code == .unauthorized, configuration.token == nil, (try? nova.sessions) != nil else {
      return false
    }
    return !SessionFile.exists(configuration)
  }

  /// Never frees the client: the program ends, and freeing the mock's data would take more than a millisecond.
  private func leaveClientInMemory() { _ = Unmanaged.passRetained(nova.client) }

  /// The same with a command's options.
  ///
  /// - Parameter use: whether the store is used. Default: if the options ask for it.
  static func run(
    _ options: some CommandOptions, as identity: Identity = .automatic, storing use: StoreUse? = nil,
    sending request: (any ProtoMessage)? = nil, _ body: (CommandContext) async throws -> Void
  ) async throws {
    try await run(
      options.connection, showing: options.view, as: identity, storing: use ?? .chosen(options.storing),
      sending: request, body)
  }

  /// Finishes a session's pending work: an interrupted refresh or unsaved tokens can end the session.
  ///
  /// - Returns: why the session could not be saved; nil if it is.
  static func finish(_ sessions: SessionManager?) async -> Failure? {
    guard let sessions else { return nil }
    // Detached, because a signal cancels only the command.
    return await Task.detached {
      // A refresh continues only if the call that started it has timed out, and will time out soon as well.
      let end = ContinuousClock.now.advanced(by: .seconds(2))
      try? await Race.run(until: end, ContinuousClock(), timeUp: CancellationError()) {
        await sessions.waitForRefresh()
      }
      do {
        try await sessions.saveUnsaved()
        return nil
      } catch {
        return Failure(
          "the session was refreshed but could not be saved: \(error)",
          hint:
            "The next command may require a new sign-in: make sure that the file is writable, then run one soon.",
          .sessionNotSaved)
      }
    }.value
  }

  /// The name of the gateway or mock in messages.
  var place: String {
    configuration.place(of: "auth") + (configuration.context.map { " (context \($0))" } ?? "")
  }

  private static func client(
    _ configuration: APIConfiguration, _ connection: ConnectionOptions, as identity: Identity,
    store: (any CallStore)?, made: MadeChange
  ) async throws -> NovaClient {
    let logger = logger(configuration, verbose: connection.verbose)
    // Log output would interrupt the line.
    let shownLine = logger.logLevel == .critical ? StatusLine.standardError : nil
    var options = ClientOptions()
    options.logger = logger
    options.store = store
    options.observer = CallTrace(isComplete: connection.explain, line: shownLine, made: made) { rpc in
      configuration.usesMockData
        ? "the mock backend" : configuration.baseURL(for: rpc.service).origin.place
    }
    options.resilience = .ofCommand(
      configuration, isInteractive: System.isTerminal(System.standardError))
    let isSignedIn = configuration.token == nil ? try await SessionFile.isSignedIn(configuration) : false
    guard identity == .session || isSignedIn else {
      return NovaClient(configuration: configuration) { $0 = options }
    }
    return NovaClient(
      configuration: configuration, sessionStore: try SessionFile.store(configuration, line: shownLine),
      refreshing: RefreshPolicy(refreshesInBackground: false, timeout: connection.callTimeout)
    ) { $0 = options }
  }

  /// A logger on standard error, which is silent unless logs are enabled.
  static func logger(_ configuration: APIConfiguration, verbose: Bool) -> Logger {
    var logger = Logger(label: "nova", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = isLogging(configuration, verbose: verbose) ? configuration.logLevel ?? .debug : .critical
    return logger
  }

  private static func isLogging(_ configuration: APIConfiguration, verbose: Bool) -> Bool {
    verbose || configuration.logLevel != nil || configuration.asksForRequestLogs
  }

  /// The failure to report for an error of a call.
  func failure(for error: any Error) -> any Error {
    if Interruption.happened {
      // What was interrupted may say how to continue.
      if let failure = error as? Failure, failure.status == Interruption.status { return failure }
      return Interrupted()
    }
    switch error {
    case let error as APIError:
      if let failure = stored?.failure(for: error) { return failure }
      let failure = Failure(error, baseURL: configuration.baseURL, signIn: configuration.signInAdvice)
      return Failure(failure.message, hint: hint(failure.hint, after: error), failure.status)
    case let error as AuthError: return Failure(error)
    case let error as SessionStoreError: return Failure(error)
    case let error as AnnouncementError: return Failure("\(error)", .badData)
    case let failure as Failure where failure.isOfOutput:
      return Failure(failure.message, hint: made.sentence ?? failure.hint, failure.status)
    default: return error
    }
  }

  /// The hint for a call that failed, with what this user's configuration adds to it.
  private func hint(_ hint: String?, after error: APIError) -> String? {
    let running = RunningServers.advice(after: error, configuration)
    // Without a token, the gateway may be the right one.
    let advice = error.code == .unauthorized ? [hint, running].joined : running ?? hint
    guard error.code == .networkError, let context = configuration.context else { return advice }
    return ["Context \(context) is in use.", advice].joined
  }
}

extension [String?] {
  /// The sentences on one line; nil for an empty list.
  fileprivate var joined: String? {
    let sentences = compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }
}

/// Does not retry when nothing listens on this machine: on a terminal, the user can read the error and start the
/// server. Scripts may have just started it themselves, and continue to retry.
struct NothingListens: RetryRule {
  let configuration: APIConfiguration

  func objection(to failure: FailedAttempt) -> StopReason? {
    guard failure.error.transport?.kind == .connectionRefused,
      configuration.baseURL(for: failure.rpc.service).origin.isLoopback
    else { return nil }
    return .custom("nothing listens there on this machine")
  }
}

extension Resilience {
  /// The retry policy of a command, which retries less on a terminal.
  static func ofCommand(_ configuration: APIConfiguration, isInteractive: Bool) -> Resilience {
    guard isInteractive else { return Resilience() }
    return Resilience(retry: .standard(of: configuration).adding(NothingListens(configuration: configuration)))
  }
}
