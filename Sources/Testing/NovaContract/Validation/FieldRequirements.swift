import NovaCore

/// What the contract requires of the fields of a message in a response, from the tables of ``FieldMeaning``.
struct FieldRequirements {
  private let message: String
  private let item: FieldMeaning.Item?

  /// - Parameter list: the list that the message is an item of: see ``list(of:in:)``.
  init(of message: MessageDescriptor, in list: String? = nil) {
    self.message = message.name
    item = list.flatMap { FieldMeaning.inLists[$0] }
  }

  /// The name of a list whose items have requirements of their own; nil for other fields.
  static func list(of field: FieldDescriptor, in message: MessageDescriptor) -> String? {
    let name = "\(message.name).\(field.name)"
    return FieldMeaning.inLists[name] == nil ? nil : name
  }

  /// Whether the field must be present, with a value other than its default.
  func neverDefault(_ field: FieldDescriptor) -> Bool {
    FieldMeaning.neverDefault[message]?.contains(field.name) == true
      && item?.mayBeAbsent.contains(field.name) != true && item?.mayBeDefault.contains(field.name) != true
  }

  /// Whether the field must be there, perhaps with its default.
  func neverAbsent(_ field: FieldDescriptor) -> Bool {
    neverDefault(field) || FieldMeaning.neverAbsent[message]?.contains(field.name) == true
      || item?.mayBeDefault.contains(field.name) == true
  }

  /// Whether servers may leave the field out.
  func mayBeAbsent(_ field: FieldDescriptor) -> Bool {
    if neverAbsent(field) { return false }
    return field.cardinality == .optional || FieldMeaning.mayBeAbsent[message]?.contains(field.name) == true
      || item?.mayBeAbsent.contains(field.name) == true
  }
}
