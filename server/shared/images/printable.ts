import { inflateSync } from 'node:zlib'

/** An image with more pixels takes too long to decode for a printed page. */
export const mostPrintedPixels = 4_000_000

/** The bits of a sample that a PNG may have, by its colour type, and the samples of a pixel. */
const colourTypes: Record<number, { bits: readonly number[]; samples: number }> = {
  0: { bits: [1, 2, 4, 8, 16], samples: 1 },
  2: { bits: [8, 16], samples: 3 },
  3: { bits: [1, 2, 4, 8], samples: 1 },
  4: { bits: [8, 16], samples: 2 },
  6: { bits: [8, 16], samples: 4 },
}

/** The seven passes of an interlaced PNG: where each starts, and its steps. */
const interlacedPasses = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const
const onlyPass = [[0, 0, 1, 1]] as const

/**
 * Whether an image can be embedded in a PDF. PDFKit decodes a PNG in a callback, where nothing can catch its errors: the document would
 * never end, and neither would the worker's job. So everything that the decoder relies on is checked here.
 */
export function isPrintableImage({ contentType, body }: { contentType: string; body: Buffer }): boolean {
  if (contentType !== 'image/png') return contentType === 'image/jpeg'
  const chunks = readChunks(body)
  const [first, ...others] = chunks ?? []
  if (first?.type !== 'IHDR' || first.body.length !== 13) return false
  // The decoder takes the last header, and the pixels of an animation as those of its first frame.
  if (others.some(({ type }) => type === 'IHDR' || type === 'fcTL')) return false
  const [width, height] = [first.body.readUInt32BE(0), first.body.readUInt32BE(4)]
  const [bits, colourType, , , interlace] = [...first.body.subarray(8)]
  const colours = colourTypes[colourType ?? -1]
  if (!colours?.bits.includes(bits ?? 0) || !width || !height || width * height > mostPrintedPixels) return false
  const pixelBytes = ((bits ?? 0) * colours.samples) / 8
  const parts = others.filter(({ type }) => type === 'IDAT').map((part) => part.body)
  try {
    const rows = inflateSync(Buffer.concat(parts), { maxOutputLength: 8 * mostPrintedPixels + 8_000_000 })
    return rows.length > 0 && haveKnownFilters(rows, { width, height, pixelBytes, isInterlaced: interlace === 1 })
  } catch {
    return false
  }
}

/** The chunks of a PNG up to its end; null unless each is complete. */
function readChunks(body: Buffer): { type: string; body: Buffer }[] | null {
  const chunks: { type: string; body: Buffer }[] = []
  for (let at = 8; at + 12 <= body.length; ) {
    const end = at + 12 + body.readUInt32BE(at)
    if (end > body.length) return null
    const type = body.toString('latin1', at + 4, at + 8)
    if (type === 'IEND') return chunks
    chunks.push({ type, body: body.subarray(at + 8, end - 4) })
    at = end
  }
  return null
}

/** Whether every row begins with a filter that exists. */
function haveKnownFilters(
  rows: Buffer,
  { width, height, pixelBytes, isInterlaced }: { width: number; height: number; pixelBytes: number; isInterlaced: boolean },
): boolean {
  let at = 0
  for (const [left, top, across, down] of isInterlaced ? interlacedPasses : onlyPass) {
    const rowBytes = Math.max(0, Math.ceil(pixelBytes * Math.ceil((width - left) / across)))
    const count = Math.ceil((height - top) / down)
    // The decoder reads a filter even for the rows of a pass without pixels.
    for (let row = 0; row < count && at < rows.length; row++) {
      if ((rows[at] ?? 0) > 4) return false
      at += 1 + rowBytes
    }
  }
  return true
}
