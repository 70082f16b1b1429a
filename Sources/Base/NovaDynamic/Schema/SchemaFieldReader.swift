#if GRPC
  import NovaCoding
  import NovaSupport

  /// Reads the fields of a message type, or the extensions of a scope.
  struct SchemaFieldReader {
    private let outer: SchemaFeatures
    private let scope: String

    init(_ features: SchemaFeatures, scope: String) {
      outer = features
      self.scope = scope
    }

    func field(_ field: FieldsByNumber) throws(DynamicError) -> SchemaField {
      let features = try outer.with(options: field.message(8), number: 21)
      let (name, type, label) = (field.text(1), field.number(5), field.number(4) ?? 1)
      let fullName = scope.isEmpty ? name : "\(scope).\(name)"
      let kind = try kind(type, named: field.text(6).withoutLeadingDot, of: fullName)
      let isRepeated = label == 3
      let extendee = field.text(2).withoutLeadingDot
      let isMessage = if case .message = kind { true } else { false }
      let oneof = field.number(9).flatMap { field.bool(17) ? nil : Int(exactly: $0) }
      let isPresent = isMessage || oneof != nil || field.bool(17) || !extendee.isEmpty || features.presence != .implicit
      return SchemaField(
        name: name, jsonName: jsonName(field, name), number: Int(field.int32(3)), kind: kind, isRepeated: isRepeated,
        isRequired: label == 2 || features.presence == .legacyRequired && !isRepeated,
        hasPresence: isPresent && !isRepeated, isPacked: try isPacked(field, of: kind, features),
        isGroup: type == 10 || type == 11 && features.isDelimited, checksUTF8: features.checksUTF8, oneof: oneof,
        extendee: extendee.isEmpty ? nil : extendee, fullName: fullName)
    }

    /// Reflection may leave it out.
    private func jsonName(_ field: FieldsByNumber, _ name: String) -> String {
      let given = field.text(10)
      return given.isEmpty ? FieldDescriptor.lowerCamelCase(name) : given
    }

    private func isPacked(
      _ field: FieldsByNumber, of kind: FieldKind, _ features: SchemaFeatures
    ) throws(DynamicError) -> Bool {
      switch kind {
      case .string, .bytes, .message: false
      default: try field.fields(8)?.number(2).map { $0 != 0 } ?? features.isPacked
      }
    }

    private func kind(
      _ type: UInt64?, named name: String, of field: String
    ) throws(DynamicError) -> FieldKind {
      switch type {
      case 1: .double
      case 2: .float
      case 3: .int64
      case 4: .uint64
      case 5: .int32
      case 6: .fixed64
      case 7: .fixed32
      case 8: .bool
      case 9: .string
      case 10, 11: .message(name)
      case 12: .bytes
      case 13: .uint32
      case 14: .enumeration(name)
      case 15: .sfixed32
      case 16: .sfixed64
      case 17: .sint32
      case 18: .sint64
      default: throw DynamicError("unknown type \(type ?? 0) of the field \(field.printable(to: 200))")
      }
    }
  }
#endif
