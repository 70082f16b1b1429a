import NovaContent
import NovaTestSupport
import NovaUsers
import NovaViewModels
import Testing

@Suite(.hangLimit) @MainActor struct PreviewTests {
  @Test func itIsThereAtOnce() {
    let model = UserProfileViewModel.preview()
    #expect(model.userProfile?.username == "bruce_li")
    #expect(model.hasContent)
    #expect(ContentTab.allCases.allSatisfy { !model.posts(of: $0).isEmpty })
    #expect(!model.isLoading)
    #expect(model.errorMessage == nil)
  }

  @Test func everythingWorksInIt() async {
    let model = UserProfileViewModel.preview()
    let tabs = ContentTab.allCases.map { model.posts(of: $0) }
    await model.loadUserProfile(userId: "mock-user-id")
    for tab in ContentTab.allCases { await model.loadContent(for: tab) }
    #expect(ContentTab.allCases.map { model.posts(of: $0) } == tabs)
    await model.followUser(userId: "user-1492")
    await model.likePost(postId: "preview-post-1")
    await model.bookmarkPost(postId: "preview-post-1")
    await model.uploadAvatar(image: [0xFF, 0xD8, 0xFF])
    #expect(model.errorMessage == nil)
    #expect(model.isLiked("preview-post-1"))
    #expect(model.savedPosts.count == 2)
    #expect(model.followingIds.first == "user-1492")
  }
}
