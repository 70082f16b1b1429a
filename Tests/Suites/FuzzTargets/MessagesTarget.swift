@testable import NovaCoding
@testable import NovaCore
@testable import NovaMock
@testable import NovaRegistry

/// The first byte chooses the message. What is accepted is JSON to the other reader too, and survives being written in
/// every style.
enum MessagesTarget {
  private static let types = RPCRegistry.nova.messages

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let type: any ProtoMessage.Type = types[Int(first) % types.count]
    checkMessage(type, Array(bytes.dropFirst()))
  }

  private static func checkMessage<Message: ProtoMessage>(_ type: Message.Type, _ json: [UInt8]) {
    let name = type.descriptor.name
    let result = JSONTarget.read(json) { input throws(ProtoJSONError) in try Message(jsonUTF8: input) }
    guard let message = result else { return }
    // A member that the message does not know may repeat.
    require((try? JSONValue(keepingRepeatedNames: json)) != nil, "\(name) accepts what is not JSON")
    for options in [ProtoJSONOptions.response, .request] {
      guard let written = try? message.jsonUTF8(options) else { continue }
      let again = mustSucceed("\(name) refuses what it wrote") { try Message(jsonUTF8: written) }
      // NaN differs from itself, so the JSON is compared.
      let second = mustSucceed("\(name) cannot be written twice") { try again.jsonUTF8(options) }
      require(second == written, "\(name) is another message when it has been written and read")
    }
  }
}
