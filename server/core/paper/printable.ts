import anyAscii from 'any-ascii'

/** The private part of a PDFKit font that is used here. */
interface PaperFont {
  hasGlyphForCodePoint(codePoint: number): boolean
}

/** Texts of only these characters, which nearly all texts are, are printed unchanged. */
const plain = /^[\u0020-\u017f\u2013-\u2026£€−]*$/u

/**
 * A text that the font can print: each missing character is replaced by Latin letters, an emoji by its name.
 * @param doc the document whose current font is used
 */
export function toPrintableText(doc: PDFKit.PDFDocument, text: string): string {
  if (plain.test(text)) return text
  const font = getFont(doc)
  return [...text.normalize('NFC')]
    .map((character) => (font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0) ? character : anyAscii(character)))
    .join('')
}

function getFont(doc: PDFKit.PDFDocument): PaperFont {
  return Reflect.get(Reflect.get(doc, '_font'), 'font')
}
