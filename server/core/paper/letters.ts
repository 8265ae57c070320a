import anyAscii from 'any-ascii'

/** A font as PDFKit holds it; its types do not name this. */
interface PaperFont {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/** Texts of these characters alone, which are nearly all, are printed as they are. */
const plain = /^[\u0020-\u017f\u2013-\u2026£€−]*$/u

/**
 * A text as a font can print it: every character that the font lacks is replaced by its Latin letters, an emoji by its name.
 * @param doc the font that is set in it decides
 */
export function printable(doc: PDFKit.PDFDocument, text: string): string {
  if (plain.test(text)) return text
  const font = fontOf(doc)
  return [...text.normalize('NFC')]
    .map((character) => (font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : anyAscii(character)))
    .join('')
}

function fontOf(doc: PDFKit.PDFDocument): PaperFont {
  return Reflect.get(Reflect.get(doc, '_font'), 'font')
}
