import type { ReactNode } from 'react'
import type { Column } from './columns.ts'
import classes from './DataTable.module.css'
import { DataTable } from './DataTable.tsx'

type Fact = readonly [name: ReactNode, value: ReactNode]

const columns: Column<Fact>[] = [
  { id: 'name', label: 'Name', cell: ([name]) => name },
  { id: 'value', label: 'Value', cell: ([, value]) => value },
]

/** Facts about one thing: a name and a value in each row. */
export function Facts({ facts, label }: { facts: readonly Fact[]; label?: string }) {
  return <DataTable label={label} className={classes.words} isHeadless columns={columns} rows={facts} />
}
