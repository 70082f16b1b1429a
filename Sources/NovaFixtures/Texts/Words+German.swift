extension Words {
  static let german = Words(
    locale: .german, timezone: "Europe/Berlin",
    given: [
      ("Anna", "anna"), ("Björn", "bjoern"), ("Clara", "clara"), ("David", "david"), ("Elif", "elif"),
      ("Felix", "felix"),
      ("Greta", "greta"), ("Hannes", "hannes"), ("Ida", "ida"), ("Jörg", "joerg"), ("Käthe", "kaethe"),
      ("Lukas", "lukas"),
      ("Mia", "mia"), ("Niklas", "niklas"), ("Özlem", "oezlem"), ("Sören", "soeren"),
    ],
    family: [
      "Bauer", "Dürr", "Fischer", "Groß", "Hoffmann", "Jäger", "Kaiser", "Köhler", "Lehmann", "Müller", "Neumann",
      "Schröder", "von der Heide", "Weiß", "Yılmaz", "Zöllner",
    ],
    cities: ["Berlin", "Köln", "München", "Zürich", "Wien", "Görlitz", "Lübeck", "Düsseldorf"],
    posts: [
      "Morgenrunde am Fluss, ganz still.", "Endlich Feierabend.", "Das Brot ist gelungen 🍞",
      "Regen. Die Pflanzen freut’s.",
      "Wer kommt morgen mit laufen?", "Der Zug hatte zwei Stunden Verspätung – und ein Klavier.", "Heute nur Suppe.",
      "Das Fahrrad fährt wieder 🚲", "Erstes Mal im See dieses Jahr. Kalt!", "Donnerstags ist das Museum umsonst.",
      "Größer wird’s nicht, aber schöner.", "Nachbars Katze wohnt jetzt hier 🐈", "Schöne Grüße von der Küste!",
      "Fünf Äpfel, ein Kuchen.", "Was lest ihr gerade?", "Straßenmusik, so gut, dass alle stehen blieben.",
    ],
    comments: [
      "Schön!", "Wo ist das denn?", "Bin dabei.", "Danke fürs Teilen 🙌", "Geht mir auch so.", "Rezept, bitte!",
      "Großartig.", "Bis morgen!", "Na ja …", "👏", "Da war ich letzte Woche!", "Genau.",
    ],
    bios: [
      "Kaffee, Berge, Bücher.", "Meistens draußen.", "Übt noch.", "Meine Meinung, nicht die meiner Katze.",
      "Früher mal schnell.", "Grüße aus dem Süden ⛰️",
    ],
    titles: ["Vom Wochenende", "Kleine Freude", "Über Geduld", "Gelesen im Mai"])
}
