import { Button, Checkbox } from '@mantine/core'
import type { ReactNode } from 'react'
import { dayInLondon, displayDate, displayDateTime } from '../../domain/values/format.ts'
import { TickAllCheckbox, type TickedItems } from '../ui/fields/TickAll.tsx'
import textStyles from '../ui/labels/text.module.css'
import scrollStyles from '../ui/layout/scroll.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './BinTable.module.css'

interface BinTableProps<Row> {
  rows: readonly Row[]
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** A detail below the name: what else is restored with the item, or its full name if the short one is ambiguous. */
  more?: (row: Row) => ReactNode
  /** Columns between the name and the deletion date. */
  columns: readonly { label: string; of: (row: Row) => string }[]
  deletedAt: (row: Row) => string
  deletedBy: (row: Row) => string
  /** When the item will be deleted permanently, in ISO 8601. */
  until: (row: Row) => string
  /** The name of the row in the accessible label of the restore button; leave out to use the name shown. */
  restored?: (row: Row) => string
  ticks?: TickedItems<Row>
  isPending: boolean
  onRestore: (row: Row) => void
}

/**
 * Deleted items with who deleted them, when, and how long they can be restored. On a phone the details stack below the
 * name.
 */
export function BinTable<Row>(props: BinTableProps<Row>) {
  const { rows, keyOf, nameOf, more, columns, ticks, isPending, onRestore } = props
  const until = (row: Row): string => displayDate(dayInLondon(props.until(row)))
  return (
    <div className={scrollStyles.scroll}>
      <DataTable
        className={classes.table}
        isWrapped
        columns={[
          ...(ticks
            ? [
                {
                  id: 'choose',
                  label: 'Choose',
                  width: 44,
                  head: <TickAllCheckbox ticks={ticks} of={rows} label="Select all on this page" />,
                  cell: (row: Row) => (
                    <Checkbox
                      aria-label={`Choose ${nameOf(row)}`}
                      checked={ticks.has(row)}
                      onChange={(event) => ticks.tick([row], event.currentTarget.checked)}
                    />
                  ),
                },
              ]
            : []),
          {
            id: 'name',
            label: 'Name',
            isRowHead: true,
            cell: (row) => (
              <>
                {nameOf(row)}
                {more && <span className={textStyles.dim}>{more(row)}</span>}
                <span className={classes.told}>
                  {columns.map(({ of }) => `${of(row)}, `)}deleted {displayDateTime(props.deletedAt(row))} by {props.deletedBy(row)}; kept
                  until {until(row)}
                </span>
              </>
            ),
          },
          ...[
            ...columns,
            { label: 'Deleted', of: (row: Row) => displayDateTime(props.deletedAt(row)) },
            { label: 'By', of: props.deletedBy },
            { label: 'Kept until', of: until },
          ].map(({ label, of }) => ({ id: label, label, className: classes.wide, cell: of })),
          {
            id: 'restore',
            label: 'Restore',
            isLabelHidden: true,
            isFigure: true,
            cell: (row) => (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={`Restore ${props.restored?.(row) ?? nameOf(row)}`}
                disabled={isPending}
                onClick={() => onRestore(row)}
              >
                Restore
              </Button>
            ),
          },
        ]}
        rows={rows}
        keyOf={keyOf}
      />
    </div>
  )
}
