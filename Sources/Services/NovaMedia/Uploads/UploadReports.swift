import NovaCore

/// Reports how much is uploaded, if the bytes are not sent through the gateway. The upload does not wait for reports,
/// and only the latest one is sent.
final class UploadReports: Sendable {
  private let sizes: AsyncStream<Int>.Continuation
  private let sending: Task<Void, Never>

  /// - Parameter send: sends a report.
  init(_ send: @escaping @Sendable (Int) async throws -> Void) {
    let (stream, sizes) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    self.sizes = sizes
    sending = Task {
      // The size that the server knows.
      var reported: Int?
      for await size in stream where size != reported {
        if (try? await send(size)) != nil { reported = size }
      }
    }
  }

  deinit { sending.cancel() }

  /// Reports in the background how many bytes the server has.
  func report(_ size: Int) { sizes.yield(size) }

  /// Reports the size, after all other reports. Call it once.
  ///
  /// - Throws: `CancellationError`. A failed report does not end an upload, because the server checks the size at the
  ///   end.
  func finish(_ size: Int) async throws {
    sizes.yield(size)
    sizes.finish()
    await withTaskCancellationHandler {
      await sending.value
    } onCancel: {
      sending.cancel()
    }
    try Task.checkCancellation()
  }
}
