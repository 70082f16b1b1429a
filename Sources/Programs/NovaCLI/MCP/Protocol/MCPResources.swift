import NovaContract
import NovaSDK

/// The contract as resources: its services, RPCs, and messages, as `nova describe` shows them.
struct MCPResources: Sendable {
  private static let root = "nova://contract/"

  /// The services and RPCs. Messages can be read by their names.
  let list: [JSONValue] =
    ContractDescription.services.map { service in
      let comment = ContractDescription.comment(of: service.rpcs.first?.package ?? "").first ?? ""
      return resource(service.name, "The service \(service.name), \(service.rpcs.count) RPCs. \(comment)")
    } + RPCRegistry.nova.rpcs.map { resource($0.id, $0.summary) }

  let templates: [JSONValue] = [
    [
      "uriTemplate": .string("\(root){name}"), "name": "contract", "title": "A part of the contract",
      "description": "A service (graph), an RPC (graph.GetFollowers), or a message (Post).", "mimeType": mimeType,
    ]
  ]

  private static let mimeType: JSONValue = "text/plain"

  private static func resource(_ name: String, _ description: String) -> JSONValue {
    [
      "uri": .string(root + name), "name": .string(name), "description": .string(description), "mimeType": mimeType,
    ]
  }

  /// The result of reading a resource.
  func contents(of uri: String) throws(MCPError) -> JSONValue {
    guard uri.hasPrefix(Self.root), let name = PercentEncoding.decode(String(uri.dropFirst(Self.root.count))),
      let description = ContractDescription(named: name)
    else { throw .resourceNotFound(uri) }
    var text = DescriptionText(styles: Styles(isTerminal: false, noColor: nil, terminal: nil), width: nil)
    description.write(to: &text)
    return [
      "contents": [
        ["uri": .string(uri), "mimeType": Self.mimeType, "text": .string(text.lines.joined(separator: "\n"))]
      ]
    ]
  }
}
