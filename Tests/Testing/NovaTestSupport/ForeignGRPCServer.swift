internal import Foundation
package import NovaCore

/// grpcio's server with every RPC of the contract: `Tools/grpc-peer server`.
package struct ForeignGRPCServer: Sendable {
  /// The server that all tests of this process share, without TLS. It starts when it is first used.
  package static func shared() throws -> ForeignGRPCServer { try sharedServer.get() }

  private static let sharedServer = Result { try ForeignGRPCServer() }

  private let peer: GRPCPeer

  /// Starts a server of its own, for options that others must not have.
  package init(_ options: [String] = []) throws { peer = try GRPCPeer(["server"] + options) }

  /// The base URL of a client.
  package var url: String { "grpc://127.0.0.1:\(peer.ports.port ?? 0)" }
  /// The base URL over TLS.
  package var secureURL: String { "grpcs://localhost:\(peer.ports.tls ?? 0)" }
  /// The base URL over TLS for clients with a certificate.
  package var mutualURL: String { "grpcs://localhost:\(peer.ports.mutualTLS ?? 0)" }

  package func stop() async { await peer.stop() }

  /// How many calls with a tag the server has seen.
  package func counts(_ tag: String) async throws -> Counts { try await peer.ask("counts", ["tag": tag]) }

  /// The calls with a tag whose behavior has `record`.
  package func calls(_ tag: String) async throws -> [Call] { try await peer.ask("calls", ["tag": tag]) }
}

extension ForeignGRPCServer {
  /// Calls, by how they ended.
  package struct Counts: Codable, Sendable, Equatable {
    package var started, open, completed, failed, cancelled: Int
  }

  /// A call as the server received it.
  package struct Call: Codable, Sendable {
    /// The RPC's short name: `graph.GetFollowers`.
    package var rpc: String
    /// Names and values; those of binary fields in base64.
    package var metadata: [[String]]
    /// The seconds to the deadline; nil for none.
    package var remaining: Double?
    /// The request as Google's protobuf writes it in JSON.
    package var request: String
    /// The answer as Google's protobuf writes it in JSON; nil if there was none.
    package var answer: String?

    package func values(_ name: String) -> [String] { metadata.filter { $0[0] == name }.map { $0[1] } }
  }

  /// What the server does with a call; see `Tools/grpc-peer server --help`.
  package struct Behavior: Encodable, Sendable {
    package var tag: String?
    package var record: Bool?
    package var sleep: Double?
    package var hang: Bool?
    package var status: Int?
    package var message: String?
    package var details: [String]?
    package var bytes: Int?
    package var gzip: Bool?
    package var count: Int?
    package var pause: Double?
    package var stay: Bool?
    package var headers: [[String]]?
    package var trailers: [[String]]?
    package var first: Int?

    /// Creates a behavior: `Behavior { $0.status = 5 }`.
    package init(_ change: (inout Behavior) -> Void = { _ in }) { change(&self) }
  }
}

extension CallOptions {
  /// Options of a call that the foreign server treats in this way.
  package init(_ behavior: ForeignGRPCServer.Behavior, timeout: Duration? = nil, checksArguments: Bool = false) throws {
    let json = String(decoding: try JSONEncoder().encode(behavior), as: UTF8.self)
    // Header fields are ASCII.
    let ascii = json.utf16.map { $0 < 0x7F ? String(UnicodeScalar(UInt8($0))) : String(format: "\\u%04x", Int($0)) }
    self.init(timeout: timeout, headers: ["peer-behavior": ascii.joined()], checksArguments: checksArguments)
  }
}
