import NovaSDK

/// Why a download failed, for the user. Calls have other advice: their server is always the gateway, and their path that of
/// an RPC.
enum DownloadFailure {
  /// What to do if a mock backend in memory has no such file.
  static let emptyMock = """
    A mock backend in memory begins without uploads, and ends with the command. Start one that keeps them with `nova \
    serve` in another terminal, and leave out --mock.
    """

  /// The failure to report for an error of a download; other errors stay.
  static func of(_ error: any Error, downloading url: String, _ context: CommandContext) -> any Error {
    guard var error = error as? APIError else { return error }
    let place = try? context.client.place(of: url, for: MediaService.downloadBytes.descriptor)
    if error.code == .notFound, let place {
      // A gateway reports that it has no RPC with this path.
      error.restate(
        "not found", reason: "no file at \(place.isOnGateway ? place.url.path : place.url.textWithoutQuery)")
      error.server = nil
    }
    guard let place, !place.isOnGateway else {
      let failure = context.failure(for: error)
      guard error.code == .notFound, context.configuration.usesMockData, let failure = failure as? Failure else {
        return failure
      }
      return Failure(failure.message, hint: emptyMock, failure.status)
    }
    return Failure(Failure.sentence(error), hint: hint(error, from: place.url.origin.place, context), .of(error))
  }

  /// The advice for a URL that leads elsewhere than to the gateway, where no setting of the gateway helps.
  private static func hint(_ error: APIError, from place: String, _ context: CommandContext) -> String? {
    if context.configuration.usesMockData { return "--mock sends nothing: leave it out to download from \(place)." }
    switch error.code {
    case .unauthorized, .permissionDenied:
      return "The token is sent to the gateway only, which is not \(place). If the URL is signed, it may have expired."
    case .networkError where error.transport?.kind == .connectionRefused:
      return "Check the URL, and whether its server runs."
    case .networkError where error.transport?.kind == .nameResolution:
      return "Check the URL, and whether this machine is online."
    case .networkError: return "Check the URL."
    case .timeout where error.transport?.kind == .connectTimeout: return "Check the URL, and whether its server runs."
    case .timeout where error.transport?.kind == .idleTimeout: return Failure.silentServer
    case .timeout: return "Allow more time with --timeout, for example --timeout 10m."
    default: return nil
    }
  }
}
