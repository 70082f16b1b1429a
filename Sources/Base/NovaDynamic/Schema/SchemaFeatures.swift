#if GRPC
  import NovaCoding

  /// What depends on the syntax or the edition of a .proto file, and on the options `features` of editions.
  struct SchemaFeatures {
    enum Presence: UInt64 { case explicit = 1, implicit, legacyRequired }

    var presence = Presence.explicit
    var isOpenEnum = true
    var isPacked = true
    var checksUTF8 = true
    var isDelimited = false

    static let proto2: SchemaFeatures = {
      var features = SchemaFeatures()
      features.isOpenEnum = false
      features.isPacked = false
      features.checksUTF8 = false
      return features
    }()

    static let proto3: SchemaFeatures = {
      var features = SchemaFeatures()
      features.presence = .implicit
      return features
    }()

    /// Changes what a `FeatureSet` contains.
    mutating func apply(_ bytes: ArraySlice<UInt8>) throws(DynamicError) {
      var fields = WireFields(bytes)
      while let field = try fields.next() {
        guard case .varint(let value) = field.value else { continue }
        switch field.number {
        case 1: presence = Presence(rawValue: value) ?? presence
        case 2: isOpenEnum = value != 2
        case 3: isPacked = value != 2
        case 4: checksUTF8 = value != 3
        case 5: isDelimited = value == 2
        default: break
        }
      }
    }

    /// The features with those of the options, in which they have this number.
    func with(options: ArraySlice<UInt8>?, number: Int) throws(DynamicError) -> SchemaFeatures {
      guard let options else { return self }
      var features = self
      var fields = WireFields(options)
      while let field = try fields.next() {
        if field.number == number, case .bytes(let bytes) = field.value { try features.apply(bytes) }
      }
      return features
    }
  }
#endif
