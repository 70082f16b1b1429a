import NovaLibc
@testable import NovaCore
@testable import NovaHTTP
@testable import NovaSupport
@testable import NovaTesting

/// Frames of an HTTP/2 server over a real socket, whole and in pieces. The first byte says whether valid settings precede
/// them, after which a request is waited for.
enum FramesTarget {
  private static let limit = 4096
  /// What the next connections are answered with.
  private static let script = Locked<(awaitsRequest: Bool, pieces: [[UInt8]])>((false, []))
  private static let server = mustSucceed("no server") {
    try RawServer { connection in
      let (awaitsRequest, pieces) = script.withLock { $0 }
      _ = try connection.take(24)
      if awaitsRequest {
        try connection.write([0, 0, 0, 4, 0, 0, 0, 0, 0])
        try readRequest(connection)
      }
      for piece in pieces { try connection.write(piece) }
      // Otherwise, what the client has sent and nobody reads would turn the end into a reset.
      shutdown(connection.socket.descriptor, Int32(SHUT_WR))
      connection.hang()
    }
  }

  /// Reads frames up to the first DATA.
  private static func readRequest(_ connection: RawConnection) throws {
    while true {
      let head = try connection.take(9)
      _ = try connection.take(head[..<3].reduce(0) { $0 << 8 | Int($1) })
      if head[3] == 0 { return }
    }
  }

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var choices = Choices(bytes)
    let rest = Array(bytes.dropFirst())
    let whole = receive([rest], awaitsRequest: first % 2 == 0)
    let cut = receive(choices.pieces(of: rest), awaitsRequest: first % 2 == 0)
    // Without the wait, the server may end before or after the request comes. And of two errors, the first one counts.
    let areFailures = whole.isFailure && cut.isFailure
    require(whole == cut || areFailures || first % 2 == 1, "\(whole), and in pieces: \(cut)")
    if case .body(let received) = whole { require(received.count <= limit, "more than \(limit) bytes are accepted") }
  }

  private enum Outcome: Equatable, Sendable {
    case body([UInt8])
    case failure(String)

    var isFailure: Bool { if case .failure = self { true } else { false } }
  }

  private static func receive(_ pieces: [[UInt8]], awaitsRequest: Bool) -> Outcome {
    script.withLock { $0 = (awaitsRequest, pieces) }
    let url = "grpc://127.0.0.1:\(server.port)"
    return waiting {
      // The last one's connection may not have noticed its end yet.
      let transport = HTTP2Transport()
      defer { withExtendedLifetime(transport) {} }
      do {
        let limits = TransferLimits(
          connectTimeout: .seconds(5), idleTimeout: .seconds(5), maximumResponseBytes: limit)
        let target = try HTTPURL(parsingService: url).appending("/a.Service/Method")
        let response = try await transport.send(HTTPRequest(method: .post, url: target, body: [7], limits: limits))
        for field in response.headers.fields + response.trailers.fields {
          require(field.problem == nil, "a field is accepted that must not be sent")
        }
        return .body(response.body.inMemory)
      } catch let error as TransportError {
        require(error.message.isPrintable, "not printable: \(error.message)")
        return .failure(error.kind.rawValue)
      } catch {
        return .failure("\(error)")
      }
    }
  }
}
