#if GRPC
  extension ProtoMessage {
    /// Parses a message from protobuf's binary format.
    ///
    /// - Throws: ``ProtobufError`` for bytes that are not a message of this type, or exceed a limit of `options`.
    public init(
      protobuf bytes: UnsafeBufferPointer<UInt8>, options: ProtobufOptions = ProtobufOptions()
    ) throws(ProtobufError) {
      self.init()
      guard let start = bytes.baseAddress else { return }
      guard bytes.count <= options.maximumSize else {
        throw ProtobufError(
          expected: "a message of at most \(options.maximumSize) bytes", found: "\(bytes.count)", offset: 0)
      }
      var reader = ProtobufReader(bytes, at: start, options: options)
      try reader.readFields(into: &self)
    }

    /// Parses a message from protobuf's binary format.
    ///
    /// ```swift
    /// let page = try GetFollowersResponse(protobuf: [0x0A, 1, 0x61, 0x10, 1])
    /// print(page.userIds, page.totalCount)  // ["a"] 1
    /// ```
    /// - Throws: ``ProtobufError`` for bytes that are not a message of this type, or exceed a limit of `options`.
    public init(protobuf bytes: [UInt8], options: ProtobufOptions = ProtobufOptions()) throws(ProtobufError) {
      self = try bytes.withUnsafeBufferPointer { bytes throws(ProtobufError) in
        try Self(protobuf: bytes, options: options)
      }
    }

    /// The message in protobuf's binary format. Equal messages have equal bytes.
    ///
    /// ```swift
    /// let bytes = try GetFollowersRequest(userId: "a", limit: 20).protobuf()  // [0x0A, 1, 0x61, 0x10, 20]
    /// ```
    /// - Throws: ``ProtobufError`` for a value that the field's type cannot hold, for example a `limit` of more than 32
    ///   bits.
    public func protobuf() throws(ProtobufError) -> [UInt8] { try protobuf(after: 0) }

    /// The message in protobuf's binary format, after `count` zero bytes: room for what the caller puts in front.
    package func protobuf(after count: Int) throws(ProtobufError) -> [UInt8] {
      var sizes = ProtobufSizes(Self.descriptor)
      measureProtobufFields(with: &sizes)
      sizes.add(keptFields)
      return try ProtobufWriter.bytes(sizes.total, after: count, sizes: sizes) { writer in
        writeProtobufFields(to: &writer)
        writer.append(keptFields)
      }
    }
  }
#endif
