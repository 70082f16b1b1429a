/// Raises the priorities of tasks that others wait for without being their parents, if the system supports it.
package enum PriorityEscalation {
  /// Runs `body`, and calls `raise` with the new priority whenever the calling task's priority is raised.
  package nonisolated(nonsending) static func forwarding<Result, Failure>(
    to raise: @escaping @Sendable (TaskPriority) -> Void,
    _ body: nonisolated(nonsending) () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return try await body() }
    return try await withTaskPriorityEscalationHandler(
      operation: body, onPriorityEscalated: { _, new in raise(new) })
  }
}

extension Task {
  /// Raises the priority of the task. A lower priority has no effect.
  package func raisePriority(to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { escalatePriority(to: priority) }
  }
}
