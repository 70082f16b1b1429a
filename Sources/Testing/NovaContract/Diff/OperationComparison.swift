import NovaCore

/// Compares the operations of two contracts.
struct OperationComparison {
  typealias Operation = DescribedContract.Operation

  let old: DescribedContract
  let new: DescribedContract
  var changes = ContractChanges()
  private var values: ValueComparison

  init(old: DescribedContract, new: DescribedContract) {
    (self.old, self.new) = (old, new)
    values = ValueComparison(old: old, new: new)
  }

  mutating func compare() {
    let byName = Dictionary(new.operations.map { ($0.id, $0) }) { first, _ in first }
    let byPath = Dictionary(new.operations.map { ($0.route, $0) }) { first, _ in first }
    var matched: Set<String> = []
    for operation in old.operations {
      // An operation without a name is known by its path.
      let sameName = operation.isNamed ? byName[operation.id] : nil
      guard let counterpart = sameName ?? byPath[operation.route], matched.insert(counterpart.route).inserted else {
        changes.add(
          .breaking, .removedRPC, at: operation.id, from: operation.line,
          meaning: "Calls get 404 or 501.", rpc: operation.id)
        continue
      }
      compare(operation, counterpart)
    }
    for operation in new.operations where !matched.contains(operation.route) {
      changes.add(
        .compatible, .addedRPC, at: operation.id, to: operation.line, meaning: "Clients don't call it yet.",
        rpc: operation.id)
    }
  }

  private mutating func compare(_ before: Operation, _ after: Operation) {
    compareRoutes(before, after)
    if before.isStream == after.isStream {
      compareTypes(before.requestTypes, after.requestTypes, of: before, as: .request)
      compareTypes(before.responseTypes, after.responseTypes, of: before, as: .response)
    }
    compareStatuses(before, after)
    values.changes = changes
    values.rpc = before.id
    values.compareRequests(before, after)
    values.compareResponses(before, after)
    changes = values.changes
  }

  private mutating func add(
    _ grade: ContractChange.Grade, _ kind: ContractChange.Kind, of operation: Operation, from before: String?,
    to after: String?, meaning: String
  ) {
    changes.add(grade, kind, at: operation.id, from: before, to: after, meaning: meaning, rpc: operation.id)
  }

  private mutating func compareRoutes(_ before: Operation, _ after: Operation) {
    if before.id != after.id, before.isNamed {
      add(
        .dangerous, .renamedRPC, of: before, from: before.id, to: after.id,
        meaning: "The path is the same; functions of generated clients, and gRPC calls, have the old name.")
    }
    if before.method != after.method {
      add(
        .breaking, .method, of: before, from: before.method, to: after.method,
        meaning: "Requests with \(before.method) get 404 or 405.")
    }
    if before.pathShape != after.pathShape {
      add(.breaking, .path, of: before, from: before.path, to: after.path, meaning: "Requests to the old path get 404.")
    }
    if before.requiresToken != after.requiresToken {
      let words = { (isRequired: Bool) in isRequired ? "with a token" : "without a token" }
      add(
        after.requiresToken ? .breaking : .compatible, .authentication, of: before, from: words(before.requiresToken),
        to: words(after.requiresToken),
        meaning: after.requiresToken ? "Calls without a token get 401." : "Clients can still send their token.")
    }
    if before.isStream != after.isStream {
      let words = { (isStream: Bool) in isStream ? "a stream of events" : "one response" }
      add(
        .breaking, .stream, of: before, from: words(before.isStream), to: words(after.isStream),
        meaning: after.isStream ? "Clients wait for an end that does not come." : "Clients read the response as events."
      )
    }
  }

  /// Compares the media types of a body. Those that clients of the old version don't use don't matter.
  private mutating func compareTypes(
    _ before: [String], _ after: [String], of operation: Operation, as direction: ValueComparison.Direction
  ) {
    guard let old = before.first, let new = after.first, !after.contains(old),
      !(before + after).contains(where: { $0.hasSuffix("/*") })
    else { return }
    let isJSON = ContentTypeName.isJSON(old) && ContentTypeName.isJSON(new)
    let isReadable = direction == .response && isJSON
    changes.add(
      isReadable ? .dangerous : .breaking, .contentType, at: "\(operation.id) \(direction)", from: old, to: new,
      meaning: isReadable
        ? "Clients that compare the media type take a response for a failure."
        : direction == .request ? "Requests with \(old) get 415." : "Clients that read \(old) fail.",
      rpc: operation.id)
  }

  private mutating func compareStatuses(_ before: Operation, _ after: Operation) {
    let successes = (before.successStatuses.sorted(), after.successStatuses.sorted())
    if successes.0 != successes.1, !successes.0.isEmpty, !successes.1.isEmpty {
      let isAddition = before.successStatuses.isSubset(of: after.successStatuses)
      add(
        isAddition ? .dangerous : .breaking, .successStatus, of: before, from: successes.0.joined(separator: ", "),
        to: successes.1.joined(separator: ", "),
        meaning: "Clients that compare the status take a success for a failure.")
    }
    let (removed, added) = (before.errors.subtracting(after.errors), after.errors.subtracting(before.errors))
    guard !removed.isEmpty || !added.isEmpty else { return }
    let text = { (errors: Set<String>) in errors.isEmpty ? nil : errors.sorted().joined(separator: ", ") }
    switch (removed.isEmpty, added.isEmpty) {
    case (false, false):
      add(
        .breaking, .errors, of: before, from: text(removed), to: text(added),
        meaning: "Clients that handle the old status get one that they don't handle.")
    case (true, _):
      add(
        .dangerous, .errors, of: before, from: nil, to: text(added), meaning: "Clients may not handle the new failure.")
    default:
      add(
        .dangerous, .errors, of: before, from: text(removed), to: nil,
        meaning: "Clients that wait for this failure don't get it.")
    }
  }
}

extension DescribedContract.Operation {
  /// The path without the names of its variables, which clients don't send.
  var pathShape: String {
    var text = ""
    var isName = false
    for character in path {
      if character == "{" { isName = true }
      if !isName { text.append(character) }
      if character == "}" {
        isName = false
        text += "{}"
      }
    }
    return text
  }

  /// The method and the path, by which requests find it.
  var route: String { "\(method) \(pathShape)" }

  /// `POST /api/v1/graph/follow`
  fileprivate var line: String { "\(method) \(path)" }
}
