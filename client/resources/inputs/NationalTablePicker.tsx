import { Text } from '@mantine/core'
import { useEffect } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import classes from './TablePicker.module.css'

/** Loads the national tables of some types, newest first. Each table is a dated set of rates. */
export function useNationalTables(types: readonly number[] | undefined) {
  return assertDefined(trpc.resources.adminTable).list.useQuery(
    {
      pageNumber: 1,
      pageSize: 5000,
      sort: 'name',
      sortDirection: 'desc',
      filters: [{ filter: 'type', filterType: 'set', values: [...(types ?? [])] }],
    },
    { enabled: types !== undefined, staleTime: 60_000 },
  )
}

/** Chooses the table to show. It also shows the table's source and whether its figures are final. */
export function NationalTablePicker({
  types,
  value,
  onChange,
  startsWithNewest,
}: {
  types: readonly number[]
  /** Undefined if no table is chosen yet; null for all tables. */
  value: number | null | undefined
  onChange: (id: number | null) => void
  startsWithNewest: boolean
}) {
  const tables = useNationalTables(types)
  const rows = tables.data?.rows ?? []
  const today = dayInLondon(new Date())
  const inForce = rows.filter((row) => row.active && row.effectiveDate && String(row.effectiveDate) <= today)
  const [latest] = inForce.toSorted((a, b) => String(b.effectiveDate).localeCompare(String(a.effectiveDate)))
  const newest = latest ?? rows.find((row) => row.active) ?? rows[0]
  useEffect(() => {
    if (value === undefined && tables.isSuccess) onChange(startsWithNewest && newest ? newest.id : null)
  }, [value, tables.isSuccess, newest, startsWithNewest, onChange])
  const chosen = rows.find((row) => row.id === value)
  return (
    <div className={classes.tablePicker}>
      <Choice
        aria-label="Table"
        w={300}
        data={[
          { value: 'all', label: 'All tables' },
          ...rows.map((row) => ({ value: String(row.id), label: row.active ? String(row.name) : `${row.name} (not active)` })),
        ]}
        value={value === undefined ? null : value === null ? 'all' : String(value)}
        onChange={(picked) => onChange(picked === 'all' || picked === null ? null : Number(picked))}
      />
      {Boolean(chosen?.description) && (
        <Text size="sm" c="dimmed">
          {String(assertDefined(chosen).description)}
        </Text>
      )}
    </div>
  )
}
