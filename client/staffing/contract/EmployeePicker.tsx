import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { trpc } from '../../shell/api.ts'

/** Picks a staff member of the location by name or employee number; none means a vacancy. */
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
  const [search, setSearch] = useState('')
  const [wanted] = useDebouncedValue(search, 180)
  const shown = value === null ? '' : `${value}${name ? ` · ${name}` : ''}`
  // The field's own display text is not a search, in either name order: searching for it would hide the list.
  const isOwn = value !== null && (wanted === value || wanted.startsWith(`${value} · `))
  const term = isOwn ? '' : wanted
  const offered = trpc.staff.pick.useQuery({ search: term }, { enabled: !disabled, placeholderData: (before) => before, staleTime: 30_000 })
  const options = (offered.data?.rows ?? []).map((member) => ({
    value: member.employeeNumber,
    label: `${member.employeeNumber} · ${member.name}`,
  }))
  const data = value !== null && !options.some((one) => one.value === value) ? [{ value, label: shown }, ...options] : options
  return (
    <Select
      label={label}
      autoFocus={hasFocus}
      openOnFocus={!hasFocus}
      placeholder="Vacancy"
      data={data}
      value={value}
      onChange={onChange}
      searchable
      clearable
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options: all }) => all}
      nothingFoundMessage={offered.isFetching ? 'Searching' : 'No one matches.'}
      error={error}
      disabled={disabled}
      limit={50}
    />
  )
}
