/// An HTTP/2 server that breaks the rules: `Tools/grpc-peer misbehave`, one port for each behavior.
package struct MisbehavingGRPCServer: Sendable {
  private static let peer = Result { try GRPCPeer(["misbehave"]) }

  /// The port.
  package let port: Int
  private let peer: GRPCPeer

  /// Opens a port, which stays open.
  ///
  /// - Parameters:
  ///   - behavior: one of `Tools/grpc-peer misbehave --list`.
  ///   - arguments: those of the behavior.
  ///   - first: how many calls, or connections, are treated so, before all others are answered well. Default: all.
  package init(_ behavior: String, _ arguments: [String: String] = [:], first: Int? = nil) async throws {
    peer = try Self.peer.get()
    var arguments = arguments
    arguments["behavior"] = behavior
    arguments["first"] = first.map(String.init)
    let answer: [String: Int] = try await peer.ask("open", arguments)
    port = answer["port"] ?? 0
  }

  /// The base URL of a client.
  package var url: String { "grpc://127.0.0.1:\(port)" }

  /// What has come to the port.
  package func log() async throws -> Log { try await peer.ask("log", ["port": String(port)]) }
}

extension MisbehavingGRPCServer {
  /// What has come to a port.
  package struct Log: Codable, Sendable {
    /// How many connections there were.
    package var connections: Int
    /// How many of them are open.
    package var live: Int
    /// How many requests have come whole.
    package var calls: Int
    package var events: [Event]

    package func events(_ name: String) -> [Event] { events.filter { $0.event == name } }
  }

  /// A frame, or another event of a connection.
  package struct Event: Codable, Sendable, CustomStringConvertible {
    /// The number of the connection, from 1 on.
    package var connection: Int
    /// `request`, `call` (a request that has come whole), `reset`, `goaway`, `ping`, `most`.
    package var event: String
    package var stream: Int?
    package var code: Int?
    package var count: Int?
    package var fields: [[String]]?

    /// Without the fields, which contain the token of the tests.
    package var description: String {
      "\(event) of \(stream ?? 0) on \(connection)\(code.map { ", code \($0)" } ?? "")"
    }
  }
}
