import NovaSupport

extension ProtoMessage {
  /// Parses a message from JSON in UTF-8.
  ///
  /// - Throws: ``ProtoJSONError`` for anything that is not JSON or violates the contract.
  public init(jsonUTF8 bytes: UnsafeBufferPointer<UInt8>) throws(ProtoJSONError) {
    self.init()
    var reader = ProtoJSONReader(bytes)
    try reader.read(into: &self)
    try reader.expectEnd()
  }

  /// Parses a message from JSON in UTF-8.
  ///
  /// ```swift
  /// let page = try GetFollowersResponse(jsonUTF8: Array(#"{"user_ids":["a"],"total_count":1}"#.utf8))
  /// ```
  /// - Throws: ``ProtoJSONError`` for anything that is not JSON or violates the contract.
  public init(jsonUTF8 bytes: [UInt8]) throws(ProtoJSONError) {
    self = try bytes.withUnsafeBufferPointer(Self.init(jsonUTF8:))
  }

  /// Parses a message from JSON that a person wrote. Undeclared fields are errors, too, with
  /// ``ProtoJSONError/unknownField``.
  package init(refusingUnknownFieldsIn bytes: [UInt8]) throws(ProtoJSONError) {
    try self.init(bytes) { message, reader throws(ProtoJSONError) in
      reader.refusesUnknownFields = true
      try reader.read(into: &message)
    }
  }

  /// Parses a message from JSON that may be from another program.
  ///
  /// - Parameter hasNoField: set if the object has members, but no field of the message.
  package init(jsonUTF8 bytes: [UInt8], hasNoField: inout Bool) throws(ProtoJSONError) {
    try self.init(bytes) { message, reader throws(ProtoJSONError) in
      try reader.read(into: &message)
      hasNoField = reader.hasNoField
    }
  }

  /// Parses a message from the JSON of one of its fields, as `response_body` in `gateway.yaml` requires.
  ///
  /// - Parameter hasNoField: set if the field is an object that has members, but no field of its message.
  package init(jsonUTF8 bytes: [UInt8], ofField index: Int, hasNoField: inout Bool) throws(ProtoJSONError) {
    do throws(ProtoJSONError) {
      try self.init(bytes) { message, reader throws(ProtoJSONError) in
        if try !reader.takeAbsence(of: index, Self.descriptor) { try message.readJSONField(index, from: &reader) }
        hasNoField = reader.hasNoField
      }
    } catch {
      throw Self.descriptor.fields[index].isSecret ? error.hidingValue() : error
    }
  }

  private init(
    _ bytes: [UInt8], _ read: (inout Self, inout ProtoJSONReader) throws(ProtoJSONError) -> Void
  ) throws(ProtoJSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(ProtoJSONError) in
      var reader = ProtoJSONReader(buffer)
      var message = Self()
      try read(&message, &reader)
      try reader.expectEnd()
      return message
    }
  }
}

extension ProtoMessage {
  /// The message as JSON in UTF-8.
  ///
  /// - Throws: ``ProtoJSONError`` for a value that the field's type cannot hold, for example a `limit` of more than 32
  ///   bits.
  public func jsonUTF8(_ options: ProtoJSONOptions = .response) throws(ProtoJSONError) -> [UInt8] {
    var writer = ProtoJSONWriter(options: options)
    writer.append(message: self)
    if let problem = writer.problem { throw problem }
    return writer.bytes.array
  }

  /// Appends the message as JSON in UTF-8: for many messages in one buffer. Appends nothing if it throws.
  ///
  /// - Throws: ``ProtoJSONError`` as ``jsonUTF8(_:)`` does.
  package func appendJSON(_ options: ProtoJSONOptions, to bytes: inout [UInt8]) throws(ProtoJSONError) {
    var writer = ProtoJSONWriter(options: options)
    writer.append(message: self)
    if let problem = writer.problem { throw problem }
    writer.bytes.append(to: &bytes)
  }
}
