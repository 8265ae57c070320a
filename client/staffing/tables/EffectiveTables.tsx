import { Skeleton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { useSelection } from '../../state/selection.ts'
import { spanOf, Timeline } from './Timeline.tsx'

interface Summary<Row> {
  effectiveDate: string
  adminTable: { id: number; name: string }
  rows: Row[]
}

export interface TableColumn<Row> {
  heading: string
  cell: (row: Row) => ReactNode
  isFigure?: boolean
  /** The one that this location is paid by. */
  isOwn?: boolean
}

/** The table in force today, or the first that the budget comes to. */
function startOf(summaries: readonly { effectiveDate: string }[]): number {
  const today = new Date().toISOString().slice(0, 10)
  return Math.max(
    0,
    summaries.findLastIndex((summary) => summary.effectiveDate <= today),
  )
}

/** The dated tables of one kind that a budget uses: when each applies, and its rows (behaviour B-188). */
export function EffectiveTables<Row extends { id: number }>({
  name,
  load,
  columns,
  searched,
  empty,
}: {
  name: string
  load: () => Promise<Summary<Row>[]>
  columns: readonly TableColumn<Row>[]
  /** What a search looks at, for long tables. */
  searched?: (row: Row) => string
  empty: string
}) {
  const { budgetId } = useSelection()
  const query = useQuery({ queryKey: ['budgetSummary', name, budgetId], queryFn: load })
  const [chosen, setChosen] = useState<number | null>(null)
  const [typed, setTyped] = useState('')
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Skeleton height={320} />
  const summaries = query.data
  if (!summaries.length)
    return (
      <div className="card">
        <div className="empty">
          <h2>The budget names no table</h2>
          <p>{empty}</p>
        </div>
      </div>
    )
  const index = Math.min(chosen ?? startOf(summaries), summaries.length - 1)
  const { adminTable, rows } = summaries[index]!
  const dated = summaries.map((summary) => ({ effectiveDate: summary.effectiveDate, label: summary.adminTable.name }))
  const met = searched ? rows.filter((row) => searched(row).toLowerCase().includes(typed.trim().toLowerCase())) : rows
  return (
    <>
      <Timeline dated={dated} chosen={index} onChoose={setChosen} label={`Which ${name} table applies when`} />
      <div className="card">
        <div className="card-head">
          {adminTable.name} <span className="note">{spanOf(dated, index)}</span>
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
        </div>
        <div className="scroll">
          <table className="figures tight">
            <thead>
              <tr>
                {columns.map(({ heading, isFigure, isOwn }) => (
                  <th key={heading} scope="col" className={[isFigure ? '' : 'text', isOwn ? 'own' : ''].join(' ')}>
                    {heading}
                    {isOwn && <span className="sr">, paid here</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {met.map((row) => (
                <tr key={row.id}>
                  {columns.map(({ heading, cell, isFigure, isOwn }) => (
                    <td key={heading} className={[isFigure ? '' : 'text', isOwn ? 'own' : ''].join(' ')}>
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {met.length === 0 && <div className="empty">{rows.length ? 'Nothing in this table matches.' : 'This table has no rows.'}</div>}
      </div>
    </>
  )
}
