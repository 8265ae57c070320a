import { deflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { renderPdf } from '../../../server/core/paper/paper.ts'
import { isPrintableImage } from '../../../server/shared/images/printable.ts'

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

function chunk(type: string, body: Buffer, length = body.length): Buffer {
  const start = Buffer.alloc(4)
  start.writeUInt32BE(length)
  return Buffer.concat([start, Buffer.from(type), body, Buffer.alloc(4)])
}

/** A header of a picture with an opacity in each pixel. */
function header(side: number, { bits = 8, colourType = 6, interlace = 0 } = {}): Buffer {
  const body = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, bits, colourType, 0, 0, interlace])
  body.writeUInt32BE(side, 0)
  body.writeUInt32BE(side, 4)
  return chunk('IHDR', body)
}

/** Two rows of two pixels, each beginning with a filter. */
const rows = (filter: number): Buffer =>
  chunk('IDAT', deflateSync(Buffer.from([filter, ...Array(8).fill(90), filter, ...Array(8).fill(90)])))
const end = chunk('IEND', Buffer.alloc(0))
const png = (...chunks: Buffer[]): Buffer => Buffer.concat([signature, ...chunks])
const isPrinted = (body: Buffer): boolean => isPrintableImage({ contentType: 'image/png', body })

it('logos that can be decoded are printed, also interlaced ones', async () => {
  const whole = [
    png(header(2), rows(1), end),
    png(header(2, { interlace: 1 }), chunk('IDAT', deflateSync(Buffer.alloc(24))), end),
    png(header(2, { bits: 1, colourType: 0 }), chunk('IDAT', deflateSync(Buffer.from([0, 128, 0, 64]))), end),
  ]
  for (const logo of whole) {
    expect(isPrinted(logo)).toBe(true)
    const owner = { name: 'Northgate', logo }
    const { body } = await renderPdf('logo.pdf', { title: 'Pack', subtitle: '', author: 'Ruth', head: '', foot: '', owner, blocks: [] })
    expect(body.includes('/Subtype /Image')).toBe(true)
  }
})

it('a damaged logo is left out, because its document would never be finished', () => {
  const damaged = {
    'a filter that does not exist': png(header(2), rows(9), end),
    'pixels that do not unpack': png(header(2), chunk('IDAT', Buffer.alloc(20)), end),
    'no pixels': png(header(2), end),
    'a second, larger header': png(header(2), header(60_000), rows(0), end),
    'bits that do not exist': png(header(2, { bits: 255 }), rows(0), end),
    'an animation, whose pixels are those of a frame': png(header(2), chunk('fcTL', Buffer.alloc(26)), rows(0), end),
    'a chunk that goes back to its own start': png(header(2), chunk('juNK', Buffer.alloc(0), 0xfffffff4), rows(0), end),
    'an end that is missing': png(header(2), rows(0)),
    'more pixels than a page can show': png(header(3000), rows(0), end),
  }
  for (const [name, body] of Object.entries(damaged)) expect(isPrinted(body), name).toBe(false)
})
