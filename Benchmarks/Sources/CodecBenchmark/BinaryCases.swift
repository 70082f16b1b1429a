import NovaContent
import NovaCore
import NovaGraph
import SwiftProtobuf

/// A page of posts in protobuf's binary format, beside NovaSDK's JSON of the same page.
struct BinaryPostCase: CodecCase {
  let name: String
  let input: [UInt8]
  private let messages: BinaryMessages<GetPostsByAuthorResponse, ProtobufPosts>

  init(count: Int) throws {
    name = "binary-posts-\(count)"
    messages = try BinaryMessages(.sample(count: count))
    input = messages.binary
  }

  func decoders() throws -> [Candidate] { try messages.decoders() }
  func encoders() throws -> [Candidate] { try messages.encoders() }
}

/// A page of ids in protobuf's binary format.
struct BinaryFollowerCase: CodecCase {
  let name: String
  let input: [UInt8]
  private let messages: BinaryMessages<GetFollowersResponse, ProtobufFollowers>

  init(count: Int) throws {
    name = "binary-ids-\(count)"
    messages = try BinaryMessages(.sample(count: count))
    input = messages.binary
  }

  func decoders() throws -> [Candidate] { try messages.decoders() }
  func encoders() throws -> [Candidate] { try messages.encoders() }
}

/// A message of NovaSDK's, the same one of SwiftProtobuf's, and what both are made of.
private struct BinaryMessages<Message: ProtoMessage & Equatable, Peer: SwiftProtobuf.Message & Equatable> {
  let binary: [UInt8]
  private let json: [UInt8]
  private let message: Message
  private let peer: Peer

  init(_ message: Message) throws {
    self.message = message
    json = try message.jsonUTF8()
    // SwiftProtobuf's bytes are the reference.
    peer = try Peer(jsonUTF8Bytes: json)
    binary = try peer.serializedBytes()
  }

  func decoders() throws -> [Candidate] {
    let (binary, json) = (binary, json)
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
    require(try message.protobuf() == binary, "NovaSDK")
    require(try Message(jsonUTF8: message.jsonUTF8()) == message, "NovaSDK's JSON")
    return [
      Candidate("nova") { _ = try message.protobuf() },
      Candidate("protobuf") { let _: [UInt8] = try peer.serializedBytes() },
      Candidate("nova-json") { _ = try message.jsonUTF8() },
    ]
  }
}
