import { describe, expect, it } from 'vitest'
import { toProductUrl } from '../../../client/shell/session/ownAddress.ts'

const origin = 'https://bursar.example'
const home = `${origin}/`

describe('the page that a link returns to', () => {
  it.each(['/staffing/staff-contracts?id=1#cost', 'reports', `${origin}/reports`])('is a page of the product: %s', (address) => {
    expect(toProductUrl(address, origin)).toBe(new URL(address, home).href)
  })
  it.each([
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    'javascript:alert(1)',
    'https://',
    'data:text/html,x',
  ])('is the home page for an address elsewhere: %s', (address) => {
    expect(toProductUrl(address, origin)).toBe(home)
  })
  it('stays within the product even if its path looks like the address of another server', () => {
    expect(toProductUrl('/.//elsewhere.example', origin)).toBe(`${origin}//elsewhere.example`)
  })
  it('is the home page if none was given', () => {
    expect(toProductUrl(null, origin)).toBe(home)
  })
})
