public import NovaCapture
import NovaCore
public import Observation

/// What an app shows where a person writes a thought down and saves it.
///
/// ```swift
/// let model = CaptureViewModel(service: nova.capture)
/// model.text = "The light this morning."
/// if model.canSave { await model.save() }
/// print(model.successMessage ?? model.errorMessage ?? "")
/// ```
/// The text is never lost: it is cleared when it has been saved, and only if it is still the one that was saved. Whoever
/// writes on while a save is under way finds everything still there.
@MainActor @Observable
public final class CaptureViewModel {
  /// What is written.
  public var text = ""
  /// Whether a save is under way.
  public private(set) var isSaving = false
  /// "Saved", for 2 s after a save; else nil.
  public private(set) var successMessage: String?
  /// Why the last save failed, in a sentence for a person; nil if it did not, and once the next one has begun.
  public private(set) var errorMessage: String?
  /// Whether the last save failed because nobody is signed in any more: the app asks to log in again.
  public private(set) var needsReauthentication = false
  /// What was saved last; nil before the first time.
  public private(set) var lastSaved: Something?

  /// What is shown with ``needsReauthentication``, word for word what the app's other screens say.
  static let loginMessage = "Please log in again"

  /// How long "Saved" is shown.
  public static let successDuration = Duration.seconds(2)

  @ObservationIgnored private let service: any CaptureServiceProtocol
  @ObservationIgnored private let clock: any Clock<Duration>
  @ObservationIgnored private var dismissal: Task<Void, Never>?

  /// Creates a model with nothing written.
  ///
  /// - Parameters:
  ///   - service: where texts are captured.
  ///   - clock: what the 2 s of "Saved" go by.
  public init(service: any CaptureServiceProtocol, clock: any Clock<Duration> = ContinuousClock()) {
    self.service = service
    self.clock = clock
  }

  deinit { dismissal?.cancel() }

  /// How long the text is, in characters as people count them: a family emoji is one.
  public var characterCount: Int { text.count }

  /// Whether the text can be saved: it has the length that the contract allows, 1 to 10,000 characters, and no save is
  /// under way. Blanks count as characters.
  public var canSave: Bool {
    !isSaving && RequestRules.violation(in: CreateSomethingRequest(content: text)) == nil
  }

  /// What the text that was saved last means; nil as long as the backend has not found out.
  public var meaning: String? { lastSaved?.meaning }

  /// Saves the text; does nothing unless ``canSave``.
  ///
  /// Shows "Saved" and clears the text, or shows ``errorMessage`` and keeps the text. When the task is cancelled, the
  /// text stays and nothing is said. Does not throw.
  public func save() async {
    guard canSave else { return }
    let saved = text
    begin()
    do {
      finish(try await service.create(text: saved), of: saved)
    } catch {
      fail(error)
    }
  }

  private func begin() {
    isSaving = true
    dismissal?.cancel()
    successMessage = nil
    errorMessage = nil
    needsReauthentication = false
  }

  private func finish(_ something: Something, of saved: String) {
    isSaving = false
    lastSaved = something
    if text == saved { text = "" }
    successMessage = "Saved"
    // Weak, so that it keeps nobody alive; a message taken away too late would be the next save's.
    dismissal = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: Self.successDuration)) != nil, !Task.isCancelled else { return }
      self?.successMessage = nil
    }
  }

  private func fail(_ error: any Error) {
    isSaving = false
    if case APIError.unauthorized = error { needsReauthentication = true }
    errorMessage = needsReauthentication ? Self.loginMessage : UserMessage.text(of: error)
  }
}
