#if GRPC
  package import NovaCoding
  import NovaSupport

  /// The messages of `grpc.reflection.v1.ServerReflection`, by which servers describe their services. Those of v1alpha are
  /// the same.
  package enum ServerReflection {
    /// What to ask for.
    package enum Question: Sendable {
      case services
      case fileOfSymbol(String)
      case fileNamed(String)
      case extensionNumbers(ofType: String)
      case fileOfExtension(type: String, number: Int32)

      /// The `ServerReflectionRequest`.
      package var request: EncodedMessage {
        var output = WireOutput()
        switch self {
        case .services: output.append(7, bytes: [UInt8(ascii: "*")])
        case .fileOfSymbol(let name): output.append(4, bytes: name.utf8Bytes)
        case .fileNamed(let name): output.append(3, bytes: name.utf8Bytes)
        case .extensionNumbers(let type): output.append(6, bytes: type.utf8Bytes)
        case .fileOfExtension(let type, let number):
          var place = WireOutput()
          place.append(1, bytes: type.utf8Bytes)
          place.append(tag: 2, .varint)
          place.append(varint: UInt64(bitPattern: Int64(number)))
          output.append(5, bytes: place.bytes)
        }
        return EncodedMessage(output.bytes)
      }
    }

    /// What a server answers.
    package enum Answer: Sendable {
      case services([String])
      /// Serialized `FileDescriptorProto` messages.
      case files([[UInt8]])
      case extensionNumbers([Int32])
      /// The server has no such thing; a gRPC status and its message.
      case failure(code: Int, message: String)

      /// Reads a `ServerReflectionResponse`.
      package init(_ response: EncodedMessage) throws(DynamicError) {
        let fields = try FieldsByNumber(response.bytes[...])
        if let files = fields.message(4) {
          self = .files(try FieldsByNumber(files).messages(1).map { Array($0) })
        } else if let numbers = try fields.fields(5) {
          self = .extensionNumbers(try numbers.int32s(2))
        } else if let list = try fields.fields(6) {
          var names: [String] = []
          for service in list.messages(1) { names.append(try FieldsByNumber(service).text(1)) }
          self = .services(names)
        } else if let failure = try fields.fields(7) {
          self = .failure(code: Int(failure.int32(1)), message: failure.text(2))
        } else {
          throw DynamicError("the answer of the server's reflection is empty")
        }
      }
    }

    /// The services, newest first.
    package static let versions = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"]
    /// Their only method.
    package static let method = "ServerReflectionInfo"
  }
#endif
