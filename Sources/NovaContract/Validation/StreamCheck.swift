import NovaCore

/// Validates the beginning of a streamed answer.
struct StreamCheck {
  let rpc: RPCDescriptor

  func findings(_ response: HTTPResponse) -> [Finding] {
    let type = ContentType.of(response)
    guard type == "text/event-stream" else {
      let found = ContentType.shown(response) ?? "no content type"
      // The SDK reads grpc-gateway's lines of JSON, too.
      let isRead = ContentType.isJSON(type) || type == "application/x-ndjson"
      return [Finding(.contentType, isRead ? .tolerated : .breaking, expected: "text/event-stream", found: found)]
    }
    var parser = ServerSentEventParser()
    guard let items = try? parser.parse(response.body.inMemory) else {
      return [Finding(.wrongType, .breaking, expected: "server-sent events", found: "an event that is too large")]
    }
    var findings: [Finding] = []
    if case .retry = items.first {
    } else {
      findings.add(.missing, .tolerated, at: "retry", expected: "retry: <milliseconds> first", found: "no such line")
    }
    for case .event(let event) in items where StreamControl(rawValue: event.type) == nil {
      if event.id.isEmpty {
        findings.add(.missing, .breaking, at: "id", expected: "the event's position", found: "no line id:")
      }
      do throws(ProtoJSONError) {
        _ = try rpc.responseType.init(jsonUTF8: Array(event.data.utf8))
      } catch {
        findings.add(.wrongType, .breaking, at: error.path, expected: error.expected, found: error.found)
      }
    }
    return findings
  }
}

extension HTTPResponse {
  /// The largest beginning of a stream that is read.
  private static let longestOpening = 64 << 10

  /// The response with what a stream begins with as its body: a check must not wait for its end.
  ///
  /// - Parameter untilEvent: whether to read up to the first event, or the first comment that is in place of one.
  func openingOfStream(untilEvent: Bool = false) async throws -> HTTPResponse {
    var (response, opening) = (self, [UInt8]())
    let end = [UInt8](repeating: UInt8(ascii: "\n"), count: 2)
    for try await chunk in body {
      opening += chunk
      if isSuccess, opening.count >= Self.longestOpening || opening.contains(end) {
        if !untilEvent || opening.count >= Self.longestOpening || Self.holdsEvent(opening) { break }
      }
      if opening.count > 1 << 20 { break }
    }
    response.body = .bytes(opening)
    return response
  }

  private static func holdsEvent(_ opening: [UInt8]) -> Bool {
    guard opening.suffix(2).elementsEqual("\n\n".utf8) else { return false }
    let lines = opening.split(separator: UInt8(ascii: "\n"))
    return lines.contains { $0.first == UInt8(ascii: ":") || $0.starts(with: "data:".utf8) }
  }
}
