/** A tag of a text in XML: its name without its namespace. */
export interface Tag {
  name: string
  kind: 'open' | 'close' | 'empty'
  attributes: string
  /** What stands between the tag before and this one, with its entities read. */
  textBefore: string
}

/** A tag with its name and attributes; the sign that ends it may stand in an attribute. */
const wholeTag = /<(\/)?(?:[^\s/>:"'<]*:)?([^\s/>:"'<]*)(?=[\s/>])((?:[^"'>/<]|"[^"]*"|'[^']*'|\/(?!>))*)(\/)?>/y

/**
 * Calls `visit` with each tag of a text in XML, in their order, until it answers `'stop'`. It goes once through the text, whatever that holds:
 * nothing outside is fetched, and no entity stands for more than a letter.
 */
export function visitTags(xml: string, visit: (tag: Tag) => unknown): void {
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
    // A tag that never ends ends the text.
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

/** By the name that they look for: a sheet has a million attributes of four names. */
const attributePatterns = new Map<string, RegExp>()

/** The value of an attribute, its entities read; undefined where the tag has none of the name. A name is without its namespace. */
export function attributeOf({ attributes }: Tag, name: string): string | undefined {
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
