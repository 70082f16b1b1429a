import NovaCore

extension Locked where Value: Sendable {
  /// Replaces the value, and returns the one before.
  func exchange(_ new: Value) -> Value {
    withLock { value in
      defer { value = new }
      return value
    }
  }
}
