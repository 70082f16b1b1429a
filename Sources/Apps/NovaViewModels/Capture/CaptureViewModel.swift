public import NovaCapture
public import NovaCore
public import NovaEvents
public import Observation

/// The view model of an editor that captures texts.
///
/// ```swift
/// let model = CaptureViewModel(service: nova.capture)
/// model.text = "The light this morning."
/// if model.canSave { await model.save() }
/// print(model.successMessage ?? model.errorMessage ?? "")
/// ```
/// The text is never lost: it is cleared only after it was saved, and only if it has not changed since.
///
/// If the service's client has a store, a text that cannot be sent is saved in the store's outbox and sent later; see
/// ``isLastSaveWaiting``.
@MainActor @Observable
public final class CaptureViewModel {
  /// The text in the editor.
  public var text = ""
  /// Whether a save is in progress.
  public private(set) var isSaving = false
  /// "Saved!", or that the text will be sent later, for 2 s after a save; otherwise nil.
  public private(set) var successMessage: String?
  /// Why the last save failed, as a sentence for the user; nil if it succeeded, or the next one has begun.
  public private(set) var errorMessage: String?
  /// The code of the error that ``errorMessage`` describes; nil without an error, and for errors of other types.
  public private(set) var errorCode: APIError.Code?
  /// Whether the last save failed because the session has ended: ask the user to log in again.
  public private(set) var needsReauthentication = false
  /// The record of the last save; nil before the first save.
  public private(set) var lastSaved: Something?
  /// Whether the last save was stored in the outbox of the client's store because it could not be sent. The ID of
  /// ``lastSaved`` is then temporary and negative. Stays true until the next save, even after the text is sent.
  public private(set) var isLastSaveWaiting = false

  /// How long ``successMessage`` is shown.
  public static let successDuration = Duration.seconds(2)

  @ObservationIgnored private let service: any CaptureServiceProtocol
  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private let tracker: (any Tracker)?
  @ObservationIgnored private var dismissal: Task<Void, Never>?
  @ObservationIgnored private let events: EventService?
  @ObservationIgnored private var updates: LiveUpdates?
  /// The last text that got a meaning. Its event may arrive before the response to its save.
  @ObservationIgnored private var lastWithMeaning: Int64?

  /// Creates a model with an empty text.
  ///
  /// - Parameters:
  ///   - service: the service that captures the texts.
  ///   - clock: the clock for ``successDuration``.
  ///   - tracker: gets an event for each ``screenOpened()``. Default: no tracker.
  ///   - events: the service for ``follow(live:)``. Default: no service.
  public init(
    service: any CaptureServiceProtocol, clock: any Clock<Duration> = ContinuousClock(), tracker: (any Tracker)? = nil,
    events: EventService? = nil
  ) {
    self.service = service
    self.events = events
    self.clock = clock
    self.tracker = tracker
  }

  deinit { dismissal?.cancel() }

  /// Tracks the event `screen_opened` with the property `screen`: `capture`. Call it when the editor appears; without a
  /// tracker, it has no effect.
  public func screenOpened() { tracker?.track("screen_opened", properties: ["screen": "capture"]) }

  /// The length of the text in characters as people count them: a family emoji is one character.
  public var characterCount: Int { text.count }

  /// Whether the text can be saved: it has 1 to 10,000 characters, and no save is in progress. Blanks count as
  /// characters.
  public var canSave: Bool {
    !isSaving && RequestRules.violation(in: CreateSomethingRequest(content: text)) == nil
  }

  /// The meaning of the last saved text; nil until the backend has determined it.
  public var meaning: String? { lastSaved?.meaning }

  /// Starts or stops to show the ``meaning`` of the last saved text as soon as the backend has determined it. Call it
  /// when the editor appears. Without the service for events, it has no effect.
  public func follow(live isLive: Bool) {
    guard isLive, let events else {
      updates?.stop()
      return updates = nil
    }
    guard updates == nil else { return }
    updates = LiveUpdates(events) { [weak self] update in self?.receive(update) }
    updates?.follow([.me])
  }

  private func receive(_ update: EventUpdate) {
    switch update {
    case .event(let event) where event.kind == .somethingMeaning:
      lastWithMeaning = event.somethingId
      if lastSaved?.id == event.somethingId { loadMeaning() }
    case .event: break
    case .resync: loadMeaning()
    }
  }

  private func loadMeaning() {
    guard let id = lastSaved?.id, id > 0 else { return }
    Task { [weak self, service] in
      guard let something = try? await service.getSomething(GetSomethingRequest(id: id)) else { return }
      if self?.lastSaved?.id == id { self?.lastSaved = something }
    }
  }

  /// Saves the text; does nothing unless ``canSave``.
  ///
  /// Shows ``successMessage`` and clears the text, or shows ``errorMessage`` and keeps the text. If the task is
  /// cancelled, the text stays and no message is shown. Does not throw.
  public func save() async {
    guard canSave else { return }
    let saved = text
    begin()
    let source = ServiceSource()
    do {
      let something = try await service.noting(source).create(text: saved)
      finish(something, of: saved, waits: source.value == .outbox)
    } catch {
      fail(error)
    }
  }

  private func begin() {
    isSaving = true
    updates?.noteLoad()
    dismissal?.cancel()
    successMessage = nil
    errorMessage = nil
    errorCode = nil
    needsReauthentication = false
  }

  private func finish(_ something: Something, of saved: String, waits: Bool) {
    isSaving = false
    lastSaved = something
    isLastSaveWaiting = waits
    if something.meaning == nil, something.id == lastWithMeaning { loadMeaning() }
    if text == saved { text = "" }
    successMessage = UserMessage.text(waits ? .savedForLater : .saved)
    // Weak, so that the wait does not keep the model alive. The next save cancels it, because its own message must
    // stay.
    dismissal = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: Self.successDuration)) != nil, !Task.isCancelled else { return }
      self?.successMessage = nil
    }
  }

  private func fail(_ error: any Error) {
    isSaving = false
    if case APIError.unauthorized = error { needsReauthentication = true }
    errorMessage = needsReauthentication ? UserMessage.text(.logInAgain) : UserMessage.text(of: error)
    errorCode = errorMessage == nil ? nil : (error as? APIError)?.code
  }
}
