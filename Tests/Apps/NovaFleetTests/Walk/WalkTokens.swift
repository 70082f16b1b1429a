import NovaCore

#if os(Linux)
  /// The tokens that the gateway of a walk has issued. Each refresh token is good for one refresh, whose answer is repeated
  /// under the same `Idempotency-Key`.
  struct WalkTokens: Sendable {
    struct Grant: Sendable {
      let access: String
      let refresh: String
      /// Whether it was made for an earlier request with the same key.
      var isRepeated = false
    }

    private struct Refresh: Sendable {
      let user: String
      /// The key under which it was used.
      var key: String?
    }

    /// How long access tokens are valid.
    static let lifetime = 5

    private var access: [String: (user: String, end: ContinuousClock.Instant)] = [:]
    private var refresh: [String: Refresh] = [:]
    private var answers: [String: Grant] = [:]
    private var count = 0
    /// How many refreshes issued tokens, and how many answers were repeated.
    private(set) var refreshes = 0
    private(set) var repetitions = 0

    mutating func issue(_ user: String) -> Grant {
      count += 1
      let grant = Grant(access: "access.\(user).\(count)", refresh: "refresh.\(user).\(count)")
      access[grant.access] = (user, .now + .seconds(Self.lifetime))
      refresh[grant.refresh] = Refresh(user: user)
      return grant
    }

    /// Whose a token is, and whether it is still valid.
    func user(of token: String) -> (user: String, isValid: Bool)? {
      access[token].map { ($0.user, ContinuousClock.now < $0.end) }
    }

    /// - Returns: the new tokens, or what is wrong with the request.
    mutating func refresh(_ token: String, key: String) -> Result<Grant, WalkProblem> {
      guard let known = refresh[token] else { return .failure(WalkProblem("an unknown refresh token was presented")) }
      if let used = known.key {
        guard used == key, let answer = answers[key] else {
          return .failure(WalkProblem("the refresh token \(token) was presented twice, with keys \(used) and \(key)"))
        }
        repetitions += 1
        return .success(Grant(access: answer.access, refresh: answer.refresh, isRepeated: true))
      }
      refresh[token]?.key = key
      refreshes += 1
      let grant = issue(known.user)
      answers[key] = grant
      return .success(grant)
    }
  }

  struct WalkProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }
#endif
