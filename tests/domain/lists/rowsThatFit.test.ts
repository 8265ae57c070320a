import { describe, expect, it } from 'vitest'
import { countRowsThatFit, decidePageLength, estimateRows, findPageNumber } from '../../../client/resources/list/pageFit.ts'

const rows = (many: number, height = 36) => Array.from({ length: many }, () => height)

describe('the number of rows that fit', () => {
  it('is that of the present rows, and more of the same height in the remaining space', () => {
    expect(countRowsThatFit(rows(10), 517)).toBe(14)
    expect(countRowsThatFit(rows(14), 504)).toBe(14)
    expect(countRowsThatFit(rows(14), 503)).toBe(13)
  })
  it('depends on their real heights, because some have two lines', () => {
    expect(countRowsThatFit([36, 44, 44, 36, 44, 36, 36], 240)).toBe(6)
    expect(countRowsThatFit([44, 44, 44, 44, 44, 36, 36], 392)).toBe(9)
  })
  it('is at least five, however small the window, and at most a hundred', () => {
    expect(countRowsThatFit(rows(10), -200)).toBe(5)
    expect(countRowsThatFit(rows(10), 90)).toBe(5)
    expect(countRowsThatFit(rows(10), 10_000)).toBe(100)
    expect(countRowsThatFit(rows(100), 10_000)).toBe(100)
  })
  it('is known before the rows are loaded, also for another window or row height', () => {
    const before = { height: 900, row: 36, rows: 13, seen: '' }
    expect(estimateRows(before, { height: 900, row: 36 })).toBe(13)
    expect(estimateRows(before, { height: 1300, row: 36 })).toBe(24)
    expect(estimateRows(before, { height: 900, row: 28 })).toBe(16)
    expect(estimateRows(before, { height: 400, row: 36 })).toBe(5)
  })
})

describe('a page that fills the window', () => {
  const still = { rows: 10, isNew: false, isFirst: true, growths: 0 }
  const changed = { ...still, isNew: true }
  it('gets shorter as soon as the window would scroll', () => {
    expect(decidePageLength({ heights: rows(10), room: 330 }, still)).toBe(9)
    expect(decidePageLength({ heights: rows(10), room: 330 }, { ...changed, growths: 3 })).toBe(9)
  })
  it('gets longer with the window, and stays if it is full', () => {
    expect(decidePageLength({ heights: rows(10), room: 517 }, changed)).toBe(14)
    expect(decidePageLength({ heights: rows(10), room: 380 }, changed)).toBe(10)
  })
  it('keeps its length on the next page, even if its rows are shorter or taller', () => {
    const turned = { ...still, isFirst: false }
    expect(decidePageLength({ heights: rows(10), room: 440 }, turned)).toBeNull()
    expect(decidePageLength({ heights: rows(10), room: 330 }, turned)).toBeNull()
    expect(decidePageLength({ heights: rows(10), room: 330 }, { ...turned, isNew: true })).toBe(9)
  })
  it('gets longer once there is room for two more rows, and stays so', () => {
    expect(decidePageLength({ heights: rows(10), room: 400 }, still)).toBeNull()
    expect(decidePageLength({ heights: rows(10), room: 440 }, still)).toBe(12)
    expect(decidePageLength({ heights: rows(10), room: 440 }, { ...still, growths: 1 })).toBeNull()
  })
  it('does not alternate between two lengths if longer pages have taller rows', () => {
    expect(decidePageLength({ heights: rows(10), room: 517 }, { ...changed, growths: 3 })).toBe(10)
  })
  it('does not change the length if it is the last one', () => {
    expect(decidePageLength({ heights: rows(3), room: 517 }, changed)).toBeNull()
  })
})

describe('the page that contains a row', () => {
  it('is found for any page size', () => {
    expect([0, 13, 25, 26].map((firstRow) => findPageNumber(firstRow, 13))).toEqual([1, 2, 2, 3])
    expect(findPageNumber(13, 24)).toBe(1)
    expect(findPageNumber(13, 7)).toBe(2)
  })
})
