import NovaCore

/// Looks for private data in the answer to a question whose answer must not contain any.
struct LeakCheck {
  private let rpc: RPCDescriptor
  private let answer: PrivateAnswer
  private let question: LeakQuestion
  private let reader: LeakReader
  private let world: PrivacyWorld

  init(_ probe: LeakProbe, _ world: PrivacyWorld) {
    (rpc, answer) = (probe.surface.rpc, probe.surface.answer)
    (question, reader, self.world) = (probe.question, probe.reader, world)
  }

  /// The verdict on an answer.
  enum Verdict {
    /// The leaks and the other differences from the contract; empty if the answer is right.
    case findings([Finding])
    /// The gateway does not have the RPC.
    case unsupported(status: Int)
  }

  /// Whether an answer shows at least one of the things.
  func shows(_ response: HTTPResponse) -> Bool { !leaks(in: response).isEmpty }

  func verdict(on response: HTTPResponse) -> Verdict {
    let leaks = leaks(in: response)
    if !leaks.isEmpty { return .findings(leaks) }
    let failure = response.isSuccess ? APIError(enclosedIn: response, of: rpc) : APIError(response)
    guard let failure else { return .findings(accepted(response)) }
    if response.status == 405 || failure.code == .unimplemented { return .unsupported(status: response.status) }
    return .findings(refusal(failure, response))
  }

  // MARK: Leaks

  private func leaks(in response: HTTPResponse) -> [Finding] {
    let body = response.succeeds(rpc) ? decoded(response) : nil
    let text = String(decoding: response.body.inMemory, as: UTF8.self)
    let shown = question.things.filter { thing in
      holdsText(of: thing, text) || body.map { body in question.signs[thing]?.contains { isMet($0, body) } } == true
    }
    if shown.isEmpty, let body, let counted = countedOnly(in: body) { return [leak(counted, to: "to")] }
    return shown.map { leak("\(question.verb) \($0.traits.phrase)", to: question.preposition) }
  }

  private func leak(_ what: String, to preposition: String) -> Finding {
    let leak = LeakSentence(
      "\(rpc.method) \(what)", to: "\(preposition) \(reader.names.inFinding)", answer: required)
    var finding = Finding(.leak, .breaking, expected: required, found: leak.text)
    finding.leak = leak
    return finding
  }

  /// Texts of the request itself may come back.
  private func holdsText(of thing: PrivateThing, _ body: String) -> Bool {
    guard let text = world.text(of: thing), body.contains(text) else { return false }
    let request = (try? question.message.jsonUTF8(ProtoJSONOptions(includesDefaults: false))) ?? []
    return !String(decoding: request, as: UTF8.self).contains(text)
  }

  private func isMet(_ sign: LeakSign, _ body: JSONValue) -> Bool {
    switch sign {
    case .field(let name): body[name]?.holdsValues ?? false
    case .entry(let name, let key): body[name]?[key]?.holdsValues ?? false
    case .value(let text): body.contains(text)
    // Readers may be told that a post is gone.
    case .event(let post):
      body["events"]?.elements?.contains {
        $0["post_id"]?.stringValue == post && $0["type"]?.stringValue != "post.deleted"
      } ?? false
    }
  }

  /// How a list without the things still counts them; nil if it does not.
  private func countedOnly(in body: JSONValue) -> String? {
    guard let name = question.total, let total = body[name]?.integerValue, body["has_more"] != .bool(true) else {
      return nil
    }
    let items = body.memberList?.compactMap { $0.value.elements?.count }.max() ?? 0
    guard total >= items + question.signs.count else { return nil }
    let posts = question.things.count == 1 ? question.things[0].traits.phrase : "alice's hidden posts"
    return "shows the number of \(posts) (\(name) \(total) with \(items) \(items == 1 ? "item" : "items"))"
  }

  /// The response with the names of `Proto/`; for a stream, its events.
  private func decoded(_ response: HTTPResponse) -> JSONValue? {
    if rpc.isServerStreaming { return ["events": .array(events(response))] }
    guard let message = response.message(of: rpc) else { return try? JSONValue(jsonUTF8: response.body.inMemory) }
    return JSONValue(message)
  }

  private func events(_ response: HTTPResponse) -> [JSONValue] {
    var parser = ServerSentEventParser()
    let items = (try? parser.parse(response.body.inMemory)) ?? []
    return items.compactMap { item in
      guard case .event(let event) = item else { return nil }
      return (try? rpc.responseType.init(jsonUTF8: Array(event.data.utf8))).flatMap { JSONValue($0) }
    }
  }

  // MARK: Other answers

  /// A success without anything private.
  private func accepted(_ response: HTTPResponse) -> [Finding] {
    guard case .denied = answer else { return [] }
    return [
      Finding(
        .accepted, .tolerated, expected: "status 403",
        found: "status \(response.status), without anything that is private")
    ]
  }

  /// A refusal shows that something exists, if the answer for something that does not exist differs. It shows no more.
  private func refusal(_ error: APIError, _ response: HTTPResponse) -> [Finding] {
    let isRefusal = [.notFound, .permissionDenied, .unauthorized].contains(error.code)
    let found = "status \(response.status)" + (isRefusal ? "" : ", which the SDK reads as \(error.code)")
    // The server is at fault, or overloaded.
    guard response.status < 500 || response.isSuccess else {
      return [Finding(.status, .breaking, expected: requiredStatus, found: found)]
    }
    if allows(error.code) { return [] }
    return [Finding(.status, .tolerated, expected: requiredStatus, found: found)]
  }

  private func allows(_ code: APIError.Code) -> Bool {
    // Without a token, every call may be refused.
    if reader == .nobody, code == .unauthorized { return true }
    return switch answer {
    case .absent, .leftOut: false
    case .notFound: code == .notFound
    case .denied: code == .permissionDenied
    case .withheld, .refused: true
    }
  }

  /// The same as ``required`` where the status is at fault: in the words of other checks, so that one fault of an RPC is one
  /// difference.
  private var requiredStatus: String {
    switch answer {
    case .notFound: "status 404"
    case .denied: "status 403"
    default: required
    }
  }

  /// What the contract requires, in words.
  private var required: String {
    switch answer {
    case .absent(let text): text
    case .leftOut, .withheld: "without it"
    case .notFound: "NOT_FOUND"
    case .denied: "PERMISSION_DENIED"
    case .refused: "PERMISSION_DENIED or NOT_FOUND"
    }
  }
}

extension JSONValue {
  /// Whether it contains anything but defaults.
  fileprivate var holdsValues: Bool {
    switch self {
    case .object(let members): members.contains { $0.value.holdsValues }
    case .array(let elements): !elements.isEmpty
    default: !isDefault
    }
  }

  /// Whether it contains this text or number as a value.
  fileprivate func contains(_ text: String) -> Bool {
    switch self {
    case .string(let value), .number(let value): value == text
    case .array(let elements): elements.contains { $0.contains(text) }
    case .object(let members): members.contains { $0.value.contains(text) }
    case .null, .bool: false
    }
  }
}
