#if GRPC
  import NovaCore

  extension WireMessage {
    /// Writes a field with bytes.
    static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
      var output = WireOutput()
      output.append(number, bytes: bytes)
      return output.bytes
    }

    /// The places of the fields that a message has and the contract does not define.
    static func unknown(
      in bytes: some Collection<UInt8>, of message: MessageDescriptor, _ registry: RPCRegistry, at path: String = ""
    ) -> [String] {
      guard let wire = WireMessage(bytes) else { return [] }
      var places: [String] = []
      for (number, value) in wire.fields {
        guard let field = message.fields.first(where: { $0.number == number }) else {
          places.append(path.appending("#\(number)"))
          continue
        }
        guard case .bytes(var inner) = value, case .message(let name) = field.kind,
          let type = registry.message(named: name)
        else { continue }
        var place = path.appending(field.name)
        if field.cardinality == .repeated { place += "[]" }
        if case .map = field.cardinality {
          // An entry is a message of a key and a value.
          place += "[*]"
          inner = WireMessage(inner)?.bytes(2).last ?? []
        }
        places += unknown(in: inner, of: type.descriptor, registry, at: place)
      }
      return places
    }
  }
#endif
