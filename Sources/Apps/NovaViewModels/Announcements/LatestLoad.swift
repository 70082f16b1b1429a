import Logging
import NovaAnnouncements
import NovaCore
import Observation

/// The content of a screen about announcements. Only the last load may change it.
@MainActor @Observable
final class LatestLoad<Value: Sendable> {
  typealias Fetch = @Sendable (any AnnouncementsServiceProtocol) async throws -> Value

  private(set) var value: Value?
  /// Why the last load failed; nil if it succeeded or was cancelled, and while one is in progress.
  private(set) var error: (any Error)?
  private(set) var isLoading = false
  /// Where the value came from.
  private(set) var source = ResponseSource.network
  /// Whether the value is a stored one because the gateway could not be reached.
  private(set) var isOutdated = false

  @ObservationIgnored private let service: any AnnouncementsServiceProtocol
  @ObservationIgnored private let logger: Logger?
  @ObservationIgnored private var task: Task<Value?, Never>?
  /// Increases with each load.
  @ObservationIgnored private var number = 0

  /// - Parameter logger: gets a warning for each load that fails.
  init(service: any AnnouncementsServiceProtocol, logger: Logger?) { (self.service, self.logger) = (service, logger) }

  /// Forgets the content, and cancels a load in progress.
  func clear() {
    supersede()
    (value, error, source, isOutdated) = (nil, nil, .network, false)
  }

  /// Loads the content: first from the store if nothing is shown, and then from the gateway. Returns when the load has
  /// ended, is superseded, or its task is cancelled.
  ///
  /// - Parameter content: the name of the content in the log.
  /// - Returns: the content; nil if the load failed, or was superseded or cancelled.
  @discardableResult
  func load(_ content: String, _ fetch: @escaping Fetch) async -> Value? {
    supersede()
    let number = number
    isLoading = true
    error = nil
    let task = Task {
      if readsStore, value == nil, let stored = try? await get(fetch, .cacheOnly) { showStored(stored, number) }
      return finish(await getLatest(fetch), of: number, content: content)
    }
    self.task = task
    return await task.valueOrCancelled()
  }

  private func supersede() {
    task?.cancel()
    task = nil
    number += 1
    isLoading = false
  }

  /// Whether the service's client has a store, and the service has no cache policy of its own.
  private var readsStore: Bool { (service as? any NovaService)?.readsStore ?? false }

  private typealias Loaded = (value: Value, source: ResponseSource)

  /// - Parameter policy: the cache policy of the calls. Default: the service's own.
  private func get(_ fetch: Fetch, _ policy: CachePolicy? = nil) async throws -> Loaded {
    let source = ServiceSource()
    let service = service.withOptions { options in
      if let policy { options.cache = policy }
      options.note(source)
    }
    return (try await fetch(service), source.value)
  }

  /// Loads from the gateway, or from the store if the gateway cannot be reached.
  private func getLatest(_ fetch: Fetch) async -> Result<Loaded, any Error> {
    do { return .success(try await get(fetch, readsStore ? .networkOnly : nil)) } catch {
      if readsStore, (error as? APIError)?.meansUnreachable == true, let stored = try? await get(fetch, .cacheOnly) {
        return .success(stored)
      }
      return .failure(error)
    }
  }

  private func showStored(_ stored: Loaded, _ number: Int) {
    guard number == self.number, !Task.isCancelled else { return }
    (value, source) = stored
  }

  private func finish(_ loaded: Result<Loaded, any Error>, of number: Int, content: String) -> Value? {
    guard number == self.number else { return nil }
    isLoading = false
    task = nil
    if Task.isCancelled { return nil }
    switch loaded {
    case .success(let loaded):
      (value, source) = loaded
      isOutdated = readsStore && source.isStored
      return loaded.value
    case .failure(let error):
      if UserMessage.text(of: error) == nil { return nil }
      self.error = error
      logger?.warning(error.logMessage(of: content))
      // The announcement no longer exists, so the earlier content would be wrong.
      if (error as? APIError)?.meansGone == true {
        (value, source, isOutdated) = (nil, .network, false)
      }
      return nil
    }
  }
}

extension UserMessage {
  /// Why loading failed, if that helps the user; nil for invalid responses.
  static func reason(of error: any Error) -> String? {
    guard let error = error as? APIError else { return nil }
    return [.decodingError, .invalidResponse, .unimplemented].contains(error.code) ? nil : error.userMessage
  }
}

extension Error {
  /// What could not be loaded and why. The only texts of the server are the values in an ``AnnouncementError``.
  fileprivate func logMessage(of content: String) -> Logger.Message {
    switch self {
    case let error as AnnouncementError: "\(error)"
    case let error as APIError: "cannot load \(content): \(error.code)"
    default: "cannot load \(content): \(type(of: self))"
    }
  }
}
