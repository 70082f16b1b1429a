extension Collection where Element: Sendable {
  /// Transforms all elements, with a limit on how many at a time.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of transforms that run at once; at least 1.
  ///   - transform: transforms one element.
  /// - Returns: the results, in the order of the elements.
  /// - Throws: the first error; the other transforms are cancelled.
  package func concurrentMap<Output: Sendable, Failure: Error>(
    limit: Int, _ transform: @escaping @Sendable (Element) async throws(Failure) -> Output
  ) async throws(Failure) -> [Output] {
    let result = await withTaskGroup(of: (Int, Result<Output, Failure>).self) { group in
      var outputs: [Output?] = Array(repeating: nil, count: count)
      var failure: Failure?
      func keep(_ index: Int, _ result: Result<Output, Failure>) {
        switch result {
        case .success(let output): outputs[index] = output
        case .failure(let error): failure = failure ?? error
        }
      }
      for (index, element) in enumerated() {
        if index >= Swift.max(1, limit), let (done, result) = await group.next() { keep(done, result) }
        if failure != nil { break }
        group.addTask {
          do throws(Failure) {
            return (index, .success(try await transform(element)))
          } catch {
            return (index, .failure(error))
          }
        }
      }
      if failure != nil { group.cancelAll() }
      while let (done, result) = await group.next() {
        keep(done, result)
        if failure != nil { group.cancelAll() }
      }
      return failure.map(Result.failure) ?? .success(outputs.compactMap(\.self))
    }
    return try result.get()
  }
}
