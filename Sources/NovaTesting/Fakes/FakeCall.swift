import NovaCore

/// A call that a fake recorded.
public struct FakeCall: Sendable, CustomStringConvertible, CustomReflectable {
  /// The RPC: `graph.GetFollowers`.
  public let rpc: String
  /// What was asked: the RPC's request message.
  public let request: any Sendable

  /// The RPC and the request as JSON, its secrets masked.
  public var description: String { "\(rpc) \(requestText)" }
  public var customMirror: Mirror { Mirror(self, children: ["rpc": rpc, "request": requestText]) }

  private var requestText: String {
    guard let message = request as? any ProtoMessage, let body = try? message.jsonUTF8() else {
      return "\(type(of: request))"
    }
    return LoggedBody(type(of: message).descriptor, limit: 1000).text(body) ?? ""
  }
}
