/// The request that a call sent last, as it left: with the token and whatever else was put in on the way.
///
/// What a server quotes of it is looked for only in answers that fail, so that others cost nothing.
final class SentRequest: Sendable {
  private let request = Locked<HTTPRequest?>(nil)

  func record(_ request: HTTPRequest) { self.request.withLock { $0 = request } }

  /// Takes the secrets of the request out of what came back.
  func redactor(_ rpc: RPCDescriptor) -> SecretRedactor {
    guard let request = request.withLock({ $0 }) else { return SecretRedactor() }
    return SecretRedactor(request, rpc.requestType.descriptor)
  }
}

extension SentRequest: CustomReflectable, CustomStringConvertible {
  var description: String { ConfigurationEntry.mask }
  var customMirror: Mirror { Mirror(self, children: []) }
}
