extension Words {
  /// In the order of ``FixtureLocale``.
  static let all = [english, german, japanese, arabic, chinese, spanish]

  private static let english = Words(
    locale: .english, timezone: "Europe/London",
    given: [
      ("Ada", "ada"), ("Ben", "ben"), ("Chloé", "chloe"), ("Dylan", "dylan"), ("Erin", "erin"), ("Finn", "finn"),
      ("Grace", "grace"), ("Harry", "harry"), ("Isla", "isla"), ("Jack", "jack"), ("Kayla", "kayla"), ("Liam", "liam"),
      ("Maya", "maya"), ("Noah", "noah"), ("Olivia", "olivia"), ("Zoë", "zoe"),
    ],
    family: [
      "Adams", "Baker", "Clarke", "Davies", "Evans", "Foster", "Green", "Hughes", "Irving", "Johnson", "King", "Lewis",
      "Morgan", "O’Neill", "Smith-Jones", "Walker",
    ],
    cities: ["London", "Leeds", "Bristol", "Dublin", "Boston", "Austin", "Toronto", "Melbourne"],
    posts: [
      "Morning walk along the river.", "New coffee place around the corner, worth the queue.",
      "Shipped it. Small, but it works.", "Rain all day; the plants are happy.", "Reading about old maps again.",
      "The bread came out well this time 🍞", "Sunset from the hill, no filter 🌅", "Anyone up for a run tomorrow?",
      "Finally fixed the bike 🚲", "Two hours late, but the train had a piano.", "Learning to say no. It’s hard.",
      "My neighbour’s cat has moved in 🐈‍⬛", "First swim of the year. Cold!", "What is your favourite short book?",
      "The museum is free on Thursdays.", "Soup weather.",
    ],
    comments: [
      "Love this!", "Where is that?", "Count me in.", "Thanks for sharing 🙌", "Same here.", "Recipe, please!",
      "Made my day.", "See you there.", "Not sure about that…", "👏👏👏", "I was there last week!", "So true.",
    ],
    bios: [
      "Walks, coffee, code.", "Mostly plants.", "Opinions are my own 🤷‍♀️", "Amateur cellist, professional napper.",
      "Here for the cats.", "Once finished a marathon.",
    ],
    titles: ["Notes from the weekend", "A small victory", "On patience", "What I read in May"])

  private static let german = Words(
    locale: .german, timezone: "Europe/Berlin",
    given: [
      ("Anna", "anna"), ("Björn", "bjoern"), ("Clara", "clara"), ("David", "david"), ("Elif", "elif"),
      ("Felix", "felix"), ("Greta", "greta"), ("Hannes", "hannes"), ("Ida", "ida"), ("Jörg", "joerg"),
      ("Käthe", "kaethe"), ("Lukas", "lukas"), ("Mia", "mia"), ("Niklas", "niklas"), ("Özlem", "oezlem"),
      ("Sören", "soeren"),
    ],
    family: [
      "Bauer", "Dürr", "Fischer", "Groß", "Hoffmann", "Jäger", "Kaiser", "Köhler", "Lehmann", "Müller", "Neumann",
      "Schröder", "von der Heide", "Weiß", "Yılmaz", "Zöllner",
    ],
    cities: ["Berlin", "Köln", "München", "Zürich", "Wien", "Görlitz", "Lübeck", "Düsseldorf"],
    posts: [
      "Morgenrunde am Fluss, ganz still.", "Endlich Feierabend.", "Das Brot ist gelungen 🍞",
      "Regen. Die Pflanzen freut’s.", "Wer kommt morgen mit laufen?",
      "Der Zug hatte zwei Stunden Verspätung – und ein Klavier.", "Heute nur Suppe.", "Das Fahrrad fährt wieder 🚲",
      "Erstes Mal im See dieses Jahr. Kalt!", "Donnerstags ist das Museum umsonst.",
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

  private static let japanese = Words(
    locale: .japanese, timezone: "Asia/Tokyo",
    given: [
      ("葵", "aoi"), ("大翔", "hiroto"), ("さくら", "sakura"), ("健太", "kenta"), ("美咲", "misaki"), ("翔", "sho"),
      ("陽菜", "hina"), ("蓮", "ren"), ("ゆい", "yui"), ("拓也", "takuya"), ("結衣", "yui"), ("直樹", "naoki"), ("千尋", "chihiro"),
      ("ハルカ", "haruka"), ("学", "manabu"), ("恵", "megumi"),
    ],
    family: ["佐藤", "鈴木", "高橋", "田中", "渡辺", "伊藤", "山本", "中村", "小林", "加藤", "吉田", "山田", "佐々木", "齋藤", "松本", "井上"],
    cities: ["東京", "大阪", "京都", "札幌", "福岡", "横浜", "神戸", "那覇"],
    posts: [
      "朝の散歩、気持ちいい。", "駅前に新しい喫茶店ができた。", "やっと終わった!", "今日は一日中雨。", "パンがうまく焼けた🍞", "夕日がきれいだった🌇", "明日、走りに行く人?", "自転車、直りました🚲",
      "電車が二時間遅れ…でもピアノがあった。", "今年初めて泳いだ。冷たい!", "隣の猫が住みついた🐈", "おすすめの短編を教えて。", "木曜日は美術館が無料です。", "鍋の季節。", "ｶﾀｶﾅも読めますか?",
      "が゙んばる゙ぞ",
    ],
    comments: [
      "いいね!", "どこですか?", "行きます!", "ありがとう🙌", "わかる。", "レシピ教えて!", "最高。", "また明日。", "うーん…", "👏", "先週行きました!", "ほんとに。",
    ],
    bios: ["珈琲と本と山。", "だいたい外にいます。", "猫派です🐱", "練習中。", "発言は個人の見解です。", "元ランナー。"],
    titles: ["週末のメモ", "小さな勝利", "待つということ", "五月に読んだ本"])

  private static let arabic = Words(
    locale: .arabic, timezone: "Africa/Cairo",
    given: [
      ("أحمد", "ahmad"), ("فاطمة", "fatima"), ("محمد", "mohammad"), ("ليلى", "layla"), ("عمر", "omar"),
      ("مريم", "maryam"), ("يوسف", "yousef"), ("نور", "nour"), ("خالد", "khaled"), ("سارة", "sara"), ("حسن", "hasan"),
      ("هدى", "huda"), ("طارق", "tareq"), ("رنا", "rana"), ("زياد", "ziad"), ("مُنى", "muna"),
    ],
    family: [
      "الأحمد", "البغدادي", "حداد", "خوري", "المصري", "النجار", "درويش", "الشامي", "صالح", "عبد الله", "فارس", "قاسم",
      "منصور", "ناصر", "هاشم", "يعقوب",
    ],
    cities: ["القاهرة", "بيروت", "عمّان", "الدار البيضاء", "تونس", "دبي", "بغداد", "الرياض"],
    posts: [
      "مشي الصباح على ضفة النهر.", "مقهى جديد عند الزاوية، يستحق الانتظار.", "انتهينا أخيرًا!", "مطر طوال اليوم.",
      "نجح الخبز هذه المرّة 🍞", "غروب الشمس من التل 🌅", "من يركض معي غدًا؟", "أصلحتُ الدرّاجة 🚲",
      "تأخّر القطار ساعتين، لكن كان فيه بيانو.", "أول سباحة هذا العام. الماء بارد!", "قطة الجيران انتقلت إلينا 🐈",
      "ما كتابكم القصير المفضّل؟", "المتحف مجاني يوم الخميس.", "يوم مناسب للشوربة.", "أتعلّم Swift ببطء.",
      "بِسْمِ الصَّباحِ الجَميل",
    ],
    comments: [
      "جميل!", "أين هذا؟", "أنا معكم.", "شكرًا على المشاركة 🙌", "وأنا كذلك.", "الوصفة من فضلك!", "رائع.", "إلى الغد.",
      "لست متأكدًا…", "👏", "كنت هناك الأسبوع الماضي!", "صحيح.",
    ],
    bios: [
      "قهوة وكتب وجبال.", "غالبًا في الخارج.", "أحب القطط 🐱", "ما زلت أتعلّم.", "آرائي تمثّلني وحدي.",
      "ركضتُ ماراثونًا مرّة.",
    ],
    titles: ["من نهاية الأسبوع", "انتصار صغير", "عن الصبر", "قراءات أيار"])

  private static let chinese = Words(
    locale: .chinese, timezone: "Asia/Shanghai",
    given: [
      ("伟", "wei"), ("芳", "fang"), ("娜", "na"), ("敏", "min"), ("静", "jing"), ("磊", "lei"), ("洋", "yang"), ("艳", "yan"),
      ("勇", "yong"), ("杰", "jie"), ("思远", "siyuan"), ("子涵", "zihan"), ("欣怡", "xinyi"), ("浩然", "haoran"),
      ("雨桐", "yutong"), ("𠮷", "ji"),
    ],
    family: ["王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴", "徐", "孙", "欧阳", "司马", "郭", "何"],
    cities: ["北京", "上海", "广州", "成都", "杭州", "西安", "台北", "香港"],
    posts: [
      "早上沿着河边走了一圈。", "街角新开了一家咖啡馆,值得排队。", "终于上线了!", "下了一整天雨。", "这次面包烤得不错🍞", "山顶的日落🌅", "明天有人一起跑步吗?", "自行车修好了🚲",
      "火车晚点两小时,不过车上有钢琴。", "今年第一次游泳,好冷!", "邻居家的猫搬来了🐈", "大家最近在读什么?", "博物馆周四免费。", "适合喝汤的天气。", "慢慢来,比较快。", "一二三,走!",
    ],
    comments: ["真好!", "这是哪里?", "算我一个。", "谢谢分享🙌", "我也是。", "求食谱!", "太棒了。", "明天见。", "不一定吧……", "👏", "我上周也去了!", "说得对。"],
    bios: ["咖啡、书、山。", "大多在户外。", "猫奴🐱", "还在练习。", "仅代表个人观点。", "跑过一次马拉松。"],
    titles: ["周末随笔", "小小的胜利", "谈耐心", "五月读书"])

  private static let spanish = Words(
    locale: .spanish, timezone: "Europe/Madrid",
    given: [
      ("Ana", "ana"), ("Begoña", "begona"), ("Carlos", "carlos"), ("Diego", "diego"), ("Elena", "elena"),
      ("Fermín", "fermin"), ("Gala", "gala"), ("Hugo", "hugo"), ("Inés", "ines"), ("José", "jose"), ("Lucía", "lucia"),
      ("Martín", "martin"), ("Nuria", "nuria"), ("Óscar", "oscar"), ("Raúl", "raul"), ("Íñigo", "inigo"),
    ],
    family: [
      "Álvarez", "Benítez", "Castro", "Díaz", "Etxeberria", "Fernández", "García", "Hernández", "Ibáñez", "Jiménez",
      "López", "Muñoz", "Núñez", "Ortiz", "Peña", "de la Cruz",
    ],
    cities: ["Madrid", "Barcelona", "A Coruña", "Cádiz", "Bogotá", "Córdoba", "Mérida", "Montevideo"],
    posts: [
      "Paseo por el río esta mañana.", "Un café nuevo en la esquina; vale la cola.", "¡Por fin funciona!",
      "Lluvia todo el día.", "Esta vez el pan salió bien 🍞", "Atardecer desde la colina 🌅",
      "¿Quién se apunta a correr mañana?", "La bici ya anda 🚲", "El tren llegó dos horas tarde, pero tenía piano.",
      "Primer baño del año. ¡Qué fría!", "El gato del vecino se ha mudado 🐈", "¿Cuál es vuestro libro corto favorito?",
      "Los jueves el museo es gratis.", "Día de sopa.", "Año nuevo, piso nuevo.",
      "El pingüino también quiere vacaciones 🐧",
    ],
    comments: [
      "¡Me encanta!", "¿Dónde es?", "Contad conmigo.", "Gracias por compartir 🙌", "Igual por aquí.",
      "¡La receta, por favor!", "Qué bonito.", "Nos vemos allí.", "No sé yo…", "👏", "¡Estuve la semana pasada!",
      "Tal cual.",
    ],
    bios: [
      "Café, libros, montaña.", "Casi siempre fuera.", "Equipo gato 🐱", "Aprendiendo.", "Opiniones propias.",
      "Corrí un maratón, una vez.",
    ],
    titles: ["Notas del fin de semana", "Una pequeña victoria", "Sobre la paciencia", "Lecturas de mayo"])
}
