#if GRPC
  import NovaCoding
  import NovaSupport

  extension DynamicWriter {
    /// Converts a message whose type has a JSON form of its own.
    func bytes(_ json: JSONValue, as type: WellKnownType) throws(DynamicError) -> [UInt8] {
      switch type {
      case .any: return try any(json)
      case .timestamp:
        guard let time = json.stringValue.flatMap({ Timestamp($0) }) else {
          throw .expected("a time from year 1 to 9999, such as \"2025-12-01T10:30:00Z\"", found: json)
        }
        return pair(time.seconds, time.nanoseconds)
      case .duration:
        guard let duration = json.stringValue.flatMap({ Duration(protoJSON: $0) }) else {
          throw .expected("\(DurationCodec.expected)", found: json)
        }
        let (seconds, attoseconds) = duration.components
        return pair(seconds, Int32(truncatingIfNeeded: attoseconds / 1_000_000_000))
      case .fieldMask: return try fieldMask(json)
      case .structure:
        guard let members = json.memberList else { throw .expected("an object", found: json) }
        return try structure(members)
      case .value: return try value(json)
      case .list:
        guard let elements = json.elements else { throw .expected("a list", found: json) }
        return try list(elements)
      default: return try wrapper(json, type.wrapped ?? .string)
      }
    }

    private func wrapper(_ json: JSONValue, _ kind: FieldKind) throws(DynamicError) -> [UInt8] {
      var (value, output) = (WireOutput(), WireOutput())
      try ScalarWriter(schema: schema).append(json, as: kind, to: &value)
      guard !value.isDefault else { return [] }
      output.append(tag: 1, kind.wireType)
      output.append(raw: value.bytes)
      return output.bytes
    }

    /// Seconds and nanoseconds, as `Timestamp` and `Duration` have them.
    private func pair(_ seconds: Int64, _ nanoseconds: Int32) -> [UInt8] {
      var output = WireOutput()
      for (number, value) in [(1, seconds), (2, Int64(nanoseconds))] where value != 0 {
        output.append(tag: number, .varint)
        output.append(varint: UInt64(bitPattern: value))
      }
      return output.bytes
    }

    private func fieldMask(_ json: JSONValue) throws(DynamicError) -> [UInt8] {
      guard let text = json.stringValue else { throw .expected("paths such as \"id,address.postalCode\"", found: json) }
      var output = WireOutput()
      for path in FieldMask(json: text).paths { output.append(1, bytes: path.utf8Bytes) }
      return output.bytes
    }

    private func any(_ json: JSONValue) throws(DynamicError) -> [UInt8] {
      guard let members = json.memberList else { throw .expected("an object with a text \"@type\"", found: json) }
      if members.isEmpty { return [] }
      guard let url = json["@type"]?.stringValue else { throw .expected("a text \"@type\"", found: json) }
      let name = url.parts(between: "/", keepsEmpty: true).last ?? url
      guard let message = schema.message(named: name) else { throw .missing(name) }
      let contents: [UInt8]
      if WellKnownType(messageNamed: name) != nil {
        guard let value = json["value"] else { throw DynamicError("expected a field \"value\" beside \"@type\"") }
        do throws(DynamicError) { contents = try bytes(value, as: message) } catch { throw error.inside("value") }
      } else {
        contents = try bytes(members.filter { $0.name != "@type" }, as: message)
      }
      var output = WireOutput()
      output.append(1, bytes: url.utf8Bytes)
      if !contents.isEmpty { output.append(2, bytes: contents) }
      return output.bytes
    }

    // MARK: Struct, Value, ListValue

    private func structure(_ members: [JSONValue.Member]) throws(DynamicError) -> [UInt8] {
      var output = WireOutput()
      for member in members {
        var entry = WireOutput()
        entry.append(1, bytes: member.name.utf8Bytes)
        do throws(DynamicError) {
          entry.append(2, bytes: try value(member.value))
        } catch {
          throw error.inside(member.name)
        }
        output.append(1, bytes: entry.bytes)
      }
      return output.bytes
    }

    private func list(_ elements: [JSONValue]) throws(DynamicError) -> [UInt8] {
      var output = WireOutput()
      for (index, element) in elements.enumerated() {
        do throws(DynamicError) {
          output.append(1, bytes: try value(element))
        } catch {
          throw error.inside(element: index)
        }
      }
      return output.bytes
    }

    private func value(_ json: JSONValue) throws(DynamicError) -> [UInt8] {
      var output = WireOutput()
      switch json {
      case .null:
        output.append(tag: 1, .varint)
        output.append(varint: 0)
      case .number(let text):
        guard let number = Double(protoJSON: text) else { throw .expected("a number that fits", found: json) }
        output.append(tag: 2, .fixed64)
        output.append(fixed: number.bitPattern, count: 8)
      case .string(let text): output.append(3, bytes: text.utf8Bytes)
      case .bool(let bool):
        output.append(tag: 4, .varint)
        output.append(varint: bool ? 1 : 0)
      case .object(let members): output.append(5, bytes: try structure(members))
      case .array(let elements): output.append(6, bytes: try list(elements))
      }
      return output.bytes
    }
  }
#endif
