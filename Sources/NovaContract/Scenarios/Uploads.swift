import NovaCore
import NovaMedia

extension ContractScenario {
  static let uploads = [chunks, chunkErrors, image]

  private static let chunks = ContractScenario(
    "media.upload", summary: "An upload is started, sent in chunks, completed, and can be had again."
  ) { run in
    let ada = try await run.user("ada")
    let file = UploadedFile(count: 4000)
    let upload = try await run.upload(file, of: ada)
    await run.step("progress past the file", fails: .invalidArgument) {
      try await ada.media.updateUploadProgress(uploadId: upload.id, uploadedSize: 4001)
    }
    await run.step("the first chunk") { try await ada.send(0..<2500, of: file, to: upload) }.expect { $0.status == 200 }
    await run.step("where it is") { try await ada.media.getUpload(uploadId: upload.id) }
      .expect { $0?.uploadedSize == 2500 && $0?.status == "uploading" }
    await run.step("progress changes nothing now") {
      try await ada.media.updateUploadProgress(uploadId: upload.id, uploadedSize: 10)
    }.expect { $0.uploadedSize == 2500 }
    await run.step("completed too early", fails: .failedPrecondition) {
      try await ada.media.completeUpload(uploadId: upload.id, sha256: try file.sha256())
    }
    await run.step("the second chunk") { try await ada.send(2500..<4000, of: file, to: upload) }.expect {
      $0.status == 200
    }
    await run.step("another file's digest", fails: .failedPrecondition) {
      try await ada.media.completeUpload(uploadId: upload.id, sha256: String(repeating: "0", count: 64))
    }
    for time in ["completed", "completed again"] {
      await run.step(time) { try await ada.media.completeUpload(uploadId: upload.id, sha256: try file.sha256()) }
        .expect { $0.status == "completed" && $0.uploadedSize == 4000 && !$0.url.isEmpty }
    }
    await run.step("it stays so") { try await ada.media.getUpload(uploadId: upload.id) }
      .expect {
        $0?.status == "completed" && $0?.fileName == "file.bin" && $0?.contentType == "application/octet-stream"
      }
  }

  private static let chunkErrors = ContractScenario(
    "media.chunks", summary: "Chunks that do not fit are refused, and nothing of them is stored."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    let file = UploadedFile(count: 1000)
    let upload = try await run.upload(file, of: ada)
    await run.step("a gap", fails: .conflict) { try await ada.send(500..<1000, of: file, to: upload) }
    await run.step("another digest", fails: .invalidArgument, status: 422) {
      try await ada.send(0..<500, of: file, to: upload, digestOf: [1, 2, 3])
    }
    await run.step("past the end", fails: .invalidArgument, status: 413) {
      try await ada.send(0..<1001, of: UploadedFile(count: 1001), to: upload)
    }
    await run.step("no bytes", fails: .invalidArgument) {
      try await ada.send([], headers: ["Content-Range": "bytes 0-0/1000"], to: upload.url)
    }
    await run.step("a range that does not fit", fails: .invalidArgument) {
      try await ada.send(file.bytes, headers: ["Content-Range": "bytes 0-9/1000"], to: upload.url)
    }
    await run.step("somebody else's upload", fails: .permissionDenied) {
      try await bea.send(0..<500, of: file, to: upload)
    }
    await run.step("nothing is stored") { try await ada.media.getUpload(uploadId: upload.id) }
      .expect { $0?.uploadedSize == 0 }
    await run.step("a chunk") { try await ada.send(0..<500, of: file, to: upload) }.expect { $0.status == 200 }
    await run.step("the same chunk again", fails: .conflict) { try await ada.send(0..<500, of: file, to: upload) }
    for (name, size, fileName) in [
      ("no size", 0, "a"), ("a size below 0", -1, "a"), ("no name", 1, ""), ("a folder", 1, "a/b"),
      ("a name of 256 bytes", 1, String(repeating: "a", count: 256)),
    ] {
      await run.step(name, fails: .invalidArgument) {
        try await ada.unchecked.media.startUpload(userId: ada.id, fileName: fileName, fileSize: Int64(size))
      }
    }
    let missing = run.missingID
    await run.step("no upload") { try await ada.media.getUpload(uploadId: missing) }.expect(nil)
    await run.step("no upload to complete", fails: .notFound) {
      try await ada.media.completeUpload(uploadId: missing, sha256: try file.sha256())
    }
    await run.step("no upload's progress", fails: .notFound) {
      try await ada.media.updateUploadProgress(uploadId: missing, uploadedSize: 0)
    }
  }

  private static let image = ContractScenario("media.image", summary: "An image is uploaded in one call.") { run in
    let ada = try await run.user("ada")
    await run.step("uploadImage") { () -> [String: String] in
      let url = try await ada.media.uploadImage(
        image: UploadedFile(count: 500).bytes, userId: ada.id, contentType: "image/png", fileName: "cat.png")
      // The path contains the upload's id, which differs in every run.
      return ["url": String(url.split(separator: "/").last ?? "")]
    }.expect { $0["url"] != "" }
    await run.step("an empty image") {
      do {
        return try await ada.media.uploadImage(image: [], userId: ada.id)
      } catch APIError.invalidArgument {
        return "refused before anything is sent"
      }
    }
  }
}
