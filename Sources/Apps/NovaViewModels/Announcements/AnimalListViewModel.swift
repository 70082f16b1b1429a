public import Logging
public import NovaAnnouncements
import NovaCore
public import Observation

/// The view model of a list of lost and found pets.
///
/// ```swift
/// let model = AnimalListViewModel(service: nova.announcements)
/// await model.load(near: Coordinate(latitude: 52.23, longitude: 21.01))
/// for animal in model.animals { print(animal.name) }
/// print(model.errorMessage ?? "\(model.skipped.count) announcements left out")
/// ```
/// No method throws. The animals stay until others are loaded, even if loading fails or is cancelled, and only the last
/// load changes them.
///
/// If the service's client has a store, stored animals are shown until the gateway's arrive, and stay with
/// ``outdatedMessage`` if the gateway cannot be reached.
@MainActor @Observable
public final class AnimalListViewModel {
  @ObservationIgnored private let content: LatestLoad<AnimalList>
  @ObservationIgnored private let logger: Logger?
  @ObservationIgnored private var place: Coordinate?

  /// Creates a model without animals.
  ///
  /// - Parameters:
  ///   - service: the service that lists the announcements.
  ///   - logger: gets a warning for each announcement that is left out, and for each load that fails. Default: no
  ///     logger.
  public init(service: any AnnouncementsServiceProtocol, logger: Logger? = nil) {
    content = LatestLoad(service: service, logger: logger)
    self.logger = logger
  }

  /// The animals, in the server's order: nearest first if they were loaded near a place.
  public var animals: [Animal] { content.value?.animals ?? [] }
  /// The announcements that were left out because they violate the contract, and why.
  public var skipped: [SkippedAnnouncement] { content.value?.skipped ?? [] }
  /// Whether a load is in progress.
  public var isLoading: Bool { content.isLoading }
  /// Whether the loaded list is empty. False before the first load has ended, and after a failed one.
  public var isEmpty: Bool { content.value?.animals.isEmpty ?? false }
  /// "Unable to load data. Please try again later." if the last load failed; nil if it succeeded or was cancelled. See
  /// ``errorReason``.
  public var errorMessage: String? { content.error.map { _ in UserMessage.text(.unableToLoadData) } }
  /// Why the last load failed, as a sentence to show below ``errorMessage``, for example that the network cannot be
  /// reached; nil if it did not fail, and if the response is invalid.
  public var errorReason: String? { content.error.flatMap(UserMessage.reason) }

  /// Whether the animals come from the store of the service's client, and not from the gateway. Always false without a
  /// store.
  public var showsStoredContent: Bool { content.source.isStored }
  /// The age of stored animals when they were loaded; nil if they came from the gateway, and if the age is unknown.
  public var contentAge: Duration? { content.source.storedAge }
  /// A sentence for the user if stored animals are shown because the gateway could not be reached; otherwise nil.
  public var outdatedMessage: String? { content.isOutdated ? UserMessage.text(.outdated) : nil }

  /// Loads the animals, and replaces the earlier ones. Supersedes and cancels a load in progress. Returns when they are
  /// loaded, when the load is superseded, or when its task is cancelled.
  ///
  /// - Parameter place: the user's position; the server lists the nearest animals first. Default: the server's own
  ///   order.
  public func load(near place: Coordinate? = nil) async {
    self.place = place
    let list = await content.load("the announcements") { try await $0.list(near: place) }
    for skipped in list?.skipped ?? [] { logger?.warning("skipped \(skipped)") }
  }

  /// Loads the animals again, near the place of the last load.
  public func retry() async { await load(near: place) }
}
