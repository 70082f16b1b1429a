import NovaSDK

/// The records of a list of IDs: each has an ID, and in tables and for selected fields also the fields of its user or post.
enum IDRecord: String {
  case user = "user_id"
  case post = "post_id"

  /// The name of an ID in JSON.
  var key: String { rawValue }

  /// The field that tables show beside an ID.
  var column: String { self == .user ? "username" : "content" }

  /// The fields that lists of these IDs can show.
  var descriptor: MessageDescriptor {
    let record = self == .user ? UserProfile.descriptor : Post.descriptor
    return MessageDescriptor(
      record.name, fields: [FieldDescriptor(key, number: 0, kind: .string)] + record.fields.filter { $0.name != "id" })
  }

  func lookup(_ context: CommandContext) -> RecordLookup { self == .user ? .users(context) : .posts(context) }

  /// Writes the list.
  ///
  /// - Parameters:
  ///   - shape: the fields, a selection of those of ``descriptor``.
  ///   - lookup: finds the users or posts.
  func writer(
    _ output: StandardOutput, in shape: RecordShape, lookup: RecordLookup? = nil
  ) -> RecordWriter<String> {
    let hasFields = shape.format == .table || shape.isPicked
    let list = hasFields ? (self == .user ? "users" : "posts") : "\(key)s"
    // Without fields, JSON lists the IDs alone.
    let isAlone = shape.format == .json && !hasFields
    let supplement = lookup.map { RecordSupplement(allFieldsOf: key, $0) }
    return RecordWriter(output, in: shape, key: list, supplement: supplement) { id in
      isAlone ? .string(id) : .members((key, .string(id)))
    }
  }
}
