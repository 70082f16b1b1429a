import NovaCore
import NovaRegistry

/// The operations that carry bytes, which belong to no RPC.
struct OpenAPIMedia {
  private let upload: JSONValue
  private let start: RPCDescriptor?

  init(_ registry: RPCRegistry, _ schemas: OpenAPISchemas) {
    start = registry.rpc(named: "media.StartUpload")
    let message = start?.responseType.descriptor.fields.first { $0.name == "upload" }?.messageName
    let type = message.flatMap { registry.message(named: $0) }
    upload = type.map { schemas.reference(to: $0.descriptor, .response) } ?? .object([])
  }

  /// The operations with their path and method; none for a registry without uploads.
  var operations: [(path: String, method: String, operation: JSONValue)] {
    guard start != nil else { return [] }
    return [
      (MediaPaths.uploadBytes, "put", uploadBytes), (MediaPaths.file, "get", file("GetFile", "Reads a file.")),
      (MediaPaths.file, "head", file("HeadFile", "Reads the headers of a file.")),
    ]
  }

  private var uploadBytes: JSONValue {
    let body = JSONValue.members(
      ("schema", .members(("type", .string("string")), ("format", .string("binary")))))
    return .members(
      ("operationId", .string("media.UploadBytes")), ("tags", .array([.string("media")])),
      ("summary", .string("Sends bytes of an upload.")),
      (
        "description",
        .string(
          "The destination is the `upload_url` of `media.StartUpload`; this path is the mock backend's. Send chunks of "
            + "`chunk_size` one after another, each behind the last.")
      ),
      (
        "parameters",
        .array([
          Self.parameter("id", in: "path", "The upload's ID.", example: "upload-1"),
          Self.parameter(
            "Content-Range", in: "header",
            "The place of a chunk: `bytes <first>-<last>/<total>`. Not needed for a whole "
              + "file.", pattern: "^bytes [0-9]+-[0-9]+/[0-9]+$", example: "bytes 0-10/11"),
          Self.parameter(
            "Content-Digest", in: "header", "The SHA-256 digest of the chunk: `sha-256=:<base64>:` (RFC 9530).",
            pattern: "^sha-256=:[A-Za-z0-9+/]{43}=:$",
            example: "sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:"),
          OpenAPISchemas.reference("parameters", "X-Request-ID"),
        ])
      ),
      (
        "requestBody",
        .members(
          ("required", .bool(true)), ("content", .object([.init(name: "application/octet-stream", value: body)])))
      ),
      ("responses", .object(uploadResponses)))
  }

  private var uploadResponses: [JSONValue.Member] {
    let type = JSONValue.members(
      ("type", .string("object")), ("required", .array([.string("upload")])),
      ("properties", .members(("upload", upload))))
    let content = JSONValue.object([.init(name: "application/json", value: .members(("schema", type)))])
    func stored(_ description: String) -> JSONValue {
      .members(("description", .string(description)), ("content", content))
    }
    return [
      ("200", stored("The bytes are stored.")),
      ("400", OpenAPIErrors.response("INVALID_ARGUMENT when the headers do not fit the bytes.")),
      ("401", OpenAPIErrors.response("UNAUTHENTICATED when the access token is missing, expired or revoked.")),
      ("403", OpenAPIErrors.response("PERMISSION_DENIED when the access token is that of another user.")),
      ("404", OpenAPIErrors.response("NOT_FOUND when there is no such upload.")),
      ("409", stored("The chunk does not begin at the `uploaded_size` of the upload; go on from there.")),
      ("413", OpenAPIErrors.response("The bytes go past the file's size.")),
      ("422", OpenAPIErrors.response("The bytes do not have the digest of Content-Digest; nothing is stored.")),
    ].map { JSONValue.Member(name: $0.0, value: $0.1) } + Self.common
  }

  private static let common: [JSONValue.Member] = [
    ("429", "Throttled"), ("500", "InternalError"), ("503", "Unavailable"),
  ]
  .map { .init(name: $0.0, value: OpenAPISchemas.reference("responses", $0.1)) }

  private func file(_ name: String, _ summary: String) -> JSONValue {
    let body = JSONValue.members(("schema", .members(("type", .string("string")), ("format", .string("binary")))))
    let content: JSONValue? = name == "GetFile" ? .object([.init(name: "*/*", value: body)]) : nil
    let headers = ["Accept-Ranges", "ETag", "Cache-Control", "Repr-Digest"]
    func success(_ description: String, _ names: [String]) -> JSONValue {
      .members(
        ("description", .string(description)), ("headers", OpenAPIHeaders.references(names)), ("content", content))
    }
    return .members(
      ("operationId", .string("media.\(name)")), ("tags", .array([.string("media")])),
      ("summary", .string(summary)),
      (
        "description",
        .string("Responses name the URLs of files, such as `url` of an upload; this path is the mock backend's.")
      ),
      (
        "parameters",
        .array([
          Self.parameter("id", in: "path", "The ID of an upload, a video or a reel.", example: "upload-1"),
          Self.parameter("name", in: "path", "The file's name.", example: "hello.txt"),
          Self.parameter(
            "Range", in: "header", "The part to read.", pattern: "^bytes=([0-9]+-[0-9]*|-[0-9]+)$",
            example: "bytes=0-99"),
          Self.parameter(
            "If-Range", in: "header",
            "The `ETag` of the file of which the part is wanted; of another one, all is sent.",
            example: "\"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\""),
          Self.parameter(
            "If-None-Match", in: "header", "The `ETag` of the bytes that the client has, or several.",
            example: "\"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\""),
        ])
      ),
      (
        "responses",
        .object(
          [
            .init(name: "200", value: success("The bytes.", headers)),
            .init(name: "206", value: success("The part that Range asks for.", headers + ["Content-Range"])),
            .init(name: "304", value: .members(("description", .string("The client has the bytes.")))),
            .init(name: "404", value: OpenAPIErrors.response("NOT_FOUND when there is no such file.")),
            .init(name: "412", value: OpenAPIErrors.response("The file has changed; only with If-Match.")),
            .init(name: "416", value: OpenAPIErrors.response("The range begins past the end.")),
          ] + Self.common)
      ),
      ("security", .array([.object([]), OpenAPISecurity.bearer])))
  }

  private static func parameter(
    _ name: String, in place: String, _ description: String, pattern: String? = nil, example: String
  ) -> JSONValue {
    let length: JSONValue? = place == "path" ? .number("1") : nil
    return .members(
      ("name", .string(name)), ("in", .string(place)), ("required", place == "path" ? .bool(true) : nil),
      ("description", .string(description)),
      (
        "schema",
        .members(
          ("type", .string("string")), ("minLength", length), ("pattern", pattern.map { .string($0) }))
      ),
      ("example", .string(example)))
  }
}
