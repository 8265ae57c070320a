import { Alert } from '@mantine/core'
import type { ReactNode } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { displayCount, displaySignedPounds, displayWholePounds } from '../../domain/values/format.ts'
import type { api } from '../shell/api.ts'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

type Effect = Awaited<ReturnType<typeof api.budgetRound.effect.query>>

/** A row of the table: its name, and its content for each year. */
interface EffectLine {
  name: string
  isTotal?: boolean
  cell: (year: number) => ReactNode
}

/** Shows how the changed tables and assumptions will change the cost of each year when the budget is recalculated, in pounds. */
export function CostEffectTable({ effect, firstYear }: { effect: Effect; firstYear: number }) {
  const years = Math.max(effect.staffing.after.length, effect.staffing.before.length)
  const indices = Array.from({ length: years }, (_unused, index) => index)
  const linesOf = (title: string, { before, after }: Effect['staffing']): EffectLine[] => {
    const shown = (pennies: number | undefined): string => (pennies === undefined ? '–' : displayWholePounds(pennies))
    return [
      { name: `${title} now`, cell: (index) => shown(before[index]) },
      { name: `${title} then`, cell: (index) => shown(after[index]) },
    ]
  }
  const change = (index: number): number | null => {
    const parts = [effect.staffing, effect.entries]
    if (parts.some(({ before, after }) => before[index] === undefined || after[index] === undefined)) return null
    return parts.reduce((sum, { before, after }) => sum + assertDefined(after[index]) - assertDefined(before[index]), 0)
  }
  return (
    <Card className={scrollStyles.scroll} aria-label="What would change">
      <CardHead>
        What would change <CardNote>when the budget is recalculated; nothing is saved yet</CardNote>
      </CardHead>
      {effect.notCalculated.after > effect.notCalculated.before && (
        <Alert color="orange" m="sm">
          {displayCount(effect.notCalculated.after, 'contract')} could not be calculated, compared with {effect.notCalculated.before} now.
        </Alert>
      )}
      <DataTable
        columns={[
          { id: 'name', label: 'Pounds', cell: ({ name }) => name },
          ...createFigureColumns<EffectLine>(
            indices.map((index) => formatBudgetYear(firstYear, index)),
            (line, index) => line.cell(index),
          ),
        ]}
        rows={[
          ...linesOf('Staff', effect.staffing),
          ...linesOf('Entries (net cost)', effect.entries),
          {
            name: 'Change',
            isTotal: true,
            cell: (index) => {
              const pennies = change(index)
              return (
                <span className={pennies && pennies > 0 ? textStyles.up : pennies && pennies < 0 ? textStyles.down : undefined}>
                  {pennies === null ? 'not calculated' : displaySignedPounds(pennies)}
                </span>
              )
            },
          },
        ]}
        look={({ isTotal }) => (isTotal ? 'total' : undefined)}
      />
    </Card>
  )
}
