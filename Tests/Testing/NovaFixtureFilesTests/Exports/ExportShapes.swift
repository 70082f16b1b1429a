import NovaCore
import NovaTestSupport

/// What exports must look like, written down from what the tools publish: the schema of WireMock's admin API, that of
/// Mockoon's environments at migration 29, and Postman's collection schema v2.1.0.
enum ExportShapes {
  private static let uuid = Shape.check("a UUID") { value in
    let groups = value.stringValue?.split(separator: "-", omittingEmptySubsequences: false).map(\.count)
    return groups == [8, 4, 4, 4, 12] && value.stringValue?.allSatisfy { $0.isHexDigit || $0 == "-" } == true
  }
  private static let status = Shape.check("100…599") { (100...599).contains($0.integerValue ?? 0) }
  private static let null = Shape.check("null") { $0 == .null }

  // MARK: WireMock

  private static let contentPattern = Shape.either(
    .object(["equalTo": .string]), .object(["equalToJson": .string], ["ignoreArrayOrder": .bool]))

  static let stub = Shape.object(
    [
      "request": .object(
        ["method": .check("[A-Z]+") { $0.stringValue?.allSatisfy { $0.isASCII && $0.isUppercase } == true }],
        [
          "urlPath": .check("a path") { $0.stringValue?.hasPrefix("/") == true },
          "queryParameters": .map(contentPattern), "headers": .map(contentPattern),
          "bodyPatterns": .list(contentPattern),
        ]),
      "response": .object(
        ["status": status], ["headers": .map(.string), "body": .string, "base64Body": .string]),
      "name": .string,
    ],
    [
      "id": uuid, "priority": .check("1 or more") { ($0.integerValue ?? 0) >= 1 }, "persistent": .bool,
      "metadata": .map(.anything),
    ])

  // MARK: Mockoon

  private static let header = Shape.object(["key": .string, "value": .string])

  private static let rule = Shape.object([
    "target": .oneOf(["body", "query", "header", "params", "request_number", "cookie"]), "modifier": .string,
    "value": .string, "invert": .bool, "operator": .oneOf(["equals", "regex", "regex_i", "null", "empty_array"]),
  ])

  private static let answer = Shape.object([
    "uuid": uuid, "body": .string, "latency": .integer, "statusCode": status, "label": .string,
    "headers": .list(header), "bodyType": .oneOf(["INLINE", "DATABUCKET", "FILE"]), "filePath": .string,
    "databucketID": .string, "sendFileAsBody": .bool, "rules": .list(rule), "rulesOperator": .oneOf(["OR", "AND"]),
    "disableTemplating": .bool, "fallbackTo404": .bool, "default": .bool, "crudKey": .string,
  ])

  private static let route = Shape.object([
    "uuid": uuid, "type": .oneOf(["http", "crud"]), "documentation": .string,
    "method": .oneOf(["get", "post", "put", "patch", "delete", "head", "options"]),
    "endpoint": .check("a path without its slash") { $0.stringValue?.hasPrefix("/") == false },
    "responses": .list(answer), "enabled": .bool,
    "responseMode": .either(null, .oneOf(["RANDOM", "SEQUENTIAL", "DISABLE_RULES"])),
  ])

  static let environment = Shape.object([
    "uuid": uuid, "lastMigration": .check("29") { $0.integerValue == 29 }, "name": .string,
    "endpointPrefix": .string, "latency": .integer, "port": .integer, "hostname": .string,
    "rootChildren": .list(.object(["type": .oneOf(["route", "folder"]), "uuid": uuid])),
    "folders": .list(.anything), "routes": .list(route), "proxyMode": .bool, "proxyHost": .string,
    "proxyRemovePrefix": .bool,
    "tlsOptions": .object([
      "enabled": .bool, "type": .oneOf(["CERT", "PFX"]), "pfxPath": .string, "certPath": .string, "keyPath": .string,
      "caPath": .string, "passphrase": .string,
    ]),
    "cors": .bool, "headers": .list(header), "proxyReqHeaders": .list(header), "proxyResHeaders": .list(header),
    "data": .list(.anything),
  ])

  // MARK: Postman

  private static let parameter = Shape.object(
    ["key": .string, "value": .string], ["disabled": .bool, "description": .string])

  private static let request = Shape.object(
    [
      "method": .string, "header": .list(parameter),
      "url": .object(["raw": .string, "host": .list(.string), "path": .list(.string)], ["query": .list(parameter)]),
    ],
    [
      "auth": .object(["type": .constant("noauth")]),
      "body": .object(
        ["mode": .constant("raw"), "raw": .string],
        ["options": .object(["raw": .object(["language": .oneOf(["json", "text"])])])]),
    ])

  private static let event = Shape.object([
    "listen": .oneOf(["test", "prerequest"]),
    "script": .object(["type": .constant("text/javascript"), "exec": .list(.string)]),
  ])

  private static let item = Shape.object(
    [
      "name": .string, "request": request,
      "response": .list(
        .object([
          "name": .string, "originalRequest": request, "status": .string, "code": status, "header": .list(parameter),
          "cookie": .list(.anything), "body": .string,
        ])),
    ], ["event": .list(event)])

  private static let folder = Shape.object([
    "name": .string, "item": .list(.object(["name": .string, "item": .list(item)])),
  ])

  static let collection = Shape.object([
    "info": .object([
      "name": .string, "_postman_id": uuid, "description": .string,
      "schema": .constant("https://schema.getpostman.com/json/collection/v2.1.0/collection.json"),
    ]),
    "item": .list(.either(folder, item)),
    "auth": .object([
      "type": .constant("bearer"),
      "bearer": .list(.object(["key": .string, "value": .string, "type": .string])),
    ]),
    "variable": .list(.object(["key": .string, "value": .string])),
  ])
}
