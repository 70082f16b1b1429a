import NovaCapture
import NovaContent
import NovaMedia
import NovaSocial

extension Post: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.present("creator_id", creatorId)
      rules.asRequested("content", in: CreatePostRequest(content: content))
      rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
    }
  }
}

extension Like: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.present("user_id", userId)
      rules.present("post_id", postId)
    }
  }
}

extension Comment: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.present("post_id", postId)
      rules.present("creator_id", creatorId)
      rules.asRequested("content", in: CreateCommentRequest(content: content))
      rules.require(parentCommentId != id, "parent_comment_id is the comment's own id")
      rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
    }
  }
}

extension Upload: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.present("user_id", userId)
      rules.require(
        (0...max(0, fileSize)).contains(uploadedSize),
        "uploaded_size is \(uploadedSize); expected 0 to file_size, which is \(fileSize)")
    }
  }
}

extension Video: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.present("creator_id", creatorId)
      rules.notNegative("duration_seconds", durationSeconds)
    }
  }
}

extension Reel: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("id", id)
      rules.present("creator_id", creatorId)
      rules.notNegative("duration_seconds", durationSeconds)
      rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
    }
  }
}

extension Something: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.require(id > 0, "id is \(id); expected 1 or more")
      rules.present("user_id", userId)
      if contentType == "text" { rules.asRequested("content", in: CreateSomethingRequest(content: content ?? "")) }
      if let createdAt, let updatedAt { rules.require(createdAt <= updatedAt, "updated_at is before created_at") }
    }
  }
}
