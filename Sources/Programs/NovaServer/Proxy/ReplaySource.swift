#if Server
  package import NovaCore
  package import NovaMock
  package import NovaRecording

  /// Responds from a recording. The order of equal requests decides which of their responses is next; the last one
  /// repeats.
  package final class ReplaySource: CallResponder {
    /// Whether a request that was not recorded is refused. Otherwise, the backend responds.
    let isStrict: Bool
    private let replay: Locked<Replay>

    /// - Parameters:
    ///   - cassette: the recording.
    ///   - isStrict: whether a request that was not recorded is refused. Otherwise, the backend responds.
    package init(_ cassette: Cassette, isStrict: Bool) {
      self.isStrict = isStrict
      replay = Locked(Replay(cassette, repeats: true))
    }

    package var streamsRequests: Bool { false }

    package func reset() { replay.withLock { $0.restart() } }

    package nonisolated(nonsending) func respond(to request: HTTPRequest) async throws -> SourcedResponse {
      let sent = CanonicalRequest(request)
      guard let interaction = replay.withLock({ $0.next(for: sent) }) else {
        let report = replay.withLock { $0.report("\(request.method) \(request.url.path)", sent) }
        return .unmatched(report, isStrict ? Self.refusal(report) : nil)
      }
      return .response(try interaction.replayed(), from: .recording)
    }

    /// The response to a request that was not recorded. No client repeats it by itself.
    private static func refusal(_ report: String) -> HTTPResponse {
      // One line: clients print the message of an error, and escape line breaks.
      let line = report.replacing("\n  ", with: "; ")
      return MockFailure(.unimplemented, "not in the recording: \(line)", httpStatus: 501).response
    }
  }

  extension Cassette.Interaction {
    /// The response as a server sends it.
    ///
    /// - Throws: the error that was recorded in its place.
    fileprivate func replayed() throws -> HTTPResponse {
      switch outcome {
      case .failure(let error) where error.kind == .notRecorded:
        return MockFailure(.unimplemented, "not in the recording: \(error.message)", httpStatus: 501).response
      case .failure(let error): throw error
      case .response(var response):
        response.headers = response.headers.withoutConnectionFields()
        let describesOther = request.method == .head || response.status == 304
        // JSON has been written again since then.
        if !describesOther { response.headers["Content-Length"] = nil }
        if let bodyFailure { response.body = beginning(of: response, endedBy: bodyFailure) }
        return response
      }
    }

    /// The recorded part of a body. A stream of events then stays open, as that of the gateway did; every other body ends
    /// with the error.
    private func beginning(of response: HTTPResponse, endedBy failure: TransportError) -> HTTPBody {
      let bytes = response.body.inMemory
      let isEventStream = ContentTypeName.of(response.headers["Content-Type"] ?? "") == "text/event-stream"
      return .stream(
        HTTPBodyStream(
          AsyncThrowingStream<[UInt8], any Error> { chunks in
            if !bytes.isEmpty { chunks.yield(bytes) }
            if !isEventStream { chunks.finish(throwing: failure) }
          }))
    }
  }
#endif
