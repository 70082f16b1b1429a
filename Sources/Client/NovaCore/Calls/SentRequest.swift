/// What a call sent: its requests with everything that middlewares added, and the token of the latest attempt.
///
/// Only failed responses are searched for the requests' secrets, so that successful calls have no overhead. A server can
/// also quote the token of an earlier attempt, which was replaced after a refusal.
struct SentRequest: Sendable {
  private struct State {
    var last: HTTPRequest?
    /// Those before it with other secrets: hardly any call has one.
    var earlier: [HTTPRequest] = []
    var token: AccessToken?
    var caller = PinnedCaller()
  }

  private let state = Locked(State())

  /// The token of the latest attempt; nil if it had none.
  var token: AccessToken? { state.withLock { $0.token } }

  func record(_ token: AccessToken?) { state.withLock { $0.token = token } }

  /// The same for the first attempt of a call that is no part of an operation, whose caller the token decides.
  ///
  /// - Returns: false if the caller is known already, and the token must be admitted.
  func recordFirst(_ token: AccessToken?) -> Bool {
    state.withLock { state in
      guard state.caller.decide(by: token) else { return false }
      state.token = token
      return true
    }
  }

  func withCaller<Result>(_ body: (inout PinnedCaller) throws -> Result) rethrows -> Result {
    try state.withLock { try body(&$0.caller) }
  }

  func record(_ request: HTTPRequest) {
    state.withLock { state in
      // Most repeated attempts have the same secrets.
      if let last = state.last {
        if last.body == request.body, last.url == request.url,
          SecretRedactor.secretHeaders(last) == SecretRedactor.secretHeaders(request)
        {
          return
        }
        state.earlier.append(last)
      }
      state.last = request
    }
  }

  /// Masks the secrets of the requests in the result.
  func redactor(_ rpc: RPCDescriptor) -> SecretRedactor {
    var secrets: [String] = []
    for request in state.withLock({ $0.earlier + [$0.last].compactMap(\.self) }) {
      for secret in SecretRedactor.secrets(in: request, rpc) where !secrets.contains(secret) {
        secrets.append(secret)
      }
    }
    return SecretRedactor(secrets, keepsName: FieldNames.of(rpc))
  }
}

extension SentRequest: CustomReflectable, CustomStringConvertible {
  var description: String { SecretText.mask }
  var customMirror: Mirror { Mirror(self, children: []) }
}
