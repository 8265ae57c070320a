import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../api/api.ts'

/** The admin tables of some types, newest first: a dated set of rates each. */
export function useAdminTables(types: readonly number[] | undefined) {
  return useQuery({
    queryKey: ['adminTables', types],
    queryFn: () =>
      api.resources.adminTable!.list.query({
        pageNumber: 1,
        pageSize: 5000,
        sort: 'name',
        sortDirection: 'desc',
        filters: [{ filter: 'type', filterType: 'set', values: [...types!] }],
      }),
    enabled: types !== undefined,
    staleTime: 60_000,
  })
}

/** Chooses the table whose rows show, and says where its figures come from and how sure they are. */
export function TablePicker({
  types,
  value,
  onChange,
  startsWithNewest,
}: {
  types: readonly number[]
  /** undefined: nothing chosen yet; null: all tables. */
  value: number | null | undefined
  onChange: (id: number | null) => void
  startsWithNewest: boolean
}) {
  const tables = useAdminTables(types)
  const rows = tables.data?.rows ?? []
  const newest = rows.find((row) => row.active && isInForce(String(row.name))) ?? rows.find((row) => row.active) ?? rows[0]
  useEffect(() => {
    if (value === undefined && tables.isSuccess) onChange(startsWithNewest && newest ? newest.id : null)
  }, [value, tables.isSuccess, newest, startsWithNewest, onChange])
  const chosen = rows.find((row) => row.id === value)
  return (
    <div className="table-picker">
      <Select
        aria-label="Table"
        w={300}
        data={[
          { value: 'all', label: 'All tables' },
          ...rows.map((row) => ({ value: String(row.id), label: row.active ? String(row.name) : `${row.name} (not active)` })),
        ]}
        value={value === undefined ? null : value === null ? 'all' : String(value)}
        onChange={(picked) => onChange(picked === 'all' || picked === null ? null : Number(picked))}
        allowDeselect={false}
        searchable
      />
      {Boolean(chosen?.description) && (
        <Text size="sm" c="dimmed">
          {String(chosen!.description)}
        </Text>
      )}
    </div>
  )
}

/** Whether the time a table is named after has begun: `Teachers Sept 2027` begins in that September, `NI 2026/27` in April 2026. */
function isInForce(name: string): boolean {
  const month = /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* (20\d\d)\b/.exec(name)
  const year = /\b(20\d\d)\/\d\d\b/.exec(name)
  const begins = month ? `1 ${month[1]} ${month[2]}` : year ? `6 Apr ${year[1]}` : null
  return begins === null || Date.parse(begins) <= Date.now()
}
