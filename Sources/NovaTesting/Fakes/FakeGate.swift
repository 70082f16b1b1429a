/// Holds calls to fakes until it is opened, so that a test decides which answer comes first.
///
/// ```swift
/// let gate = FakeGate()
/// users.getUserProfile.plays([.returns(first).after(gate), .returns(second)])
/// // … two loads …
/// gate.open()  // now the first answer comes, late
/// ```
public final class FakeGate: Sendable {
  private let isOpen = Watched(false)

  /// Creates a gate; it is closed.
  public init() {}

  /// Lets everybody pass who waits or comes later.
  public func open() { isOpen.change { $0 = true } }

  /// Returns once the gate is open.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled.
  public func pass() async throws { try await isOpen.wait { $0 } }
}
