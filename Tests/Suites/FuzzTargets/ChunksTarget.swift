@testable import NovaCore
@testable import NovaSupport
@testable import NovaTesting

/// A chunked response body that comes over a real socket in pieces. The first byte says whether the rest is the encoded
/// body, or the body to encode; that one must arrive as it is.
enum ChunksTarget {
  private static let limit = 4096
  private static let transport = CurlTransport()
  /// What the next connection is answered with.
  private static let script = Locked<[[UInt8]]>([])
  private static let server = mustSucceed("no server") {
    try RawServer { connection in
      guard try connection.readRequest() != nil else { return }
      for piece in script.withLock({ $0 }) { try connection.write(piece) }
    }
  }

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    var choices = Choices(bytes)
    let rest = Array(bytes.dropFirst())
    let isEncoded = first % 2 == 0
    let body = isEncoded ? rest : encoded(rest, &choices)
    let whole = receive([body])
    let cut = receive(choices.pieces(of: body))
    require(whole == cut, "\(whole), and in pieces: \(cut)")
    if case .body(let received) = whole { require(received.count <= limit, "more than \(limit) bytes are accepted") }
    guard !isEncoded else { return }
    require(
      whole == (rest.count > limit ? .failure("responseTooLarge") : .body(rest)), "another body arrives: \(whole)")
  }

  private static func encoded(_ body: [UInt8], _ choices: inout Choices) -> [UInt8] {
    choices.pieces(of: body).reduce([]) {
      $0 + Array("\(String($1.count, radix: 16))\r\n".utf8) + $1 + Array("\r\n".utf8)
    }
      + Array("0\r\n\r\n".utf8)
  }

  private enum Outcome: Equatable, Sendable {
    case body([UInt8])
    case failure(String)
  }

  private static func receive(_ pieces: [[UInt8]]) -> Outcome {
    let head = Array("HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
    script.withLock { $0 = [head] + pieces }
    let url = server.url()
    return waiting {
      do {
        let limits = TransferLimits(idleTimeout: .seconds(5), maximumResponseBytes: limit)
        return .body(
          try await transport.send(HTTPRequest(method: .post, url: HTTPURL(parsing: url), limits: limits)).body.bytes
            ?? [])
      } catch let error as TransportError {
        return .failure(error.kind.rawValue)
      } catch {
        return .failure("\(error)")
      }
    }
  }
}
