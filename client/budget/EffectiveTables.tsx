import { Skeleton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { dayInLondon } from '../../domain/values/format.ts'
import type { QueryWithoutInput } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import tableStyles from '../ui/table/DataTable.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { DatedValuesTimeline, describePeriod } from './history/Timeline.tsx'
import { useSelectedBudget } from './useBudget.ts'

interface Summary<Row> {
  effectiveDate: string
  adminTable: { id: number; name: string }
  rows: Row[]
}

export interface EffectiveTableColumn<Row> {
  heading: string
  cell: (row: Row) => ReactNode
  isFigure?: boolean
  /** Whether this location pays at the rates in this column. */
  isOwn?: boolean
}

/** Finds the index of the table in force on a day; before the first table starts, the index of the first. */
function findTableInForce(summaries: readonly { effectiveDate: string }[], day: string): number {
  return Math.max(
    0,
    summaries.findLastIndex((summary) => summary.effectiveDate <= day),
  )
}

/** Shows the dated tables of one kind that a budget uses: when each table applies, and its rows (behaviour B-188). */
export function EffectiveTables<Row extends { id: number }>({
  tables,
  kind,
  columns,
  searched,
  empty,
}: {
  tables: QueryWithoutInput<Summary<Row>[]>
  /** Name of the kind of table, for use within a sentence. */
  kind: string
  columns: readonly EffectiveTableColumn<Row>[]
  /** Returns the text of a row that the search box of a long table searches. */
  searched?: (row: Row) => string
  empty: string
}) {
  const { firstYear, startMonth } = useSelectedBudget()
  const query = tables.useQuery()
  const [chosen, setChosen] = useState<number | null>(null)
  const [typed, setTyped] = useState('')
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Skeleton height={320} />
  const summaries = query.data
  if (!summaries.length)
    return (
      <Card>
        <EmptyState>
          <h2>The budget has no table</h2>
          <p>{empty}</p>
        </EmptyState>
      </Card>
    )
  // For a budget that starts in the future, show the table in force when its first year starts.
  const initialDay = assertDefined([dayInLondon(new Date()), `${firstYear}-${String(startMonth).padStart(2, '0')}-01`].sort().at(-1))
  const index = Math.min(chosen ?? findTableInForce(summaries, initialDay), summaries.length - 1)
  const { adminTable, rows } = assertDefined(summaries[index])
  const dated = summaries.map((summary) => ({ effectiveDate: summary.effectiveDate, label: summary.adminTable.name }))
  const matchingRows = searched ? rows.filter((row) => searched(row).toLowerCase().includes(typed.trim().toLowerCase())) : rows
  return (
    <>
      <DatedValuesTimeline dated={dated} chosen={index} onChoose={setChosen} label={`When each ${kind} table applies`} />
      <Card>
        <CardHead>
          {adminTable.name} <CardNote>{describePeriod(dated, index)}</CardNote>
          <span style={{ flex: 1 }} />
          {searched && (
            <TextInput
              size="xs"
              w={220}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              placeholder="Search this table"
              aria-label="Search this table"
              leftSection={<IconSearch size={14} />}
            />
          )}
        </CardHead>
        <div className={scrollStyles.scroll}>
          <DataTable
            isTight
            columns={columns.map(
              ({ heading, cell, isFigure, isOwn }): TableColumn<Row> => ({
                id: heading,
                label: heading,
                head: isOwn ? (
                  <>
                    {heading}
                    <span className={textStyles.hiddenWords}>, paid here</span>
                  </>
                ) : undefined,
                isFigure,
                className: isOwn ? tableStyles.own : undefined,
                cell,
              }),
            )}
            rows={matchingRows}
            keyOf={({ id }) => id}
          />
        </div>
        {matchingRows.length === 0 && <EmptyState>{rows.length ? 'No rows match.' : 'This table has no rows.'}</EmptyState>}
      </Card>
    </>
  )
}
