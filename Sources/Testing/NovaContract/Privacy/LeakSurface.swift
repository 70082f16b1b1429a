import NovaCore

/// How an RPC could show private data, and how to detect that: a row of the table of all probes.
struct LeakSurface: Sendable {
  /// How many requests ask for the things.
  enum Scope: Sendable {
    /// One for each thing.
    case each
    /// One for the first thing, where an answer takes time.
    case first
    /// One for all things: a list or a batch.
    case together

    /// The things of each request.
    func groups(of things: [PrivateThing]) -> [[PrivateThing]] {
      switch self {
      case .each: things.map { [$0] }
      case .first: things.prefix(1).map { [$0] }
      case .together: things.isEmpty ? [] : [things]
      }
    }
  }

  let rpc: RPCDescriptor
  /// What the RPC could show.
  let things: [PrivateThing]
  let scope: Scope
  /// What the contract requires in place of a leak.
  let answer: PrivateAnswer
  /// Whether a call without a token has no user to ask for.
  let needsUser: Bool
  /// Returns the requests; none if something that they need is absent.
  let questions: @Sendable (LeakContext) -> [LeakQuestion]

  /// Creates a row with several requests, or with requests that the other rows cannot express.
  ///
  /// - Parameter things: what the RPC could show. Default: the hidden posts.
  init(
    _ rpc: any DescribedRPC, _ things: [PrivateThing] = PrivateThing.posts, scope: Scope = .each,
    answer: PrivateAnswer, needsUser: Bool = false, questions: @escaping @Sendable (LeakContext) -> [LeakQuestion]
  ) {
    (self.rpc, self.things, self.scope, self.answer) = (rpc.descriptor, things, scope, answer)
    (self.needsUser, self.questions) = (needsUser, questions)
  }

  /// Creates a row with one request, and the signs that its answer shows a thing.
  init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ things: [PrivateThing] = PrivateThing.posts, scope: Scope = .each,
    answer: PrivateAnswer, needsUser: Bool = false, verb: String = "shows",
    request: @escaping @Sendable (LeakContext) -> Request,
    shownBy signs: @escaping @Sendable (LeakContext, PrivateThing) -> [LeakSign]
  ) {
    self.init(rpc, things, scope: scope, answer: answer, needsUser: needsUser) { context in
      [LeakQuestion(request(context), signs: context.signs { signs(context, $0) }, verb: verb)]
    }
  }

  /// Creates a row with one request, whose answer shows a thing if it contains the thing's text, or if one of the fields
  /// has a value.
  init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ things: [PrivateThing] = PrivateThing.posts, answer: PrivateAnswer,
    needsUser: Bool = false, shownBy fields: [String], verb: String = "shows",
    request: @escaping @Sendable (LeakContext) -> Request
  ) {
    self.init(rpc, things, answer: answer, needsUser: needsUser, verb: verb, request: request) { _, _ in
      fields.map { .field($0) }
    }
  }

  /// Creates a row with one request, whose answer shows a thing if it contains a value anywhere.
  init<Request, Response>(
    _ rpc: RPC<Request, Response>, _ things: [PrivateThing], answer: PrivateAnswer, needsUser: Bool = false,
    shownBy value: any KeyPath<LeakContext, String> & Sendable, request: @escaping @Sendable (LeakContext) -> Request
  ) {
    self.init(rpc, things, answer: answer, needsUser: needsUser, request: request) { context, _ in
      [.value(context[keyPath: value])]
    }
  }

  /// Every row.
  static let all = ofPosts + ofUsers
}

/// What the contract requires in place of something private.
enum PrivateAnswer: Sendable {
  /// A success whose field says that it does not exist: `found:false`.
  case absent(String)
  /// A success without it.
  case leftOut
  /// The same, or any refusal: the whole list belongs to a user who may hide it.
  case withheld
  /// NOT_FOUND. An empty success is read in the same way.
  case notFound
  /// PERMISSION_DENIED.
  case denied
  /// Any refusal, or a success without it: the contract names no code.
  case refused
}

/// An RPC with any types of messages.
protocol DescribedRPC {
  var descriptor: RPCDescriptor { get }
}

extension RPC: DescribedRPC {}
