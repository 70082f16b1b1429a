internal import NovaSupport

/// Values in the process, for a short time. Bounded; the oldest are removed first.
final class NearCache: Sendable {
  private struct State {
    var values: [String: (value: [UInt8], end: ContinuousClock.Instant)] = [:]
    var order = Queue<String>()
    var byteCount = 0
    /// Grows with each invalidation.
    var epoch = 0
    /// Whether invalidations arrive. Without them, nothing is kept.
    var isActive = false
  }

  private let limit: Int
  private let state = Locked(State())

  /// - Parameter limit: the maximum size of all values in bytes.
  init(limit: Int) { self.limit = limit }

  var epoch: Int { state.withLock { $0.epoch } }
  var isActive: Bool { state.withLock { $0.isActive } }

  func value(_ name: String, at now: ContinuousClock.Instant) -> [UInt8]? {
    state.withLock { state in
      guard let found = state.values[name], now < found.end else { return nil }
      return found.value
    }
  }

  /// Keeps a value, unless something was invalidated since `epoch`.
  func insert(_ name: String, _ value: [UInt8], until end: ContinuousClock.Instant, since epoch: Int) {
    state.withLock { state in
      guard state.isActive, state.epoch == epoch, value.count <= limit / 8 else { return }
      if let old = state.values.updateValue((value, end), forKey: name) {
        state.byteCount -= old.value.count
      } else {
        state.order.append(name)
        state.byteCount += 64
      }
      state.byteCount += value.count
      while state.byteCount > limit, let oldest = state.order.popFirst() {
        if let removed = state.values.removeValue(forKey: oldest) { state.byteCount -= removed.value.count + 64 }
      }
    }
  }

  func remove(_ name: String) {
    state.withLock { state in
      state.epoch += 1
      // Its place in the order stays until then, and its name counts.
      guard let old = state.values[name] else { return }
      state.byteCount -= old.value.count
      state.values[name] = ([], old.end.advanced(by: .seconds(-86_400)))
    }
  }

  /// Removes everything.
  func reset(isActive: Bool) {
    state.withLock { $0 = State(epoch: $0.epoch + 1, isActive: isActive) }
  }
}
