/// Collects the secrets of a request from its body, query, and path.
struct SecretCollector {
  private let fields: SecretFields?
  var secrets: [String] = []

  /// - Parameter rpc: the RPC that the request calls; nil if that is unknown.
  init(_ rpc: RPCDescriptor?) { fields = rpc.map { SecretFields.inside($0.requestType) } }

  /// Larger bodies, files and streams are user content, unless the contract defines a secret in them.
  mutating func collect(body: HTTPBody, of rpc: RPCDescriptor?) {
    guard let body = body.bytes, fields?.names.isEmpty == false || body.count <= 1 << 20,
      let json = try? JSONValue(jsonUTF8: body)
    else { return }
    // A field that is the whole body has no name there.
    let name = rpc?.http.bodyField ?? ""
    collect(json, named: name, isSecret: isSecret(name))
  }

  /// `password=…`, `filter.password=…`, and `passwords[…]=…`.
  mutating func collect(query: String) {
    for (name, value) in PercentEncoding.pairs(query) {
      let key = QueryKey(name)
      let isField = key.path.contains { isSecret($0) }
      guard isField || SecretText.isSecretParameter(name) else { continue }
      if let mapKey = key.mapKey, isField { secrets.append(mapKey) }
      add(value, named: key.path.last ?? "")
    }
  }

  /// The values of secret fields in the path, which may follow the path of a base URL.
  mutating func collect(path: String, of rpc: RPCDescriptor) {
    let template = PathTemplate(rpc.http.path)
    guard template.variables.contains(where: isSecret), let values = template.match(endOf: path) else { return }
    for name in values.names where isSecret(name) { add(values[name] ?? "", named: name) }
  }

  private func isSecret(_ name: String) -> Bool {
    !name.isEmpty && (fields?.names.contains(SecretText.plain(name)) == true || SecretText.isSecret(name: name))
  }

  private mutating func collect(_ json: JSONValue, named name: String, isSecret: Bool) {
    switch json {
    case .object(let members):
      let isMap = isSecret && fields?.maps.contains(SecretText.plain(name)) == true
      for member in members {
        if isMap { secrets.append(member.name) }
        let isSecret = isSecret || self.isSecret(member.name)
        collect(member.value, named: isMap ? name : member.name, isSecret: isSecret)
      }
    case .array(let elements):
      for element in elements { collect(element, named: name, isSecret: isSecret) }
    case .string(let text), .number(let text): if isSecret { add(text, named: name) }
    case .bool, .null: break
    }
  }

  /// Bytes are in Base64 here; a server may quote them in the other alphabet, or as text.
  private mutating func add(_ text: String, named name: String) {
    secrets.append(text)
    guard fields?.bytes.contains(SecretText.plain(name)) == true, let bytes = Base64.decode(text) else { return }
    if let plain = String(validating: bytes, as: UTF8.self) { secrets.append(plain) }
    var digits = String(text.prefix { $0 != "=" })
    secrets.append(digits)
    digits = digits.replacing("+", with: "-").replacing("/", with: "_")
    secrets.append(digits)
  }
}
