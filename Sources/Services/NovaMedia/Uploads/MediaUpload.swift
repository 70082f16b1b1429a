import NovaCore
import NovaCrypto
public import Observation

/// A running upload: shows its progress, and pauses, resumes, and ends it.
///
/// ```swift
/// let upload = nova.media.upload(.file(path), userId: me)
/// for await progress in upload.updates { print(progress.uploadedBytes, "of", progress.totalBytes) }
/// let record = try await upload.value
/// ```
///
/// An upload runs until it ends, even if nothing refers to it anymore. You can call all methods in every state, from
/// any task.
public final class MediaUpload: Sendable, Observable {
  /// The upload's ID on this machine, with which ``MediaService/pendingUploads()`` lists it. It differs from the
  /// server's ID, which ``value`` contains.
  public var id: String { control.id }

  private let control: UploadControl
  private let task: Task<Upload, any Error>

  /// Starts an upload.
  ///
  /// - Parameter work: uploads the bytes, reports its steps to the control, and returns the completed upload.
  init(
    id: String, clock: any CallClock, progress: UploadProgress = UploadProgress(),
    _ work: @escaping @Sendable (UploadControl) async throws -> Upload
  ) {
    let control = UploadControl(id: id, clock: clock, progress: progress)
    self.control = control
    task = Task {
      do {
        let upload = try await work(control)
        control.end(.completed)
        return upload
      } catch {
        control.end(Task.isCancelled ? .cancelled : .failed)
        // A cancelled step may report another failure.
        throw Task.isCancelled ? CancellationError() : error
      }
    }
  }

  /// The current progress. It is observable: SwiftUI and `withObservationTracking` notice its changes.
  public var progress: UploadProgress { control.progress }

  /// The number of bytes that the server had when sending began, 0 for a new upload; nil before that.
  package var resumedFrom: Int? { control.firstBytes }

  /// Whether a resumed upload failed because its file had changed before anything was sent.
  package var hasOtherContent: Bool { control.hasOtherContent }

  /// The current progress, and each change of it. A slow reader skips values. The last value has the state `completed`,
  /// `failed`, or `cancelled`; then the sequence ends without an error. Each access returns a new sequence.
  public var updates: AsyncStream<UploadProgress> { control.updates }

  /// The server's record of the completed upload, with its ID and URL. Waits for the end of the upload. Several tasks
  /// can wait for it, even after the end.
  ///
  /// Cancelling a task that waits for it ends the upload at once. Its record on disk is kept, for
  /// ``MediaService/resumeUpload(_:)``.
  ///
  /// - Throws: ``APIError``: `cancelled` after ``cancel()`` or the cancellation of a waiting task; `timeout` after the
  ///   deadline.
  public var value: Upload {
    get async throws {
      try await withTaskCancellationHandler {
        do { return try await task.value } catch is CancellationError {
          throw APIError(.cancelled, "the upload was cancelled", rpc: MediaService.uploadBytes.descriptor.id)
        } catch let error as CryptoError {
          throw APIError(.failedPrecondition, "\(error)", rpc: MediaService.uploadBytes.descriptor.id)
        }
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// Stops sending at once, until ``resume()``. If the server has not received a chunk completely, its rest is sent
  /// again later. Has no effect while the upload completes, or after it has ended.
  ///
  /// A pause does not extend a `deadline` of the service's options. If the deadline passes during the pause, the upload
  /// stays paused, and fails with `timeout` when it is resumed; ``MediaService/resumeUpload(_:)`` can continue it.
  public func pause() { control.pause() }

  /// Continues after ``pause()``, with the first byte that the server does not have. Has no effect in other states.
  public func resume() { control.resume() }

  /// Ends the upload and removes its record on disk, so that it cannot be resumed. Returns when both are done.
  ///
  /// Also removes the record of an upload that already failed or was stopped. Has no effect on a completed upload. The
  /// server keeps the bytes that it has.
  public func cancel() async {
    task.cancel()
    _ = await task.result
    await control.discard()
  }
}
