import NovaContent
import NovaCore
import NovaGraph

// Protobuf's binary format, and calls that consist of it.
extension Kernel {
  static let binary: [Kernel] = [
    plain("decode-1000-posts-binary") { try decodingBinary(posts(1000)) },
    plain("decode-20-ids-binary") { try decodingBinary(followers(20)) },
    plain("encode-1000-posts-binary") { encodingBinary(posts(1000)) },
    // With room for the prefix of gRPC.
    plain("encode-request-binary") { encodingBinary(followersRequest) },
    asynchronous("stub-call-grpc") {
      let caller = try client(
        "grpcs://api.example", InstantTransport(try followers(20).protobuf(), contentType: "application/grpc"))
      return { _ = try await caller.call(GraphRPC.getFollowers, followersRequest) }
    },
  ]

  private static func decodingBinary<Message: ProtoMessage>(_ message: Message) throws -> () throws -> Void {
    let bytes = try message.protobuf()
    return {
      let decoded = try Message(protobuf: bytes)
      withExtendedLifetime(decoded) {}
    }
  }

  private static func encodingBinary<Message: ProtoMessage>(_ message: Message) -> () throws -> Void {
    {
      let bytes = try message.protobuf(after: 5)
      precondition(!bytes.isEmpty)
    }
  }
}
