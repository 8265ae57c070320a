import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { trpc } from '../../shell/api.ts'
import { Choice } from '../../ui/fields/Choice.tsx'

/** Picks a staff member of the location by name or employee number. If none is picked, the post is vacant. */
export function EmployeePicker({
  label,
  value,
  name,
  onChange,
  error,
  disabled,
  hasFocus = false,
}: {
  label: string
  value: string | null
  name: string | null
  onChange: (employeeNumber: string | null) => void
  error?: ReactNode
  disabled?: boolean
  /** Focuses the field when the form opens. */
  hasFocus?: boolean
}) {
  const [search, setSearch] = useState<string | null>(null)
  const [debouncedSearch] = useDebouncedValue(search ?? '', 180)
  const staffQuery = trpc.staff.pick.useQuery(
    { search: debouncedSearch },
    { enabled: !disabled, placeholderData: (before) => before, staleTime: 30_000 },
  )
  const options = (staffQuery.data?.rows ?? []).map((member) => ({
    value: member.employeeNumber,
    label: `${member.employeeNumber} · ${member.name}`,
  }))
  const shown = { value: value ?? '', label: `${value}${name ? ` · ${name}` : ''}` }
  return (
    <Choice
      label={label}
      autoFocus={hasFocus}
      placeholder="Vacancy"
      data={value !== null && !search?.trim() && !options.some((one) => one.value === value) ? [shown, ...options] : options}
      shown={value === null ? '' : shown.label}
      value={value}
      onChange={onChange}
      clearable
      search={{ onSearch: setSearch, isLate: debouncedSearch !== (search ?? '') || staffQuery.isFetching || staffQuery.isPlaceholderData }}
      nothingFoundMessage="No one matches."
      error={error}
      disabled={disabled}
    />
  )
}
