import { describe, expect, it } from 'vitest'
import { type ContentWidths, calculateMinimumWidths, divideWidthAmongColumns } from '../../../client/ui/table/columns.ts'

const columns = [
  { id: 'code', label: 'Code' },
  { id: 'description', label: 'Description' },
  { id: 'amount', label: 'Amount', isFigure: true },
]
const content = new Map<string, ContentWidths>([
  ['code', { heading: 70, cells: 80, words: 80 }],
  ['description', { heading: 110, cells: 600, words: 90 }],
  ['amount', { heading: 80, cells: 100, words: 100 }],
])

describe('the columns of a list', () => {
  it('are as wide as their content if there is room, and share the rest', () => {
    expect(calculateMinimumWidths(columns, content, 1000)).toEqual([80, 360, 100])
    const widths = divideWidthAmongColumns(columns, {
      available: 1000,
      resized: new Map(),
      least: calculateMinimumWidths(columns, content, 1000),
    })
    expect(widths.reduce((sum, width) => sum + width, 0)).toBeCloseTo(1000)
    expect(widths[1]).toBeGreaterThanOrEqual(360)
  })
  it('wrap long texts before the list scrolls, but never a figure or a word', () => {
    expect(calculateMinimumWidths(columns, content, 400)).toEqual([80, 220, 100])
    expect(calculateMinimumWidths(columns, content, 250)).toEqual([80, 200, 100])
    const long = new Map(content).set('code', { heading: 70, cells: 300, words: 300 })
    expect(calculateMinimumWidths(columns, long, 400)).toEqual([300, 200, 100])
  })
  it('keep the widths that were set by hand', () => {
    expect(
      divideWidthAmongColumns(columns, {
        available: 400,
        resized: new Map([['description', 60]]),
        least: calculateMinimumWidths(columns, content, 400),
      })[1],
    ).toBe(60)
  })
})
