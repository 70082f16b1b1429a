import NovaAuth
public import NovaCore

/// What went wrong, in the words of the person who uses the app.
public enum UserMessage {
  /// A sentence for any error that the services, the sessions or their stores throw; nil when somebody only changed
  /// their mind, that is for a cancellation.
  ///
  /// Texts that a server chose are not shown.
  public static func text(of error: any Error) -> String? {
    switch error {
    case is CancellationError: nil
    case let error as APIError: error.code == .cancelled ? nil : error.userMessage
    case let error as AuthError: error.message
    case is SessionStoreError: "Your login could not be read or kept on this device."
    default: "Something went wrong. Please try again."
    }
  }

  /// What did not work, followed by why; nil for a cancellation.
  static func text(_ what: String, _ error: any Error) -> String? { text(of: error).map { "\(what) \($0)" } }
}

extension APIError {
  /// What happened and what to do, in a sentence for the person who uses the app.
  ///
  /// It says nothing about RPCs, statuses and requests: ``description`` does, for the log.
  public var userMessage: String { Self.sentences[code] ?? "Something went wrong. Please try again." }

  private static let troubled = "NovaSocial has a problem at the moment. Please try again later."
  private static let strange = "NovaSocial gave an answer that this app does not understand. An update may help."
  private static let unsafe = "The app is not set up to reach NovaSocial safely."

  private static let sentences: [Code: String] = [
    .unauthorized: "Please log in again.",
    .permissionDenied: "You are not allowed to do this.",
    .notFound: "This is not there any more.",
    .conflict: "Somebody changed this at the same time. Please look at it and try again.",
    .invalidArgument: "This is not possible as it is. Please check what you entered.",
    .failedPrecondition: "This is not possible at the moment.",
    .rateLimited: "That was too much at once. Please wait a moment and try again.",
    .networkError: "NovaSocial cannot be reached. Please check your connection and try again.",
    .timeout: "NovaSocial took too long to answer. Please try again.",
    .unavailable: troubled, .serverError: troubled,
    .unimplemented: strange, .invalidResponse: strange, .decodingError: strange,
    .invalidURL: unsafe, .insecureConnection: unsafe,
    .unconfirmed: "This was saved, but not all of it. Please look at it before you save it again.",
    .cancelled: "This was cancelled.",
  ]
}
