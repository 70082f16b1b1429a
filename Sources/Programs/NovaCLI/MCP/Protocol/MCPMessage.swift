import NovaCore

/// A message of a client: JSON-RPC 2.0, without batches.
enum MCPMessage: Sendable {
  case request(MCPRequest)
  case notification(method: String, parameters: JSONValue)
  /// A response. The server sends no requests, so it responds to nothing.
  case response
  /// The response to send for something that is not a valid message, or a request with invalid parameters.
  case invalid(MCPError, id: JSONValue)

  init(_ json: JSONValue) {
    guard json.memberList != nil else {
      self = .invalid(.invalidRequest("expected an object, found \(json.kindDescription)"), id: .null)
      return
    }
    let id = json["id"]
    // Without a valid id, a client could not tell what a response is for.
    let isIDValid = id.map { $0.stringValue != nil || $0.integerValue != nil } ?? true
    let knownID = isIDValid ? id ?? .null : .null
    guard let method = json["method"]?.stringValue else {
      let isResponse = json["method"] == nil && (json["result"] != nil || json["error"] != nil)
      self = isResponse ? .response : .invalid(.invalidRequest("method is missing or not a text"), id: knownID)
      return
    }
    let parameters = json["params"] ?? .object([])
    if json["jsonrpc"]?.stringValue != "2.0" {
      self = .invalid(.invalidRequest("jsonrpc must be \"2.0\""), id: knownID)
    } else if !isIDValid {
      self = .invalid(.invalidRequest("id must be a text or a whole number"), id: .null)
    } else if parameters.memberList == nil {
      self = .invalid(.invalidParams("params must be an object, found \(parameters.kindDescription)"), id: knownID)
    } else if let id {
      self = .request(MCPRequest(id: id, method: method, parameters: parameters))
    } else {
      self = .notification(method: method, parameters: parameters)
    }
  }
}

/// A request of a client.
struct MCPRequest: Sendable {
  /// A text or a whole number.
  let id: JSONValue
  let method: String
  /// An object.
  let parameters: JSONValue

  /// The ID as a key. The text "1" and the number 1 are different.
  var key: String { Self.key(id) }

  static func key(_ id: JSONValue) -> String { String(decoding: id.jsonUTF8, as: UTF8.self) }
}

/// An error of the protocol.
struct MCPError: Error, Sendable, Equatable {
  let code: Int
  let message: String
  var data: JSONValue?

  static func parseError(_ reason: String) -> MCPError { MCPError(code: -32700, message: "invalid JSON: \(reason)") }
  static func invalidRequest(_ reason: String) -> MCPError {
    MCPError(code: -32600, message: "invalid request: \(reason)")
  }
  static func methodNotFound(_ method: String) -> MCPError {
    MCPError(code: -32601, message: "not found: method \(method.quoted)")
  }
  static func invalidParams(_ reason: String) -> MCPError {
    MCPError(code: -32602, message: "invalid params: \(reason)")
  }
  static func resourceNotFound(_ uri: String) -> MCPError {
    MCPError(
      code: -32002, message: "not found: resource \(uri.quoted)", data: ["uri": .string(uri.shortened(to: 200))])
  }
  static func overloaded(_ reason: String) -> MCPError { MCPError(code: -32000, message: "overloaded: \(reason)") }

  var json: JSONValue { ["code": .number(code), "message": .string(message), "data": data] }
}

extension JSONValue {
  /// The response to a request.
  static func response(to id: JSONValue, _ result: Result<JSONValue, MCPError>) -> JSONValue {
    switch result {
    case .success(let value): ["jsonrpc": "2.0", "id": id, "result": value]
    case .failure(let error): ["jsonrpc": "2.0", "id": id, "error": error.json]
    }
  }
}
