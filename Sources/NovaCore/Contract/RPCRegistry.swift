/// RPCs and messages by name.
///
/// ```swift
/// RPCRegistry.nova.rpc(named: "graph.GetFollowers")?.http.path  // "/api/v1/graph/followers"
/// ```
public struct RPCRegistry: Sendable {
  /// Every RPC, in the contract's order.
  public let rpcs: [RPCDescriptor]
  /// Every message, in the contract's order.
  public let messages: [any ProtoMessage.Type]
  private let rpcsByName: [String: Int]
  private let messagesByName: [String: Int]

  /// Creates a registry.
  public init(rpcs: [RPCDescriptor], messages: [any ProtoMessage.Type]) {
    self.rpcs = rpcs
    self.messages = messages
    var rpcsByName: [String: Int] = [:]
    for (index, rpc) in rpcs.enumerated() {
      rpcsByName[rpc.id.lowercased()] = index
      rpcsByName[rpc.fullName.lowercased()] = index
    }
    var messagesByName: [String: Int] = [:]
    for (index, message) in messages.enumerated() {
      let name = message.descriptor.name.lowercased()
      messagesByName[name] = index
      messagesByName[Self.shortName(name)] = index
    }
    self.rpcsByName = rpcsByName
    self.messagesByName = messagesByName
  }

  /// The RPC with this short or full name, regardless of case: `graph.GetFollowers`.
  public func rpc(named name: String) -> RPCDescriptor? { rpcsByName[name.lowercased()].map { rpcs[$0] } }

  /// The message with this short or full name, regardless of case: `GetFollowersResponse`.
  public func message(named name: String) -> (any ProtoMessage.Type)? {
    messagesByName[name.lowercased()].map { messages[$0] }
  }

  private static func shortName(_ fullName: String) -> String {
    fullName.split(separator: ".").last.map(String.init) ?? fullName
  }
}
