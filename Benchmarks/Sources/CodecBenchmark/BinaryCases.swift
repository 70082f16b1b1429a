import NovaContent
import NovaCore
import NovaGraph
import SwiftProtobuf

/// A page of posts in protobuf's binary format.
typealias BinaryPostCase = BinaryCase<GetPostsByAuthorResponse, ProtobufPosts>

/// A page of ids in protobuf's binary format.
typealias BinaryFollowerCase = BinaryCase<GetFollowersResponse, ProtobufFollowers>

/// A message of NovaSDK's in protobuf's binary format, beside SwiftProtobuf's and NovaSDK's JSON of it.
struct BinaryCase<Message: ProtoMessage & Equatable, Peer: SwiftProtobuf.Message & Equatable>: CodecCase {
  let name: String
  let input: [UInt8]
  private let json: [UInt8]
  private let message: Message
  private let peer: Peer

  init(_ name: String, _ message: Message) throws {
    (self.name, self.message) = (name, message)
    json = try message.jsonUTF8()
    // SwiftProtobuf's bytes are the reference.
    peer = try Peer(jsonUTF8Bytes: json)
    input = try peer.serializedBytes()
  }

  func decoders() throws -> [Candidate] {
    let (binary, json) = (input, json)
    require(try Message(protobuf: binary) == message, "NovaSDK")
    require(try Peer(serializedBytes: binary) == peer, "SwiftProtobuf")
    require(try Message(jsonUTF8: json) == message, "NovaSDK's JSON")
    return [
      Candidate("nova") { _ = try Message(protobuf: binary) },
      Candidate("protobuf") { _ = try Peer(serializedBytes: binary) },
      Candidate("nova-json") { _ = try Message(jsonUTF8: json) },
    ]
  }

  func encoders() throws -> [Candidate] {
    let (message, peer) = (message, peer)
    require(try message.protobuf() == input, "NovaSDK")
    require(try Message(jsonUTF8: message.jsonUTF8()) == message, "NovaSDK's JSON")
    return [
      Candidate("nova") { _ = try message.protobuf() },
      Candidate("protobuf") { let _: [UInt8] = try peer.serializedBytes() },
      Candidate("nova-json") { _ = try message.jsonUTF8() },
    ]
  }
}
