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
    [
      "operationId": "media.UploadBytes", "tags": ["media"], "summary": "Sends bytes of an upload.",
      "description": """
      The destination is the `upload_url` of `media.StartUpload`; this path is the mock backend's. Send chunks of \
      `chunk_size` one after another, each behind the last.
      """,
      "parameters": [
        Self.parameter("id", in: "path", "The upload's ID.", example: "upload-1"),
        Self.parameter(
          "Content-Range", in: "header",
          "The place of a chunk: `bytes <first>-<last>/<total>`. Not needed for a whole file.",
          pattern: "^bytes [0-9]+-[0-9]+/[0-9]+$", example: "bytes 0-10/11"),
        Self.parameter(
          "Content-Digest", in: "header", "The SHA-256 digest of the chunk: `sha-256=:<base64>:` (RFC 9530).",
          pattern: "^sha-256=:[A-Za-z0-9+/]{43}=:$", example: "sha-256=:uU0nuZNNPgilLlLX2n2r+sSE7+N6U4DukIj3rOLvzek=:"),
        OpenAPISchemas.reference("parameters", "X-Request-ID"),
      ],
      "requestBody": ["required": true, "content": ["application/octet-stream": Self.bytes]],
      "responses": uploadResponses,
    ]
  }

  private static let bytes: JSONValue = ["schema": ["type": "string", "format": "binary"]]

  private var uploadResponses: JSONValue {
    func stored(_ description: JSONValue) -> JSONValue {
      let schema: JSONValue = ["type": "object", "required": ["upload"], "properties": ["upload": upload]]
      return ["description": description, "content": ["application/json": ["schema": schema]]]
    }
    return [
      "200": stored("The bytes are stored."),
      "400": OpenAPIErrors.response("INVALID_ARGUMENT when the headers do not fit the bytes."),
      "401": OpenAPIErrors.response("UNAUTHENTICATED when the access token is missing, expired or revoked."),
      "403": OpenAPIErrors.response("PERMISSION_DENIED when the access token is that of another user."),
      "404": OpenAPIErrors.response("NOT_FOUND when there is no such upload."),
      "409": stored("The chunk does not begin at the `uploaded_size` of the upload; go on from there."),
      "413": OpenAPIErrors.response("The bytes go past the file's size."),
      "422": OpenAPIErrors.response("The bytes do not have the digest of Content-Digest; nothing is stored."),
      "429": Self.throttled, "500": Self.failed, "503": Self.unavailable,
    ]
  }

  private static let throttled = OpenAPISchemas.reference("responses", "Throttled")
  private static let failed = OpenAPISchemas.reference("responses", "InternalError")
  private static let unavailable = OpenAPISchemas.reference("responses", "Unavailable")

  private func file(_ name: String, _ summary: JSONValue) -> JSONValue {
    let headers = ["Accept-Ranges", "ETag", "Cache-Control", "Repr-Digest"]
    func success(_ description: JSONValue, _ names: [String]) -> JSONValue {
      [
        "description": description, "headers": OpenAPIHeaders.references(names),
        "content": name == "GetFile" ? ["*/*": Self.bytes] : nil,
      ]
    }
    let tag: JSONValue = "\"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9\""
    return [
      "operationId": "media.\(name)", "tags": ["media"], "summary": summary,
      "description": "Responses name the URLs of files, such as `url` of an upload; this path is the mock backend's.",
      "parameters": [
        Self.parameter("id", in: "path", "The ID of an upload, a video or a reel.", example: "upload-1"),
        Self.parameter("name", in: "path", "The file's name.", example: "hello.txt"),
        Self.parameter(
          "Range", in: "header", "The part to read.", pattern: "^bytes=([0-9]+-[0-9]*|-[0-9]+)$",
          example: "bytes=0-99"),
        Self.parameter(
          "If-Range", in: "header",
          "The `ETag` of the file of which the part is wanted; of another one, all is sent.", example: tag),
        Self.parameter(
          "If-None-Match", in: "header", "The `ETag` of the bytes that the client has, or several.", example: tag),
      ],
      "responses": [
        "200": success("The bytes.", headers),
        "206": success("The part that Range asks for.", headers + ["Content-Range"]),
        "304": ["description": "The client has the bytes."],
        "404": OpenAPIErrors.response("NOT_FOUND when there is no such file."),
        "412": OpenAPIErrors.response("The file has changed; only with If-Match."),
        "416": OpenAPIErrors.response("The range begins past the end."),
        "429": Self.throttled, "500": Self.failed, "503": Self.unavailable,
      ],
      "security": [[:], OpenAPISecurity.bearer],
    ]
  }

  private static func parameter(
    _ name: JSONValue, in place: JSONValue, _ description: JSONValue, pattern: JSONValue? = nil, example: JSONValue
  ) -> JSONValue {
    let isInPath = place == "path"
    return [
      "name": name, "in": place, "required": isInPath ? true : nil, "description": description,
      "schema": ["type": "string", "minLength": isInPath ? 1 : nil, "pattern": pattern], "example": example,
    ]
  }
}
