import NovaAnnouncements
import NovaAuth
public import NovaCore

/// Error messages for the users of an app.
public enum UserMessage {
  /// Returns a sentence for any error that services, sessions or session stores throw; nil for a cancellation.
  ///
  /// Never contains texts from a server.
  public static func text(of error: any Error) -> String? {
    switch error {
    case is CancellationError: nil
    case let error as APIError: error.code == .cancelled ? nil : error.userMessage
    case let error as AuthError: error.message
    case is AnnouncementError: unableToLoadPet
    case is SessionStoreError: "Your login could not be read or saved on this device."
    default: "Something went wrong. Please try again."
    }
  }

  /// What is shown from a store.
  static let outdated = "This was saved earlier and may be out of date."

  /// A list that could not be loaded.
  static let unableToLoadData = "Unable to load data. Please try again later."

  /// A lost or found pet that could not be loaded.
  static let unableToLoadPet = "Unable to load pet details"

  /// A capture that waits in an outbox.
  static let savedForLater = "Saved. It will be sent when you are online."

  /// What failed, followed by why; nil for a cancellation.
  static func text(_ what: String, _ error: any Error) -> String? { text(of: error).map { "\(what) \($0)" } }
}

extension APIError {
  /// What happened and what to do, as a sentence for the user of an app.
  ///
  /// Does not mention RPCs, statuses or requests; for the log, use ``description``.
  public var userMessage: String {
    saysNotStored ? Self.notStored : Self.sentences[code] ?? "Something went wrong. Please try again."
  }

  private static let notStored = "This is not stored on this device. Loading it needs a network connection."
  private static let troubled = "NovaSocial has a problem at the moment. Please try again later."
  private static let strange = "NovaSocial sent a response that this app does not understand. An update may help."
  private static let unsafe = "The app is not set up to reach NovaSocial safely."

  private static let sentences: [Code: String] = [
    .unauthorized: "Please log in again.",
    .permissionDenied: "You are not allowed to do this.",
    .notFound: "This no longer exists.",
    .conflict: "Someone else changed this at the same time. Please review it and try again.",
    .invalidArgument: "This is not possible as it is. Please check what you entered.",
    .failedPrecondition: "This is not possible at the moment.",
    .rateLimited: "Too many requests. Please wait a moment and try again.",
    .networkError: "NovaSocial cannot be reached. Please check your connection and try again.",
    .timeout: "NovaSocial took too long to respond. Please try again.",
    .unavailable: troubled, .serverError: troubled,
    .unimplemented: strange, .invalidResponse: strange, .decodingError: strange,
    .invalidURL: unsafe, .insecureConnection: unsafe,
    .unconfirmed: "This was saved, but not all of it. Please review it before you save it again.",
    .cancelled: "This was cancelled.",
  ]
}
