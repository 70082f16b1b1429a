/// The named characters of HTML that servers write: all of HTML 4, and HTML 5's names of ASCII characters.
enum HTMLEntities {
  /// The length of the longest name.
  static let longestName = 16

  /// The character of a name without `&` and `;`.
  static func scalar(named name: String) -> UInt32? { scalars[name].map { UInt32($0) } }

  /// The text with characters in place of its entities.
  static func decoded(_ text: String) -> String {
    let bytes = text.utf8Bytes
    var (decoded, place) = ([UInt8](), 0)
    while place < bytes.count {
      if bytes[place] == UInt8(ascii: "&"), let (scalar, end) = entity(in: bytes, at: place + 1) {
        decoded += String(scalar).utf8Bytes
        place = end
      } else {
        decoded.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The character of the entity whose name begins at a position, and where the text after its `;` begins.
  private static func entity(in bytes: [UInt8], at start: Int) -> (scalar: Unicode.Scalar, end: Int)? {
    var (name, end) = ("", start)
    while end < bytes.count, bytes[end] != UInt8(ascii: ";") {
      // No entity is longer: a text with many `&` must not be searched to its end for each.
      guard end < start + longestName else { return nil }
      name.unicodeScalars.append(Unicode.Scalar(bytes[end]))
      end += 1
    }
    guard end < bytes.count, let number = number(of: name) else { return nil }
    return Unicode.Scalar(number).map { ($0, end + 1) }
  }

  private static func number(of entity: String) -> UInt32? {
    guard entity.hasPrefix("#") else { return scalar(named: entity) }
    let isHexadecimal = entity.hasPrefix("#x") || entity.hasPrefix("#X")
    let number = UInt64(digits: entity.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
    return number.flatMap { UInt32(exactly: $0) }
  }

  private static let scalars = {
    var (scalars, name, number): ([String: Int], String, Int) = ([:], "", 0)
    var isName = true
    for byte in (table + " ").utf8Bytes {
      switch byte {
      case UInt8(ascii: "="): isName = false
      case UInt8(ascii: " "), UInt8(ascii: "\n"):
        scalars.set(number, for: name)
        (name, number, isName) = ("", 0, true)
      case _ where isName: name.unicodeScalars.append(Unicode.Scalar(byte))
      default: number = number * 16 + Int(byte.hexadecimalValue ?? 0)
      }
    }
    return scalars
  }()

  /// Names and code points in hexadecimal.
  private static let table = """
    Tab=9 NewLine=a excl=21 QUOT=22 quot=22 num=23 dollar=24 percnt=25 AMP=26 amp=26 apos=27 lpar=28 rpar=29 ast=2a
    midast=2a plus=2b comma=2c period=2e sol=2f colon=3a semi=3b LT=3c lt=3c equals=3d GT=3e gt=3e quest=3f
    commat=40 lbrack=5b lsqb=5b bsol=5c rbrack=5d rsqb=5d Hat=5e UnderBar=5f lowbar=5f DiacriticalGrave=60 grave=60
    lbrace=7b lcub=7b VerticalLine=7c verbar=7c vert=7c rbrace=7d rcub=7d nbsp=a0 iexcl=a1 cent=a2 pound=a3
    curren=a4 yen=a5 brvbar=a6 sect=a7 uml=a8 copy=a9 ordf=aa laquo=ab not=ac shy=ad reg=ae macr=af deg=b0 plusmn=b1
    sup2=b2 sup3=b3 acute=b4 micro=b5 para=b6 middot=b7 cedil=b8 sup1=b9 ordm=ba raquo=bb frac14=bc frac12=bd
    frac34=be iquest=bf Agrave=c0 Aacute=c1 Acirc=c2 Atilde=c3 Auml=c4 Aring=c5 AElig=c6 Ccedil=c7 Egrave=c8
    Eacute=c9 Ecirc=ca Euml=cb Igrave=cc Iacute=cd Icirc=ce Iuml=cf ETH=d0 Ntilde=d1 Ograve=d2 Oacute=d3 Ocirc=d4
    Otilde=d5 Ouml=d6 times=d7 Oslash=d8 Ugrave=d9 Uacute=da Ucirc=db Uuml=dc Yacute=dd THORN=de szlig=df agrave=e0
    aacute=e1 acirc=e2 atilde=e3 auml=e4 aring=e5 aelig=e6 ccedil=e7 egrave=e8 eacute=e9 ecirc=ea euml=eb igrave=ec
    iacute=ed icirc=ee iuml=ef eth=f0 ntilde=f1 ograve=f2 oacute=f3 ocirc=f4 otilde=f5 ouml=f6 divide=f7 oslash=f8
    ugrave=f9 uacute=fa ucirc=fb uuml=fc yacute=fd thorn=fe yuml=ff OElig=152 oelig=153 Scaron=160 scaron=161
    Yuml=178 fnof=192 circ=2c6 tilde=2dc Alpha=391 Beta=392 Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397
    Theta=398 Iota=399 Kappa=39a Lambda=39b Mu=39c Nu=39d Xi=39e Omicron=39f Pi=3a0 Rho=3a1 Sigma=3a3 Tau=3a4
    Upsilon=3a5 Phi=3a6 Chi=3a7 Psi=3a8 Omega=3a9 alpha=3b1 beta=3b2 gamma=3b3 delta=3b4 epsilon=3b5 zeta=3b6
    eta=3b7 theta=3b8 iota=3b9 kappa=3ba lambda=3bb mu=3bc nu=3bd xi=3be omicron=3bf pi=3c0 rho=3c1 sigmaf=3c2
    sigma=3c3 tau=3c4 upsilon=3c5 phi=3c6 chi=3c7 psi=3c8 omega=3c9 thetasym=3d1 upsih=3d2 piv=3d6 ensp=2002
    emsp=2003 thinsp=2009 zwnj=200c zwj=200d lrm=200e rlm=200f ndash=2013 mdash=2014 lsquo=2018 rsquo=2019
    sbquo=201a ldquo=201c rdquo=201d bdquo=201e dagger=2020 Dagger=2021 bull=2022 hellip=2026 permil=2030 prime=2032
    Prime=2033 lsaquo=2039 rsaquo=203a oline=203e frasl=2044 euro=20ac image=2111 weierp=2118 real=211c trade=2122
    alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194 crarr=21b5 lArr=21d0 uArr=21d1 rArr=21d2
    dArr=21d3 hArr=21d4 forall=2200 part=2202 exist=2203 empty=2205 nabla=2207 isin=2208 notin=2209 ni=220b
    prod=220f sum=2211 minus=2212 lowast=2217 radic=221a prop=221d infin=221e ang=2220 and=2227 or=2228 cap=2229
    cup=222a int=222b there4=2234 sim=223c cong=2245 asymp=2248 ne=2260 equiv=2261 le=2264 ge=2265 sub=2282 sup=2283
    nsub=2284 sube=2286 supe=2287 oplus=2295 otimes=2297 perp=22a5 sdot=22c5 lceil=2308 rceil=2309 lfloor=230a
    rfloor=230b lang=2329 rang=232a loz=25ca spades=2660 clubs=2663 hearts=2665 diams=2666
    """
}
