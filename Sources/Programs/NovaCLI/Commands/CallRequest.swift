import ArgumentParser
import NovaSDK

/// The request of `nova call` and `nova bench` as it is typed: JSON, `@file`, or `-`, and then fields as `name=value`.
struct CallRequest {
  /// The JSON, `@file`, or `-`; nil for none.
  private let source: String?
  private let fields: [FieldArgument]

  /// - Throws: ValidationError for an argument that is none of these.
  init(_ arguments: [String]) throws {
    let isSourceFirst = arguments.first.map { FieldArgument($0) == nil } ?? false
    if isSourceFirst, Self.isName(arguments[0]) { throw Self.noField(arguments[0]) }
    source = isSourceFirst ? arguments[0] : nil
    fields = try arguments.dropFirst(isSourceFirst ? 1 : 0).map { text in
      if let field = FieldArgument(text) { return field }
      throw Self.noField(text)
    }
  }

  private static func noField(_ text: String) -> ValidationError {
    ValidationError("invalid argument \"\(text.printable(to: 100))\": expected a field as name=value")
  }

  /// Whether a text is the name of a field, whose value is missing. Numbers and the words of JSON can be requests.
  private static func isName(_ text: String) -> Bool {
    !["true", "false", "null"].contains(text) && text.first?.isLetter == true
      && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
  }

  /// Whether a field names a user by `@me` or a name, which only the gateway or the session can resolve.
  private var namesUsers: Bool { fields.contains { $0.userReference != nil } }

  /// The same with IDs in the place of `@me` and names, which a session or a call has told.
  func resolved(with connection: ConnectionOptions) async throws -> CallRequest {
    guard namesUsers else { return self }
    var resolved = self
    try await CommandContext.run(connection) { resolved = try await self.resolved(in: $0) }
    return resolved
  }

  private func resolved(in context: CommandContext) async throws -> CallRequest {
    var resolved: [FieldArgument] = []
    for field in fields {
      var field = field
      if let user = field.userReference { field.text = try await context.id(ofUser: user) }
      resolved.append(field)
    }
    return CallRequest(source: source, fields: resolved)
  }

  private init(source: String?, fields: [FieldArgument]) { (self.source, self.fields) = (source, fields) }

  /// The request of an RPC of the contract. The types of its fields say how values are read.
  ///
  /// - Throws: ``Failure`` for what is not a request of the RPC.
  func message(of rpc: RPCDescriptor, _ options: UnknownFieldOptions) throws -> any ProtoMessage {
    let input = try input()
    let message: any ProtoMessage
    do throws(ProtoJSONError) { message = try options.read(rpc.requestType, from: input.bytes) } catch {
      throw Failure(error, in: input.name)
    }
    return try addingFields(to: message, readFrom: input.bytes, of: rpc, options)
  }

  /// Returns a request with the fields. The JSON is read before, because errors in it have positions, and what is added to it
  /// has none.
  ///
  /// - Throws: ``Failure`` for a field that the request does not have.
  func addingFields(
    to message: any ProtoMessage, readFrom bytes: [UInt8], of rpc: RPCDescriptor, _ options: UnknownFieldOptions
  ) throws -> any ProtoMessage {
    guard !fields.isEmpty else { return message }
    var json = (try? JSONValue(jsonUTF8: bytes)) ?? .object([])
    let type = rpc.requestType.descriptor
    for field in fields { json = try field.added(to: json, of: type) }
    do throws(ProtoJSONError) { return try options.read(rpc.requestType, from: json.jsonUTF8) } catch {
      throw Failure(error, in: "request")
    }
  }

  /// The request of an RPC that only its server describes, and its name in messages. Values are texts, which protobuf's
  /// JSON accepts for numbers, too.
  func json() throws -> (json: JSONValue, name: String) {
    let input = try input()
    var json: JSONValue
    do throws(ProtoJSONError) { json = try JSONValue(jsonUTF8: input.bytes) } catch {
      throw Failure(error, in: input.name)
    }
    for field in fields { json = try field.added(to: json, of: nil) }
    return (json, input.name ?? "standard input")
  }

  /// The request as JSON without the fields, and its name in messages.
  func input() throws -> (bytes: [UInt8], name: String?) {
    guard let source else { return (Array("{}".utf8), "request") }
    let input = try RequestInput(source)
    return (input.bytes, input.name)
  }
}
