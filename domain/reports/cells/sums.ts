import { assertDefined } from '../../values/assertDefined.ts'
import { parseLineFilter, type Report, type ReportRow } from '../report.ts'

/** The sum that a cell shows: the cells added or subtracted are in the same column (`rows`) or in the same row (`columns`). */
export interface CellSum {
  of: 'rows' | 'columns'
  terms: readonly { at: number; less: boolean }[]
}

/** Finds the rows that each row adds up, by index; empty for a row that is not a sum. */
function findRowSums(rows: readonly ReportRow[]): CellSum['terms'][] {
  const plain = (indexes: readonly number[]): CellSum['terms'] => indexes.map((at) => ({ at, less: false }))
  const nearest = new Map<string, number>()
  const all: number[] = []
  let inSection: number[] = []
  return rows.map((row, index) => {
    const terms = ((): CellSum['terms'] => {
      if (row.kind === 'SectionFooter') return plain(inSection)
      if (row.kind === 'Description') {
        const end = rows.findIndex((one, at) => at > index && (one.kind !== 'Data' || one.level <= row.level))
        return plain(Array.from({ length: (end < 0 ? rows.length : end) - index - 1 }, (_unused, at) => index + 1 + at))
      }
      if (row.adds === 'data') return plain(all)
      const found = (row.adds ?? []).map(({ label, less = false }) => ({ at: nearest.get(label), less }))
      return found.flatMap(({ at, less }) => (at === undefined ? [] : [{ at, less }]))
    })()
    if (row.kind === 'SectionHeader') inSection = []
    if (row.kind === 'Data') {
      inSection.push(index)
      all.push(index)
    }
    nearest.set(row.label, index)
    return terms
  })
}

/** Finds the columns that each column adds up: the months of a year, the locations of a total, or the two years of a change. */
function findColumnSums({ columns }: Pick<Report, 'columns'>): CellSum['terms'][] {
  const filters = columns.map(({ key, type }) => (type === 'money' ? parseLineFilter(key) : undefined))
  return filters.map((filter, index) => {
    const change = /^change (.*)$/s.exec(assertDefined(columns[index]).key)?.[1]
    if (change !== undefined) {
      const year = parseLineFilter(change)?.year
      const before = year && change.replace(year, `${Number(year.slice(0, 4)) - 1}/${year.slice(2, 4)}`)
      const [now, then] = [columns.findIndex((one) => one.key === change), columns.findIndex((one) => one.key === before)]
      return now < 0 || then < 0
        ? []
        : [
            { at: now, less: false },
            { at: then, less: true },
          ]
    }
    if (!filter?.year || filter.month || filter.location || filter.budget) return []
    return filters.flatMap((one, at) => (one && one.year === filter.year && (one.month || one.location) ? [{ at, less: false }] : []))
  })
}

/**
 * Finds the cells that each cell adds up, like a formula in a spreadsheet; null for a cell that is not a sum. A sum counts only if it
 * equals the figure to the penny. In a sum, a figure that could not be calculated counts as zero; a difference with such a figure is not
 * reported.
 */
export function findCellSums(report: Report): (CellSum | null)[][] {
  const { rows, columns } = report
  const [down, across] = [findRowSums(rows), findColumnSums(report)]
  const holds = (value: number, terms: CellSum['terms'], read: (at: number) => number | string | null): boolean => {
    if (!terms.length) return false
    const all = terms.map(({ at, less }) => ({ amount: read(at), less }))
    if (all.some(({ amount }) => typeof amount !== 'number') && all.some(({ less }) => less)) return false
    const sum = all.reduce((before, { amount, less }) => before + (typeof amount === 'number' ? (less ? -amount : amount) : 0), 0)
    return Math.round(sum * 100) === Math.round(value * 100)
  }
  return rows.map((row, index) =>
    columns.map(({ key, type }, column): CellSum | null => {
      const value = row.values[column]
      if (typeof value !== 'number' || (type !== 'money' && type !== 'number')) return null
      // In these columns each figure is rounded separately, so a total can differ from the sum of its rows.
      const addsDown = !/^(pupil|share) /.test(key)
      if (addsDown && holds(value, assertDefined(down[index]), (at) => assertDefined(rows[at]).values[column] ?? null))
        return { of: 'rows', terms: assertDefined(down[index]) }
      const addsAcross = row.drill !== null || key.startsWith('change ')
      if (addsAcross && holds(value, assertDefined(across[column]), (at) => row.values[at] ?? null))
        return { of: 'columns', terms: assertDefined(across[column]) }
      return null
    }),
  )
}
