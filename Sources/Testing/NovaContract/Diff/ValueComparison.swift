import NovaCore

/// Compares what operations take and return.
struct ValueComparison {
  /// Who writes a value, and so who can be surprised by it.
  enum Direction: Hashable { case request, response }

  private struct Pair: Hashable {
    let old: ObjectShape.Name
    let new: ObjectShape.Name
    let direction: Direction
    let rpc: String
  }

  let old: DescribedContract
  let new: DescribedContract
  var changes = ContractChanges()
  /// The operation that is compared.
  var rpc = ""
  private var compared: Set<Pair> = []

  init(old: DescribedContract, new: DescribedContract) { (self.old, self.new) = (old, new) }

  mutating func compareRequests(_ before: DescribedContract.Operation, _ after: DescribedContract.Operation) {
    compareObjects(before.request, after.request, as: .request)
    switch (before.body, after.body) {
    case (let left?, let right?):
      compare(left, right, at: "\(rpc) request", as: .request)
      compareRequiredBodies(before, after)
    case (nil, let body?) where after.requiresBody:
      changes.add(
        .breaking, .required, at: "\(rpc) request", to: body.description(in: new),
        meaning: "Requests without a body get 400.", rpc: rpc)
    case (let body?, nil):
      changes.add(
        .breaking, .removedField, at: "\(rpc) request", from: body.description(in: old),
        meaning: "The body that clients send is ignored.", rpc: rpc)
    default: compareRequiredBodies(before, after)
    }
  }

  /// A body that became required, unless a new field of it already shows that.
  private mutating func compareRequiredBodies(
    _ before: DescribedContract.Operation, _ after: DescribedContract.Operation
  ) {
    let fields = new.objects[after.request]?.fields ?? []
    let hadBody = before.body != nil || !before.requestTypes.isEmpty
    guard before.requiresBody != after.requiresBody, after.body != nil || !after.requestTypes.isEmpty,
      hadBody || !fields.contains(where: { $0.place == .body && $0.isRequired })
    else { return }
    let words = { (isRequired: Bool) in isRequired ? "required" : "optional" }
    changes.add(
      after.requiresBody ? .breaking : .compatible, after.requiresBody ? .required : .optional, at: "\(rpc) request",
      from: hadBody ? words(before.requiresBody) : nil, to: words(after.requiresBody),
      meaning: after.requiresBody ? "Requests without a body get 400." : "Clients can leave the body out.", rpc: rpc)
  }

  mutating func compareResponses(_ before: DescribedContract.Operation, _ after: DescribedContract.Operation) {
    switch (before.response, after.response) {
    case (let before?, let after?): compare(before, after, at: "\(rpc) response", as: .response)
    case (let before?, nil):
      changes.add(
        .breaking, .removedField, at: "\(rpc) response", from: before.description(in: old),
        meaning: "Clients get no body to read.", rpc: rpc)
    case (nil, let after?):
      changes.add(
        .compatible, .addedField, at: "\(rpc) response", to: after.description(in: new),
        meaning: "Clients don't read the body.", rpc: rpc)
    case (nil, nil): break
    }
  }

  mutating func compareObjects(_ before: ObjectShape.Name, _ after: ObjectShape.Name, as direction: Direction) {
    // Messages can contain themselves.
    guard compared.insert(Pair(old: before, new: after, direction: direction, rpc: rpc)).inserted,
      let before = old.objects[before], let after = new.objects[after]
    else { return }
    for pair in FieldPairs(before.fields, after.fields).all {
      switch pair {
      case .same(let left, let right): compare(left, right, in: before.title, as: direction)
      case .removed(let field):
        removed(field, from: before.title, as: direction, isRefused: after.isClosed && field.place == .body)
      case .added(let field): added(field, to: before.title, as: direction)
      }
    }
  }

  private mutating func removed(
    _ field: FieldShape, from title: String, as direction: Direction, isRefused: Bool
  ) {
    let meaning =
      switch direction {
      case .request where isRefused: "Requests with it get 400."
      case .request: "The value that clients send is ignored."
      case .response: "Clients that read \(field.name) find nothing."
      }
    changes.add(
      .breaking, .removedField, at: "\(title).\(field.name)", from: field.value.description(in: old),
      meaning: meaning, rpc: rpc)
  }

  private mutating func added(_ field: FieldShape, to title: String, as direction: Direction) {
    let isRequired = direction == .request && field.isRequired
    changes.add(
      isRequired ? .breaking : .compatible, .addedField, at: "\(title).\(field.name)",
      to: field.value.description(in: new) + (isRequired ? ", required" : ""),
      meaning: isRequired
        ? "Requests without it get 400, and clients don't send it yet."
        : direction == .request ? "Clients don't send it yet." : "Clients ignore it.",
      rpc: rpc)
  }

  private mutating func compare(
    _ before: FieldShape, _ after: FieldShape, in title: String, as direction: Direction
  ) {
    let place = "\(title).\(before.name)"
    if before.name != after.name, before.place != .path || after.place != .path {
      let meaning =
        direction == .request
        ? "The value that clients send as \(before.name) is ignored."
        : "Clients that read \(before.name) find nothing."
      changes.add(
        .breaking, .renamedField, at: place, from: before.name, to: after.name, meaning: meaning, rpc: rpc)
    }
    if before.place != after.place {
      changes.add(
        .breaking, .movedField, at: place, from: before.place.rawValue, to: after.place.rawValue,
        meaning: "The value that clients send in the \(before.place) is ignored.", rpc: rpc)
    }
    if let left = before.number, let right = after.number, left != right {
      changes.add(
        .dangerous, .fieldNumber, at: place, from: String(left), to: String(right),
        meaning: "JSON is the same; gRPC clients read it as another field.", rpc: rpc)
    }
    compareRequirements(before, after, at: place, as: direction)
    compare(before.value, after.value, at: place, as: direction)
  }

  private mutating func compareRequirements(
    _ before: FieldShape, _ after: FieldShape, at place: String, as direction: Direction
  ) {
    guard before.isRequired != after.isRequired else { return }
    let isWorse = after.isRequired == (direction == .request)
    let meaning =
      switch (direction, after.isRequired) {
      case (.request, true): "Requests without it get 400."
      case (.request, false): "Clients can leave it out."
      case (.response, true): "Clients always get it."
      case (.response, false): "Clients that read it without a check fail where it is absent."
      }
    changes.add(
      isWorse ? .breaking : .compatible, after.isRequired ? .required : .optional, at: place,
      from: before.isRequired ? "required" : "optional", to: after.isRequired ? "required" : "optional",
      meaning: meaning, rpc: rpc)
  }
}

/// The fields of two versions of an object, in pairs.
private struct FieldPairs {
  enum Pair {
    case same(FieldShape, FieldShape)
    case removed(FieldShape)
    case added(FieldShape)
  }

  private(set) var all: [Pair] = []

  init(_ before: [FieldShape], _ after: [FieldShape]) {
    var rest = after
    var unmatched: [(index: Int, field: FieldShape)] = []
    func take(_ isMatch: (FieldShape) -> Bool) -> FieldShape? {
      rest.firstIndex(where: isMatch).map { rest.remove(at: $0) }
    }
    // In the URL, variables are known by their order, and otherwise fields by their name.
    for field in before {
      if field.place == .path, let match = take({ $0.place == .path }) ?? take({ $0.name == field.name }) {
        all.append(.same(field, match))
      } else if let match = take({ $0.name == field.name && $0.place == field.place })
        ?? take({ $0.name == field.name })
      {
        all.append(.same(field, match))
      } else {
        unmatched.append((all.count, field))
        all.append(.removed(field))
      }
    }
    for (index, field) in unmatched {
      if let match = take({ Self.isRenamed(field, $0) }) { all[index] = .same(field, match) }
    }
    all += rest.map { .added($0) }
  }

  /// Whether a field has another name, and is otherwise the same.
  private static func isRenamed(_ before: FieldShape, _ after: FieldShape) -> Bool {
    if let left = before.number, let right = after.number { return left == right }
    return before.place == after.place && FieldNameSimilarity.isLikely(before.name, after.name)
      && ValueComparison.isSameForm(before.value, after.value)
  }
}
