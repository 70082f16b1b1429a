public import Logging
import NovaCapture
import NovaCore
public import NovaViewModels

// The view models on a client with all services. `UserProfileViewModel()` uses the shared client and its user.

extension UserProfileViewModel {
  /// Creates a view model on a client.
  ///
  /// ```swift
  /// let model = UserProfileViewModel(nova: .shared)
  /// await model.loadUserProfile(userId: "mock-user-id")
  /// ```
  /// - Parameters:
  ///   - nova: the client with the services. Default: the shared one.
  ///   - currentUserId: the ID of the viewer. Default: the user who is signed in at the client now, if any. If the
  ///     program starts with a stored session, load that first: `try await nova.sessions.session()`.
  ///   - pageSize: the number of items of a list to load at a time, 1…100. Default: 50.
  public convenience init(nova: NovaClient = .shared, currentUserId: String? = nil, pageSize: Int = 50) {
    self.init(
      currentUserId: currentUserId ?? (try? nova.sessions)?.current?.user.id, graph: nova.graph, social: nova.social,
      content: nova.content, media: nova.media, users: nova.users, pageSize: pageSize, tracker: nova.client.tracker,
      events: nova.events)
  }
}

extension CaptureViewModel {
  /// Creates a model with an empty text on a client, by default the shared one.
  public convenience init(nova: NovaClient = .shared) {
    self.init(service: nova.capture, tracker: nova.client.tracker, events: nova.events)
  }
}

extension ProfileLoader {
  /// Creates a loader on a client, by default the shared one.
  ///
  /// - Parameter pageSize: the number of items of a list to load at a time, 1…100; other values are clamped. Default:
  ///   50.
  public init(nova: NovaClient = .shared, pageSize: Int = 50) {
    self.init(users: nova.users, graph: nova.graph, content: nova.content, social: nova.social, pageSize: pageSize)
  }
}

extension AppState {
  /// Creates a state that follows the session of ``NovaClient/shared``.
  public convenience init() { self.init(sessions: SharedClient.sessions) }
}

extension AnimalListViewModel {
  /// Creates a model without animals on a client, by default the shared one.
  ///
  /// - Parameter logger: gets a warning for each announcement that is left out, and for each load that fails. Default:
  ///   no logger.
  public convenience init(nova: NovaClient = .shared, logger: Logger? = nil) {
    self.init(service: nova.announcements, logger: logger)
  }
}

extension PetDetailsViewModel {
  /// Creates a model without a pet on a client, by default the shared one.
  ///
  /// - Parameter logger: gets a warning for each load that fails. Default: no logger.
  public convenience init(nova: NovaClient = .shared, logger: Logger? = nil) {
    self.init(service: nova.announcements, logger: logger)
  }
}
