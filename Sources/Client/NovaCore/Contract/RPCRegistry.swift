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
    for index in rpcs.indices {
      rpcsByName.set(index, for: rpcs[index].id.lowercased())
      rpcsByName.set(index, for: rpcs[index].fullName.lowercased())
    }
    var messagesByName: [String: Int] = [:]
    for index in messages.indices {
      let name = messages[index].descriptor.name.lowercased()
      messagesByName.set(index, for: name)
      messagesByName.set(index, for: name.parts(between: ".", keepsEmpty: false).last ?? name)
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
}

extension [String: Int] {
  @inline(never)
  mutating func set(_ number: Int, for name: String) { self[name] = number }
}
