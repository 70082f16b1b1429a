internal import Foundation
import NovaCore
import NovaHTTP
import NovaTesting

/// A program of `Tools/grpc-peer`, which is a gRPC server that is not ours. It ends with this process.
package final class GRPCPeer: Sendable {
  /// Where a peer listens, on loopback.
  package struct Ports: Codable, Sendable {
    /// The port without TLS.
    package var port: Int?
    /// The port with TLS.
    package var tls: Int?
    /// The port with TLS for clients whose certificate the authority has signed.
    package var mutualTLS: Int?
    /// The port of the HTTP server that reports what the peer has seen.
    package var control: Int

    private enum CodingKeys: String, CodingKey {
      case port, tls, control
      case mutualTLS = "mutual_tls"
    }
  }

  package let ports: Ports
  private let process: Process
  private let input: Pipe
  private let control: CurlTransport

  /// Starts a peer, and waits until it is ready.
  ///
  /// - Parameter arguments: the arguments of `Tools/grpc-peer`: `server`, or `misbehave`.
  package init(_ arguments: [String]) throws {
    let (process, input, output, errors) = (Process(), Pipe(), Pipe(), Pipe())
    process.executableURL = Checkout.root.appending(path: "Tools/grpc-peer")
    process.arguments = arguments + ["--until-input-ends"]
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    try process.run()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let part = output.fileHandleForReading.availableData
      if part.isEmpty {
        process.waitUntilExit()
        let reason = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        throw RawServerError("Tools/grpc-peer \(arguments.joined(separator: " ")) did not start: \(reason)")
      }
      line += part
    }
    ports = try JSONDecoder().decode(Ports.self, from: line)
    (self.process, self.input) = (process, input)
    control = CurlTransport(options: .init())
    // Nobody reads them: a full pipe must not stop the peer.
    errors.fileHandleForReading.readabilityHandler = { _ = $0.availableData }
  }

  /// Ends the peer.
  package func stop() async {
    await control.shutdown()
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks the control port.
  package func ask<Answer: Decodable>(
    _ command: String, _ arguments: [String: String], as type: Answer.Type = Answer.self
  ) async throws -> Answer {
    var components = URLComponents()
    components.queryItems = arguments.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    let query = (components.percentEncodedQuery ?? "").replacing("+", with: "%2B")
    let url = try HTTPURL(parsing: "http://127.0.0.1:\(ports.control)/\(command)?\(query)")
    let response = try await control.send(HTTPRequest(method: .get, url: url))
    let body = try await response.body.collect(upTo: 64 << 20)
    guard response.status == 200 else {
      throw RawServerError("the peer does not accept \(command) \(arguments): \(String(decoding: body, as: UTF8.self))")
    }
    return try JSONDecoder().decode(type, from: Data(body))
  }
}
