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
/// No method throws. The animals stay until others are loaded, also if loading fails or is cancelled, and only the last
/// load changes them.
///
/// If the service's client has a store, stored animals show until the gateway's arrive, and stay with
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
  ///   - logger: gets a warning for each announcement that was left out, and for each load that failed. Default: none.
  public init(service: any AnnouncementsServiceProtocol, logger: Logger? = nil) {
    content = LatestLoad(service: service)
    self.logger = logger
  }

  /// The animals, in the server's order: nearest first if they were loaded near a place.
  public var animals: [Animal] { content.value?.animals ?? [] }
  /// The announcements that were left out because they violate the contract, and why.
  public var skipped: [SkippedAnnouncement] { content.value?.skipped ?? [] }
  /// Whether a load is in progress.
  public var isLoading: Bool { content.isLoading }
  /// Whether there is nothing to show although a list was loaded. False before the first load has ended, and after one
  /// that failed.
  public var isEmpty: Bool { content.value?.animals.isEmpty ?? false }
  /// "Unable to load data. Please try again later." if the last load failed; otherwise nil, also if it was cancelled. See
  /// ``errorReason``.
  public var errorMessage: String? { content.error.map { _ in UserMessage.text(.unableToLoadData) } }
  /// Why the last load failed, as a sentence to show below ``errorMessage``, for example that there is no connection; nil
  /// if it did not fail, and for responses that cannot be read.
  public var errorReason: String? { content.error.flatMap(UserMessage.reason) }

  /// Whether the animals come from the store of the service's client, and not from the gateway. Always false without a
  /// store.
  public var showsStoredContent: Bool { content.source.isStored }
  /// How old stored animals were when they were loaded; nil if they came from the gateway, and if the age is not known.
  public var contentAge: Duration? { content.source.storedAge }
  /// A sentence for the user if stored animals are shown because the gateway could not be reached; otherwise nil.
  public var outdatedMessage: String? { content.isOutdated ? UserMessage.text(.outdated) : nil }

  /// Loads the animals, and replaces those loaded before. Supersedes and cancels a load in progress. Returns when they are
  /// loaded, or the load was superseded or its task cancelled.
  ///
  /// - Parameter place: the user's position; the server lists the nearest animals first. Default: the server's own order.
  public func load(near place: Coordinate? = nil) async {
    self.place = place
    switch await content.load({ try await $0.list(near: place) }) {
    case .success(let list): for skipped in list.skipped { logger?.warning("skipped \(skipped)") }
    case .failure(let error): logger?.warning(error.logMessage(of: "the announcements"))
    case nil: break
    }
  }

  /// Loads the animals again, near the place of the last load.
  public func retry() async { await load(near: place) }
}

extension Error {
  /// What could not be loaded and why, without a server's texts other than the values in an ``AnnouncementError``.
  func logMessage(of content: String) -> Logger.Message {
    switch self {
    case let error as AnnouncementError: "\(error)"
    case let error as APIError: "cannot load \(content): \(error.code)"
    default: "cannot load \(content): \(type(of: self))"
    }
  }
}
