extension AsyncStream where Element: Sendable {
  /// What `read` returns now and after each change, without repetitions. A slow reader gets only the latest.
  ///
  /// - Parameters:
  ///   - changes: a stream with an element now and one after each change.
  ///   - key: what makes two elements the same.
  package static func latest<Key: Equatable & Sendable>(
    after changes: AsyncStream<Int>, by key: @escaping @Sendable (Element) -> Key,
    _ read: @escaping @Sendable () async -> Element
  ) -> AsyncStream {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        // Nil before the first element.
        var last: Key?
        for await _ in changes {
          let element = await read()
          if .some(key(element)) == last { continue }
          last = .some(key(element))
          continuation.yield(element)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
