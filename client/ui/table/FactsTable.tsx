import type { ReactNode } from 'react'
import type { TableColumn } from './columns.ts'
import classes from './DataTable.module.css'
import { DataTable } from './DataTable.tsx'

type Fact = readonly [name: ReactNode, value: ReactNode]

const columns: TableColumn<Fact>[] = [
  { id: 'name', label: 'Name', cell: ([name]) => name },
  { id: 'value', label: 'Value', cell: ([, value]) => value },
]

/** Facts about one thing: a name and a value in each row. */
export function FactsTable({ facts, label }: { facts: readonly Fact[]; label?: string }) {
  return <DataTable label={label} className={classes.words} isHeadless columns={columns} rows={facts} />
}
