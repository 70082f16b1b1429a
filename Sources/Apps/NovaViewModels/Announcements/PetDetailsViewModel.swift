public import Logging
public import NovaAnnouncements
import NovaCore
public import Observation

/// The view model of the details of a lost or found pet.
///
/// ```swift
/// let model = PetDetailsViewModel(service: nova.announcements)
/// await model.load(id: "pet-1")
/// print(model.pet?.name ?? model.errorMessage ?? "")
/// ```
/// No method throws. The details of a pet stay until others are loaded, even if loading fails or is cancelled. They
/// disappear at once if you load another pet, and if the announcement no longer exists. Only the last load changes
/// them.
///
/// If the service's client has a store, stored details are shown until the gateway's arrive, and stay with
/// ``outdatedMessage`` if the gateway cannot be reached.
@MainActor @Observable
public final class PetDetailsViewModel {
  /// The ID of the announcement that is shown or being loaded; nil before the first load.
  public private(set) var id: String?

  @ObservationIgnored private let content: LatestLoad<PetDetails>

  /// Creates a model without a pet.
  ///
  /// - Parameters:
  ///   - service: the service that has the announcements.
  ///   - logger: gets a warning for each load that fails. For an invalid announcement, the warning has its ID and what
  ///     is wrong. Default: no logger.
  public init(service: any AnnouncementsServiceProtocol, logger: Logger? = nil) {
    content = LatestLoad(service: service, logger: logger)
  }

  /// The pet; nil until it is loaded.
  public var pet: PetDetails? { content.value }
  /// Whether a load is in progress.
  public var isLoading: Bool { content.isLoading }
  /// "Unable to load pet details" if the last load failed; nil if it succeeded or was cancelled. See ``errorReason``.
  public var errorMessage: String? { content.error.map { _ in UserMessage.text(.unableToLoadPet) } }
  /// Why the last load failed, as a sentence to show below ``errorMessage``, for example that the announcement no
  /// longer exists; nil if it did not fail, and if the announcement is invalid.
  public var errorReason: String? { content.error.flatMap(UserMessage.reason) }

  /// Whether the details come from the store of the service's client, and not from the gateway. Always false without a
  /// store.
  public var showsStoredContent: Bool { content.source.isStored }
  /// The age of stored details when they were loaded; nil if they came from the gateway, and if the age is unknown.
  public var contentAge: Duration? { content.source.storedAge }
  /// A sentence for the user if stored details are shown because the gateway could not be reached; otherwise nil.
  public var outdatedMessage: String? { content.isOutdated ? UserMessage.text(.outdated) : nil }

  /// Loads a pet. Supersedes and cancels a load in progress. Returns when the pet is loaded, when the load is
  /// superseded, or when its task is cancelled.
  public func load(id: String) async {
    if !self.id.hasSameBytes(as: id) { content.clear() }
    self.id = id
    await content.load("announcement \(id.printable(to: 60))") { try await $0.detail(id: id) }
  }

  /// Loads the pet again; does nothing before the first load.
  public func retry() async { if let id { await load(id: id) } }
}
