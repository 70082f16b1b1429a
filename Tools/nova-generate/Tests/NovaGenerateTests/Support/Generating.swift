import Foundation
import NovaGenerate
import Testing

/// A folder that is gone after the test.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "nova-generate-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to path: String) throws {
    let file = url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func text(_ path: String) -> String? { try? String(contentsOf: url.appending(path: path), encoding: .utf8) }

  /// Every file, as paths from the folder, sorted.
  func paths() -> [String] {
    (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".swift") }.sorted()
  }
}

/// Runs protoc, which must be installed, and the generator on .proto texts.
func generate(
  _ protos: [String: String], gateway: String = "", registry: String? = nil, names: String? = nil, fakes: String? = nil,
  texts: String? = nil, offline: String? = nil, gatewayFile: String = "gateway.yaml"
) throws -> [String: String] {
  let folder = try TemporaryFolder()
  for (path, text) in protos { try folder.write(text, to: path) }
  let descriptors = try Protoc().descriptorSet(ofFilesBelow: folder.url.path)
  let config = try GatewayConfig(yaml: gateway.isEmpty ? "type: google.api.Service" : gateway, file: gatewayFile)
  return try Generator.files(
    descriptorSet: descriptors, gateway: config, registryModule: registry, namesModule: names, fakesModule: fakes,
    textsModule: texts,
    offlineModule: offline)
}

/// A file of package `nova.demo_service.v1` with this body.
func demo(_ body: String, imports: [String] = []) -> [String: String] {
  let lines = imports.map { "import \"\($0)\";\n" }.joined()
  return ["demo.proto": "syntax = \"proto3\";\npackage nova.demo_service.v1;\n\(lines)\(body)\n"]
}

/// What the generator says against a contract; "nothing" if it generates.
func refusal(
  _ protos: [String: String], gateway: String = "", offline: String? = nil, gatewayFile: String = "gateway.yaml"
) throws -> String {
  do {
    _ = try generate(protos, gateway: gateway, offline: offline, gatewayFile: gatewayFile)
    return "nothing"
  } catch let error as GenerationError {
    return error.description
  }
}
