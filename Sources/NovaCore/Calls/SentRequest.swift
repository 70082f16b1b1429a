/// The requests of a call as they were sent, with the tokens and everything else that middleware added.
///
/// Only failed responses are searched for their secrets, so that successful calls have no overhead. A server can also quote
/// the token of an earlier attempt, which was replaced after a refusal.
final class SentRequest: Sendable {
  private let requests = Locked<[HTTPRequest]>([])

  func record(_ request: HTTPRequest) {
    requests.withLock { requests in
      // Most repeated attempts have the same secrets.
      if let last = requests.last, last.body == request.body, last.url == request.url,
        SecretRedactor.secretHeaders(last) == SecretRedactor.secretHeaders(request)
      {
        return
      }
      requests.append(request)
    }
  }

  /// Masks the secrets of the requests in the result.
  func redactor(_ rpc: RPCDescriptor) -> SecretRedactor {
    let requests = requests.withLock { $0 }
    return SecretRedactor(Set(requests.flatMap { SecretRedactor.secrets(in: $0, rpc.requestType.descriptor) }).sorted())
  }
}

extension SentRequest: CustomReflectable, CustomStringConvertible {
  var description: String { SecretText.mask }
  var customMirror: Mirror { Mirror(self, children: []) }
}
