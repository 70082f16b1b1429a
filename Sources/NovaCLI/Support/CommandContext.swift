import Logging
import NovaCore
import NovaSDK

/// A client that a command makes its calls through, and its output.
struct CommandContext {
  let nova: NovaClient
  let configuration: APIConfiguration
  let options: CallOptions
  let output = StandardOutput()

  // The services, with the options of the command line.
  var graph: GraphService { nova.graph.with(options) }
  var social: SocialService { nova.social.with(options) }
  var content: ContentService { nova.content.with(options) }
  var media: MediaService { nova.media.with(options) }
  var users: UserService { nova.users.with(options) }
  var auth: AuthService { nova.auth.with(options) }
  var feed: FeedService { nova.feed.with(options) }

  /// Lets `body` make calls.
  ///
  /// - Throws: ``Failure``, ``Interrupted``, ``OutputClosed`` or ConfigurationError.
  static func run(_ connection: ConnectionOptions, _ body: (CommandContext) async throws -> Void) async throws {
    let configuration = try connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    let transport = NovaClient.transport(configuration)
    let context = CommandContext(
      nova: NovaClient(
        configuration: configuration, transport: transport, observer: CallStory(isWhole: connection.explain),
        logger: logger(configuration, verbose: connection.verbose)),
      configuration: configuration, options: CallOptions(timeout: connection.timeout?.duration))
    Interruption.begin()
    var failure: (any Error)?
    do {
      try await body(context)
      try context.output.flush()
    } catch { failure = error }
    // Its thread must be gone before the program ends and takes the libraries down under it.
    if let transport = transport as? CurlTransport { await transport.shutdown() }
    if let failure { throw context.translated(failure) }
  }

  /// A logger on standard error, if one was asked for.
  private static func logger(_ configuration: APIConfiguration, verbose: Bool) -> Logger? {
    guard verbose || configuration.logLevel != nil else { return nil }
    var logger = Logger(label: "nova", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = configuration.logLevel ?? .debug
    return logger
  }

  private func translated(_ error: any Error) -> any Error {
    if Interruption.happened { return Interrupted() }
    if let error = error as? APIError { return Failure(error, baseURL: configuration.baseURL) }
    return error
  }
}
