#if GRPC
  /// A message in the binary form, of a type that only its descriptor at run time knows: for calls of services that are not
  /// in the contract.
  package struct EncodedMessage: ProtoMessage {
    package static let descriptor = MessageDescriptor("EncodedMessage", fields: [])

    /// The message in the binary form.
    package var bytes: [UInt8] = []

    package init() {}

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package mutating func readField<Source: FieldSource & ~Copyable>(
      _ index: Int, from source: inout Source
    ) throws(Source.Failure) {}

    package func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure) {}

    package func measureProtobufFields(with sizes: inout ProtobufSizes) { sizes.total += bytes.count }

    package func writeProtobufFields(to writer: inout ProtobufWriter) {
      bytes.withUnsafeBufferPointer { writer.append(encoded: $0) }
    }

    package static func == (left: Self, right: Self) -> Bool { left.bytes == right.bytes }
    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
  }

  extension ProtobufWriter {
    /// Writes fields that are already in the binary form.
    fileprivate mutating func append(encoded bytes: UnsafeBufferPointer<UInt8>) {
      guard let source = bytes.baseAddress else { return }
      position.copyMemory(from: source, byteCount: bytes.count)
      position += bytes.count
    }
  }
#endif
