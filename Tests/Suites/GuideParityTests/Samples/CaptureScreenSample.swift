import Foundation
import NovaSDK
import Observation

// The capture screen story: its view model. See GuideProfileSample.swift for the comments.

enum CaptureScreenSample {
  // guide: @Observable
  @MainActor @Observable
  // guide: class CaptureViewModel {
  final class CaptureViewModel {
    var somethingText: String = ""
    var isSaving: Bool = false
    var error: String?
    var successMessage: String?
    var lastCreated: Something?

    var characterCount: Int {
      somethingText.count
    }

    var canSave: Bool {
      !somethingText.isEmpty && somethingText.count <= 10000 && !isSaving
    }

    func saveSomething() async {
      guard canSave else { return }

      isSaving = true
      error = nil
      successMessage = nil

      do {
        // guide: let something = try await APIService.shared.createSomething(
        let something = try await NovaClient.shared.capture.create(
          // guide: content: somethingText, contentType: .text
          .text, content: somethingText
        )

        // Success
        lastCreated = something
        successMessage = "Saved!"
        somethingText = ""

        // Auto-dismiss success message after 2 seconds
        Task {
          try? await Task.sleep(nanoseconds: 2_000_000_000)
          successMessage = nil
        }
      } catch {
        self.error = error.localizedDescription
      }

      isSaving = false
    }
  }
}
