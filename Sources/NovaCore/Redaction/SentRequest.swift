/// The last request of a call as it was sent, with the token and everything else that middleware added.
///
/// Only failed responses are searched for its secrets, so that successful calls have no overhead.
final class SentRequest: Sendable {
  private let request = Locked<HTTPRequest?>(nil)

  func record(_ request: HTTPRequest) { self.request.withLock { $0 = request } }

  /// Masks the secrets of the request in the result.
  func redactor(_ rpc: RPCDescriptor) -> SecretRedactor {
    guard let request = request.withLock({ $0 }) else { return SecretRedactor() }
    return SecretRedactor(request, rpc.requestType.descriptor)
  }
}

extension SentRequest: CustomReflectable, CustomStringConvertible {
  var description: String { ConfigurationEntry.mask }
  var customMirror: Mirror { Mirror(self, children: []) }
}
