import { describe, expect, it } from 'vitest'
import { excerptText } from '../../../domain/lists/search.ts'

const long = `${'before '.repeat(40)}the needle lies here ${'after '.repeat(40)}`

describe('an excerpt of a text', () => {
  it('is the whole of a short text, in one line', () => {
    expect(excerptText('  Two\nlines of  it ', ['two'])).toBe('Two lines of it')
  })
  it('surrounds the first match, and is cut between words', () => {
    expect(excerptText(long, ['here', 'needle'])).toMatch(/^…(before )+the needle lies here (after )+after…$/)
    expect(excerptText(long, ['needle']).length).toBeLessThan(150)
  })
  it('starts with the text if the match is at its beginning, and ends with it if the match is at the end', () => {
    expect(excerptText(`needle ${long}`, ['needle'])).toMatch(/^needle before .*before…$/)
    expect(excerptText(`${'before '.repeat(40)}needle`, ['needle'])).toMatch(/^…before .*before needle$/)
  })
  it('includes the match even in a text without spaces', () => {
    expect(excerptText(`${'x'.repeat(300)}needle${'y'.repeat(300)}`, ['needle'])).toMatch(/^…x+needley+…$/)
    expect(excerptText(`${'x'.repeat(300)} needle${'y'.repeat(300)}`, ['needle'])).toMatch(/^….*needley+…$/)
  })
})
