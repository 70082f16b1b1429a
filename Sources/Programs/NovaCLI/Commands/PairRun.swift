import NovaSDK

/// The calls of a pair's command.
struct PairRun {
  let pair: Pair
  /// The acting user.
  let user: String
  /// The options for the other fields of the request.
  let details: any PairDetails
  /// Whether there is one target, whose result needs no ID beside it.
  let isSingle: Bool
  let format: OutputFormat
  /// Whether the exit code alone reports the answers.
  let isQuiet: Bool

  /// Makes a call for each target.
  ///
  /// - Throws: ``Failure``; ``FalseAnswer`` if the exit code is to report one.
  func call(_ targets: [EntityID], in context: CommandContext) async throws {
    var isAnswerFalse = false
    let missing = try await missingTargets(targets, context)
    try await context.forEach(targets) { target in
      let id = try await self.id(of: target, context)
      if missing.contains(where: { $0.hasSameBytes(as: id) }) { throw await context.noUser(id) }
      let request = try pair.request([user, id], details.members)
      let response = try await context.client.respond(pair.rpc, request, options: context.options).value
      if try await !show(response, for: id, context) { isAnswerFalse = true }
    }
    if isAnswerFalse, details.reportsByExitCode || isQuiet { throw FalseAnswer() }
  }

  private func id(of target: EntityID, _ context: CommandContext) async throws -> String {
    pair.target == .user ? try await context.id(ofUser: target.text) : target.text
  }

  /// The users that do not exist, before something is done to them. What is undone may have lost its user since.
  private func missingTargets(_ targets: [EntityID], _ context: CommandContext) async throws -> [String] {
    guard pair.requiresTarget else { return [] }
    // A name is looked up, so it exists.
    let ids = targets.map(\.text).filter { !UserReference($0).isExplicit && !$0.hasSameBytes(as: user) }
    return ids.isEmpty ? [] : try await context.missingUsers(among: ids)
  }

  /// Shows a response.
  ///
  /// - Returns: whether the answer is true, if it is one.
  private func show(_ response: any ProtoMessage, for id: String, _ context: CommandContext) async throws -> Bool {
    switch pair.result {
    case .answer(let field):
      let isTrue = try response.jsonValue()[field] == .bool(true)
      if !isTrue, let missing = try await context.missingUsers(among: [user, id]).first {
        throw await context.noUser(missing)
      }
      if !isQuiet { try write(isTrue, of: response, for: id, context) }
      return isTrue
    case .change(let verb, let more):
      let sentence = "\(user) \(verb) \(id)\(more(try response.jsonValue()))"
      try context.confirm(response, as: format, sentence: sentence, about: isSingle ? nil : (pair.targetField, id))
      return true
    }
  }

  private func write(
    _ answer: Bool, of response: any ProtoMessage, for id: String, _ context: CommandContext
  ) throws {
    if format == .table, !isSingle {
      try context.output.writeLine([id.displayed, "\(answer)"].asTabbedLine)
    } else {
      try context.write(answer, of: response, as: format, about: isSingle ? nil : (pair.targetField, id))
    }
  }
}

/// The answer to a question is false, which the exit code reports.
struct FalseAnswer: Error {}
