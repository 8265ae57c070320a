/** An XML tag, named without its namespace. */
export interface XmlTag {
  name: string
  kind: 'open' | 'close' | 'empty'
  attributes: string
  /** The text between the previous tag and this one, with entities decoded. */
  textBefore: string
}

/** A complete tag with its name and attributes; an attribute may contain `>`. */
const wholeTag = /<(\/)?(?:[^\s/>:"'<]*:)?([^\s/>:"'<]*)(?=[\s/>])((?:[^"'>/<]|"[^"]*"|'[^']*'|\/(?!>))*)(\/)?>/y

/**
 * Calls `visit` with each tag of an XML text in order, until it returns `'stop'`. Hostile input is safe: no external entity is fetched, and
 * no entity expands to more than one character.
 */
export function visitTags(xml: string, visit: (tag: XmlTag) => unknown): void {
  let text = ''
  for (let at = 0; ; ) {
    const open = xml.indexOf('<', at)
    if (open < 0) return
    text += readEntities(xml.slice(at, open))
    if (xml.startsWith('<![CDATA[', open)) {
      const end = indexAfter(xml, ']]>', open)
      text += xml.slice(open + 9, end - 3)
      at = end
      continue
    }
    if (xml[open + 1] === '!' || xml[open + 1] === '?') {
      at = indexAfter(xml, xml.startsWith('<!--', open) ? '-->' : '>', open)
      continue
    }
    wholeTag.lastIndex = open
    const [words = '', isClose, name = '', attributes = '', isEmpty] = wholeTag.exec(xml) ?? []
    // A tag without an end can only be the last tag.
    if (!words) return
    const end = open + words.length
    const said = visit({ name, kind: isClose ? 'close' : isEmpty ? 'empty' : 'open', attributes, textBefore: text })
    if (said === 'stop') return
    text = ''
    at = end
  }
}

function indexAfter(xml: string, words: string, from: number): number {
  const found = xml.indexOf(words, from)
  return found < 0 ? xml.length : found + words.length
}

/** Cached by name, because a sheet has a million attributes with only four names. */
const attributePatterns = new Map<string, RegExp>()

/** The value of an attribute with entities decoded; undefined if the tag does not have it. `name` has no namespace. */
export function readAttribute({ attributes }: XmlTag, name: string): string | undefined {
  const pattern = attributePatterns.get(name) ?? new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
  attributePatterns.set(name, pattern)
  const found = pattern.exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : readEntities(value)
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function readEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x?)?(\w{1,8});/gi, (whole, code: string | undefined, name: string) => {
    if (!code) return entities[name] ?? whole
    const letter = Number.parseInt(name, code === '#' ? 10 : 16)
    return letter <= 0x10ffff ? String.fromCodePoint(letter) : whole
  })
}
