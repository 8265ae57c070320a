import type { ReactNode } from 'react'
import textStyles from '../labels/text.module.css'
import type { TableColumn } from './columns.ts'
import classes from './DataTable.module.css'
import { DataTable } from './DataTable.tsx'

interface ChangedField {
  field: string
  before: ReactNode
  after: ReactNode
}

const columns: TableColumn<ChangedField>[] = [
  { id: 'field', label: 'Field', className: textStyles.dim },
  { id: 'before', label: 'Before', cell: ({ before }) => before },
  { id: 'to', label: 'To', cellProps: () => ({ 'aria-label': 'to' }), cell: () => '→' },
  { id: 'after', label: 'After', cell: ({ after }) => after },
]

/** The fields that a change in a history altered, before and after. */
export function ChangedFields({ changes }: { changes: readonly ChangedField[] }) {
  return <DataTable className={classes.changes} isHeadless isWrapped columns={columns} rows={changes} keyOf={({ field }) => field} />
}
