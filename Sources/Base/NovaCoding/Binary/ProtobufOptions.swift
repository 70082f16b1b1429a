#if GRPC
  /// How messages are read from protobuf's binary format.
  public struct ProtobufOptions: Sendable, Hashable {
    /// The maximum depth of messages inside messages. Default 100, as in other implementations.
    public var maximumDepth: Int
    /// The maximum size of the outermost message in bytes. Default 2,147,483,647, the format's own limit.
    public var maximumSize: Int
    /// Whether fields that a message does not declare are kept, and written after the others. Default `false`: they are
    /// skipped. Reading fails if a message has no place for them, see ``UnknownFieldKeeping``.
    public var keepsUnknownFields: Bool

    /// Creates options.
    public init(
      maximumDepth: Int = 100, maximumSize: Int = Int(Int32.max), keepsUnknownFields: Bool = false
    ) {
      self.maximumDepth = maximumDepth
      self.maximumSize = maximumSize
      self.keepsUnknownFields = keepsUnknownFields
    }
  }
#endif
