import NovaHTTP
import NovaTestSupport
import Testing

/// The error of a request that must fail.
func failure(
  of transport: CurlTransport, _ request: HTTPRequest, sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
  await #expect(throws: TransportError.self, sourceLocation: sourceLocation) { try await transport.send(request) }
}

extension HTTPRequest {
  static func get(_ url: String, headers: HTTPHeaders = [:], limits: TransferLimits = .init()) -> HTTPRequest {
    HTTPRequest(method: .get, url: url, headers: headers, limits: limits)
  }

  static func post(_ url: String, body: [UInt8] = [], limits: TransferLimits = .init()) -> HTTPRequest {
    HTTPRequest(method: .post, url: url, headers: ["Content-Type": "application/json"], body: body, limits: limits)
  }
}

/// Bytes that reveal a wrong order or count.
func pattern(_ count: Int) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    var state: UInt32 = 1
    for index in 0..<count {
      state = state &* 1_664_525 &+ 1_013_904_223
      buffer[index] = UInt8(truncatingIfNeeded: state >> 24)
    }
    initialized = count
  }
}
