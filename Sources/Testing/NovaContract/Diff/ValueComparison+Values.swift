import NovaCore

extension ValueComparison {
  /// Whether two values have the same form, whatever their limits are.
  static func isSameForm(_ before: ValueShape, _ after: ValueShape) -> Bool {
    switch (before.form, after.form) {
    case (.any, .any), (.object, .object), (.union, .union): true
    case (.scalar(let left, _), .scalar(let right, _)): left == right
    case (.list(let left), .list(let right)), (.map(let left), .map(let right)): isSameForm(left, right)
    default: false
    }
  }

  /// Compares two values, and all that they contain.
  mutating func compare(_ before: ValueShape, _ after: ValueShape, at place: String, as direction: Direction) {
    if let (left, right) = options(before, after, as: direction) {
      compareUnions(left, right, at: place, as: direction)
      return compareNull(before, after, at: place, as: direction)
    }
    switch (before.form, after.form) {
    case (.object(let left), .object(let right)): compareObjects(left, right, as: direction)
    case (.list(let left), .list(let right)): compare(left, right, at: "\(place)[]", as: direction)
    case (.map(let left), .map(let right)): compare(left, right, at: "\(place){}", as: direction)
    case (.union(let left), .union(let right)): compareUnions(left, right, at: place, as: direction)
    case (.scalar(let left, let format), .scalar(let right, let newFormat)):
      if left != right {
        return changeType(before, after, at: place, as: direction, widens: left == "integer" && right == "number")
      }
      if format != newFormat { compareFormats(before, after, at: place, as: direction, from: format, to: newFormat) }
    default:
      guard !Self.isSameForm(before, after) else { break }
      let widens = if case .any = after.form { true } else { false }
      return changeType(before, after, at: place, as: direction, widens: widens)
    }
    compareNull(before, after, at: place, as: direction)
    compareKnownValues(before, after, at: place, as: direction)
    compareLimits(before, after, at: place, as: direction)
  }

  private mutating func changeType(
    _ before: ValueShape, _ after: ValueShape, at place: String, as direction: Direction, widens: Bool
  ) {
    let (left, right) = (before.description(in: old), after.description(in: new))
    let isFine = widens && direction == .request
    let meaning =
      switch direction {
      case .request where isFine: "The values that clients send are still valid."
      case .request: "The values that clients send get 400."
      case .response: "Clients that read \(left) fail, or misread it."
      }
    changes.add(
      isFine ? .compatible : .breaking, .type, at: place, from: left, to: right, meaning: meaning, rpc: rpc)
  }

  /// The range of integers, and forms of texts such as times.
  private mutating func compareFormats(
    _ before: ValueShape, _ after: ValueShape, at place: String, as direction: Direction, from left: String?,
    to right: String?
  ) {
    guard case .scalar("string", _) = before.form else {
      let isWider = Self.bits(right) > Self.bits(left)
      let grade: ContractChange.Grade =
        switch (direction, isWider) {
        case (.request, true), (.response, false): .compatible
        case (.request, false): .breaking
        case (.response, true): .dangerous
        }
      changes.add(
        grade, .type, at: place, from: before.description(in: old), to: after.description(in: new),
        meaning: isWider
          ? "Values can be greater than clients store; JavaScript rounds those above 2^53."
          : "Values have a smaller range.", rpc: rpc)
      return
    }
    // A format that is added to a response is a promise; to a request, a rule.
    let grade: ContractChange.Grade =
      switch (left, right) {
      case (nil, _): direction == .request ? .breaking : .compatible
      case (_, nil): direction == .request ? .compatible : .dangerous
      default: .breaking
      }
    changes.add(
      grade, .type, at: place, from: before.description(in: old), to: after.description(in: new),
      meaning: grade == .compatible
        ? "Clients don't notice it." : "Texts have another form, which clients may not read or send.", rpc: rpc)
  }

  private static func bits(_ format: String?) -> Int {
    switch format {
    case "int32", "float": 32
    case "uint32": 33
    case "int64": 63
    case "uint64": 64
    default: 65
    }
  }

  /// The options of two values of which only one is a union, which has the other one; nil for other values, and where
  /// clients that read a value of one type get a union.
  private func options(
    _ before: ValueShape, _ after: ValueShape, as direction: Direction
  ) -> ([ValueShape], [ValueShape])? {
    func has(_ options: [ValueShape], in contract: DescribedContract, _ name: String) -> Bool {
      options.contains { $0.description(in: contract) == name }
    }
    var single = if case .union = before.form { after } else { before }
    single.isNullable = false
    switch (before.form, after.form) {
    case (.union, .union): return nil
    case (.union(let left), _): return has(left, in: old, single.description(in: new)) ? (left, [single]) : nil
    case (_, .union(let right)) where direction == .request:
      return has(right, in: new, single.description(in: old)) ? ([single], right) : nil
    default: return nil
    }
  }

  private mutating func compareUnions(
    _ before: [ValueShape], _ after: [ValueShape], at place: String, as direction: Direction
  ) {
    var rest = after
    for value in before {
      let name = value.description(in: old)
      guard let index = rest.firstIndex(where: { $0.description(in: new) == name }) else {
        changes.add(
          direction == .request ? .breaking : .compatible, .removedValue, at: place, from: name,
          meaning: direction == .request ? "Requests with it get 400." : "Clients no longer get it.", rpc: rpc)
        continue
      }
      compare(value, rest.remove(at: index), at: place, as: direction)
    }
    for value in rest {
      changes.add(
        direction == .response ? .dangerous : .compatible, .addedValue, at: place, to: value.description(in: new),
        meaning: direction == .response ? "Clients may not handle it." : "Clients don't send it yet.", rpc: rpc)
    }
  }

  private mutating func compareNull(
    _ before: ValueShape, _ after: ValueShape, at place: String, as direction: Direction
  ) {
    guard before.isNullable != after.isNullable else { return }
    let isWorse = after.isNullable == (direction == .response)
    let words = { (isNullable: Bool) in isNullable ? "can be null" : "never null" }
    changes.add(
      isWorse ? .breaking : .compatible, .nullable, at: place, from: words(before.isNullable),
      to: words(after.isNullable),
      meaning: isWorse
        ? direction == .response ? "Clients that don't expect null fail." : "Requests with null get 400."
        : "Clients don't notice it.", rpc: rpc)
  }

  private mutating func compareKnownValues(
    _ before: ValueShape, _ after: ValueShape, at place: String, as direction: Direction
  ) {
    guard before.values != nil || after.values != nil else { return }
    guard let left = before.values, let right = after.values else {
      let isLimited = after.values != nil
      let values = (before.values ?? after.values ?? []).joined(separator: ", ")
      changes.add(
        isLimited
          ? (direction == .request ? .breaking : .compatible) : (direction == .request ? .compatible : .dangerous),
        isLimited ? .tightened : .loosened, at: place, from: isLimited ? "any text" : values,
        to: isLimited ? values : "any text",
        meaning: isLimited
          ? direction == .request ? "Requests with another value get 400." : "Clients get only these values."
          : direction == .request ? "Any value is accepted." : "Clients get values that they don't know.", rpc: rpc)
      return
    }
    for value in left where !right.contains(value) {
      changes.add(
        direction == .request ? .breaking : .compatible, .removedValue, at: place, from: value,
        meaning: direction == .request ? "Requests with \(value) get 400." : "Clients no longer get it.", rpc: rpc)
    }
    for value in right where !left.contains(value) {
      changes.add(
        direction == .response ? .dangerous : .compatible, .addedValue, at: place, to: value,
        meaning: direction == .response
          ? "Clients that switch over the values need a case for others." : "Clients don't send it yet.", rpc: rpc)
    }
  }

  private mutating func compareLimits(
    _ before: ValueShape, _ after: ValueShape, at place: String, as direction: Direction
  ) {
    for limit in Limit.allCases where before.limits[limit] != after.limits[limit] {
      let (left, right) = (before.limits[limit], after.limits[limit])
      let isTighter = Self.isTighter(left, right, isUpper: limit.isUpper)
      let grade: ContractChange.Grade =
        switch (direction, isTighter) {
        // A page that is too long is only shortened.
        case (_, true) where limit == .pageSize: .dangerous
        case (.request, true): .breaking
        case (.response, false): .dangerous
        default: .compatible
        }
      changes.add(
        grade, isTighter ? .tightened : .loosened, at: place, from: left.map(limit.description) ?? "no limit",
        to: right.map(limit.description) ?? "no limit",
        meaning: Self.meaning(of: limit, isTighter: isTighter, as: direction), rpc: rpc)
    }
    if before.pattern != after.pattern {
      let isFreed = after.pattern == nil
      let grade: ContractChange.Grade =
        direction == .request ? (isFreed ? .compatible : .breaking) : (isFreed ? .dangerous : .compatible)
      changes.add(
        grade, .pattern, at: place, from: before.pattern ?? "any text", to: after.pattern ?? "any text",
        meaning: direction == .request
          ? isFreed ? "Any text is accepted." : "Texts that matched can get 400."
          : isFreed ? "Clients can get other texts." : "Clients get only texts that match.", rpc: rpc)
    }
    if before.standard != after.standard {
      changes.add(
        .dangerous, .standard, at: place, from: before.standard ?? "no default", to: after.standard ?? "no default",
        meaning: "Requests without a value mean something else.", rpc: rpc)
    }
  }

  private static func isTighter(_ before: Double?, _ after: Double?, isUpper: Bool) -> Bool {
    guard let after else { return false }
    guard let before else { return true }
    return isUpper ? after < before : after > before
  }

  private static func meaning(of limit: Limit, isTighter: Bool, as direction: Direction) -> String {
    if limit == .pageSize {
      return isTighter ? "Clients get fewer items than they ask for." : "Clients can ask for more items."
    }
    return switch (direction, isTighter) {
    case (.request, true): "Values that were valid get 400."
    case (.request, false): "More values are accepted."
    case (.response, true): "Clients get fewer values."
    case (.response, false): "Clients can get values that they have no room for."
    }
  }
}
