import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Downloads from a real server with TLS, with both versions of HTTP.
@Suite(.hangLimit) struct NginxDownloadTests {
  @Test func aDownloadContinues() async throws {
    let nginx = try NginxServer(upstreamPort: 1)
    defer { nginx.stop() }
    let bytes = someBytes(3_000_000)
    let files = URL(filePath: nginx.caFile).deletingLastPathComponent().appending(path: "files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
    try Data(bytes).write(to: files.appending(path: "video.mp4"))
    let folder = try TemporaryFolder()
    for (number, port) in [nginx.http2Port, nginx.http1Port].enumerated() {
      let path = folder.path + "/\(number)"
      let transport = CurlTransport(options: .init(caFile: nginx.caFile))
      let media = MediaService(client: try .test(transport, baseURL: "https://localhost:\(port)"))
      let writing = FullDisk.writing(roomFor: 1_000_000)
      let error = await apiError {
        var download = try FileDownload(
          MediaRequest(media, url: "/files/video.mp4"), to: path, writing: writing)
        return try await download.run()
      }
      #expect(error?.message.contains("continues after 1000000 bytes") == true, "\(error?.description ?? "no error")")
      let file = try await media.download(url: "/files/video.mp4", to: path)
      #expect(file.resumedFrom == 1_000_000 && file.byteCount == bytes.count)
      #expect(try folder.bytes("\(number)") == bytes)
      // A second download replaces the file.
      let again = try await media.download(url: "/files/video.mp4", to: path)
      #expect(!again.wasResumed && again.etag == file.etag)
      await transport.shutdown()
    }
  }
}
