import Testing

/// What the section `offline` becomes in Swift.
@Suite struct OfflineTests {
  private func files() throws -> [String: String] {
    try generate(demo(OfflineDemo.body), gateway: OfflineDemo.gateway(), offline: "NovaOffline")
  }

  /// Whether the lines follow one another in a file, whatever their indentation.
  private func expect(_ lines: String, in file: String) throws {
    let source = try files()["Sources/NovaOffline/Generated/\(file).swift"] ?? ""
    func trimmed(_ text: String) -> String {
      text.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "\n")
    }
    #expect(trimmed(source).contains(trimmed(lines)), "\(lines)\nis not in\n\(source)")
  }

  @Test func thereAreFiveFiles() throws {
    let paths = try files().keys.filter { $0.hasPrefix("Sources/NovaOffline/") }.sorted()
    #expect(
      paths
        == ["EventRules", "OfflineRules", "ReadRules", "StoredRecords", "WriteRules"].map {
          "Sources/NovaOffline/Generated/\($0).swift"
        })
  }

  @Test func withoutAModuleThereIsNothing() throws {
    let files = try generate(demo(OfflineDemo.body), gateway: OfflineDemo.gateway())
    #expect(!files.keys.contains { $0.hasPrefix("Sources/NovaOffline/") })
  }

  @Test func outputIsDeterministic() throws {
    let first = try files()
    for _ in 0..<3 { #expect(try files() == first) }
  }

  @Test func records() throws {
    try expect("package import NovaDemo", in: "StoredRecords")
    try expect(
      """
      extension Note: StoredRecord {
        package static let kind = "Note"
        package var recordID: String { self.id }
        package static let haveChildren = true
        package var parentID: String? { self.parentId.isEmpty ? nil : self.parentId }
        package var places: [RecordPlace] {
          [
            .list(ListName("notes", [self.ownerId, "new"]), at: .first),
            .count(CountName("notes", [self.ownerId])),
          ]
        }
        package mutating func visitFacts(_ facts: any Facts) throws {
          try facts.count(CountName("stars", [self.id]), &self.starCount)
        }
      }
      """, in: "StoredRecords")
  }

  @Test func parts() throws {
    try expect(
      """
      package typealias Whole = Note
      package var recordID: String { self.id }
      package func update(_ record: inout Note) {
        record.id = self.id
        record.text = self.title
      }
      package mutating func take(from record: Note) {
        self.title = record.text
      }
      """, in: "StoredRecords")
  }

  @Test func tables() throws {
    try expect(
      #"RelationRule(kind: "starred", lists: [(kind: "stars", item: .a, key: .b)], counts: [(kind: "stars", key: .b)]),"#,
      in: "OfflineRules")
    try expect(
      #"RelationRule(kind: "hidden", lists: [], counts: [], visibility: [.set, .cleared]),"#, in: "OfflineRules")
    try expect(#""starred": "Note","# + "\n" + #""stars": "Note","#, in: "OfflineRules")
    try expect(#"package static let neverQueued: Set<String> = ["# + "\n" + #""demo.Ping","#, in: "OfflineRules")
  }

  @Test func pages() throws {
    try expect(
      """
      DemoRPC.listNotes, timeToLive: .seconds(300)
      ) { request, response, facts in
      var end = PageEnd(total: response.total, hasMore: response.hasMore)
      let page = PageName(
      list: ListName("notes", [request.ownerId, request.order.isEmpty ? "new" : request.order]), offset: request.offset,
      limit: pageLimit(request.limit), total: CountName("notes", [request.ownerId]))
      try facts.page(page, records: &response.notes, end: &end)
      response.total = end.total ?? 0
      response.hasMore = end.hasMore ?? false
      """, in: "ReadRules")
  }

  @Test func recordsRelationsAndCountsInAnswers() throws {
    try expect("DemoRPC.getNote, timeToLive: .seconds(7)", in: "ReadRules")
    try expect("try facts.record(request.noteId, &response.note, found: &response.found)", in: "ReadRules")
    try expect(
      #"try facts.relation(RelationName("starred", from: request.userId, to: request.noteId), &response.starred)"#,
      in: "ReadRules")
    try expect(
      """
      try facts.relations("starred", from: request.userId, to: request.noteIds, &response.starred)
      try facts.values(for: request.noteIds, &response.stats, new: { Stats() }) { id, value in
        try facts.count(CountName("stars", [id]), &value.stars)
      }
      """, in: "ReadRules")
    try expect(
      """
      DemoRPC.getBoard, timeToLive: .seconds(300), isRecorded: true
      ) { request, response, facts in
      try facts.share(parts: &response.lines)
      """, in: "ReadRules")
  }

  @Test func events() throws {
    try expect("import NovaDemo", in: "EventRules")
    try expect(
      """
      package static let events: [EventRule] = [
        starSet,
        starCleared,
        noteAdded,
      ]
      """, in: "EventRules")
    try expect(
      """
      private static let starSet = EventRule(
        type: "star.set",
        relation: { event in RelationName("starred", from: event.actorId, to: event.postId ?? "") }, isRelated: true,
        counts: [(field: "star_total", name: { event in CountName("stars", [event.postId ?? ""]) })],
        expires: ["demo.GetBoard"])
      """, in: "EventRules")
    try expect(
      #"doubts: (list: "notes", subject: { event in event.subjectId }))"#, in: "EventRules")
  }

  @Test func writesThatSetARelation() throws {
    try expect(
      """
      private static let demoStar = WriteRule(
        DemoRPC.star, undoneBy: "demo.Unstar", setting: { RelationName("starred", from: $0.userId, to: $0.noteId) }, to: true,
        entities: { request in entities(("starred", [request.userId, request.noteId]), ("Note", [request.noteId])) },
        check: { request in
          WriteCheck(DemoRPC.isStarred, IsStarredRequest(noteId: request.noteId, userId: request.userId)) { response, _ in
            .init(response.starred)
          }
        },
        effect: { request, response, change in
          try change.relate(RelationName("starred", from: request.userId, to: request.noteId), true)
          if let response {
            try change.set(CountName("stars", [request.noteId]), to: Int64(response.starCount))
          }
          try change.expire("demo.GetBoard")
        },
        answer: { request, newID, facts in
          var response = StarResponse()
          response.success = true
          response.noteId = request.noteId
          try facts.count(CountName("stars", [request.noteId]), &response.starCount)
          return response
        })
      """, in: "WriteRules")
  }

  @Test func writesThatCreateARecord() throws {
    try expect(
      """
      DemoRPC.addNote, creates: Note.self,
      entities: { request in entities(("notes", [request.userId])) },
      check: { request in
        let draft = demoAddNoteDraft(of: request, id: "", at: 0)
        var read = ListNotesRequest()
        read.ownerId = draft.ownerId
        read.order = "new"
        read.limit = 100
        return WriteCheck(DemoRPC.listNotes, read) { response, firstAttempt in
          made(
            among: response.notes, hasMore: response.hasMore, limit: 100, since: firstAttempt,
            madeAt: { $0.createdAt },
            resembling: { $0.ownerId == draft.ownerId && resembles($0.text, draft.text) && resembles($0.label, draft.label) }
          ) {
            $0.ownerId == draft.ownerId && $0.text == draft.text && isSame($0.label, draft.label)
          }
        }
      },
      effect: { request, response, change in
        if let response {
          if let record = response.note, record.id != "" { try change.create(record) }
        } else {
          try change.create(demoAddNoteDraft(of: request, id: change.newID, at: change.time))
        }
      },
      """, in: "WriteRules")
    try expect(
      """
      var record = Note()
      record.id = id
      record.ownerId = request.userId
      record.text = request.text
      record.label = request.label
      record.createdAt = time
      record.updatedAt = time
      return record
      """, in: "WriteRules")
  }

  @Test func writesThatChangeARecord() throws {
    try expect(
      """
      if let record = response, record.id != "" {
        try change.update(to: record)
      } else {
        let time = change.time
        try change.update(Note.self, request.noteId) { record in
          let before = record
          if let value = request.text { record.text = value }
          if let value = request.label { record.label = value.isEmpty ? nil : value }
          if record != before { record.updatedAt = time }
        }
      }
      """, in: "WriteRules")
    try expect("try change.remove(Note.self, request.noteId)", in: "WriteRules")
  }
}
