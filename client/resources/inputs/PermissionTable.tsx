import { Checkbox, Input } from '@mantine/core'
import type { ReactNode } from 'react'
import { type LookupItem, lookups } from '../../../domain/lookups/lookups.ts'
import textStyles from '../../ui/labels/text.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from './PermissionTable.module.css'

interface Feature {
  words: string
  read: LookupItem
  update: LookupItem | null
}

const toLabel = (name: string): string => {
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
  return (
    words.charAt(0) +
    words
      .slice(1)
      .toLowerCase()
      .replace(/\bla\b/, 'LA')
      .replace(/\bgag\b/, 'GAG')
  )
}

/** Permissions by area, with a row for each feature: read, and read and change. */
const areas: { area: string; features: Feature[] }[] = ['Budgeting', 'Console'].map((area) => ({
  area,
  features: lookups.permissions
    .filter((item) => item.name.startsWith(area) && item.name.endsWith('Read'))
    .map((read) => ({
      words: toLabel(read.name.slice(area.length, -'Read'.length)),
      read,
      update: lookups.permissions.find((item) => item.name === `${read.name}Update`) ?? null,
    })),
}))

/** What members of a user group can see and change, as a table. */
export function PermissionTable({
  value,
  onChange,
  error,
  disabled,
}: {
  value: readonly LookupItem[]
  onChange: (permissions: LookupItem[]) => void
  error?: ReactNode
  disabled?: boolean
}) {
  const has = new Set(value.map((item) => item.id))
  const set = (items: readonly LookupItem[], isGranted: boolean): void => {
    const ids = new Set(items.map((item) => item.id))
    onChange(
      isGranted ? lookups.permissions.filter((item) => has.has(item.id) || ids.has(item.id)) : value.filter((item) => !ids.has(item.id)),
    )
  }
  const box = (item: LookupItem, label: string, included = false): ReactNode => (
    <Checkbox
      aria-label={label}
      checked={included || has.has(item.id)}
      disabled={disabled || included}
      onChange={(event) => set([item], event.currentTarget.checked)}
    />
  )
  return (
    <Input.Wrapper error={error}>
      <div className={classes.permissions}>
        {areas.map(({ area, features }) => {
          const reading = features.map((feature) => feature.read)
          const updating = features.flatMap((feature) => feature.update ?? [])
          const all = (items: LookupItem[], label: string): ReactNode => (
            <Checkbox
              size="xs"
              label={label}
              disabled={disabled}
              checked={items.every((item) => has.has(item.id))}
              indeterminate={items.some((item) => has.has(item.id)) && !items.every((item) => has.has(item.id))}
              onChange={(event) => set(items, event.currentTarget.checked)}
              aria-label={`${label}: everything in ${area}`}
            />
          )
          return (
            <DataTable
              key={area}
              label={`${area} permissions`}
              isWrapped
              columns={[
                { id: 'words', label: area },
                {
                  id: 'read',
                  label: 'Read',
                  width: 92,
                  head: all(reading, 'Read'),
                  cell: ({ words, read, update }) => box(read, `${words}: read`, Boolean(update && has.has(update.id))),
                },
                {
                  id: 'update',
                  label: 'Read and update',
                  width: 130,
                  head: all(updating, 'Read and update'),
                  cell: ({ words, update }) =>
                    update ? box(update, `${words}: read and update`) : <span className={textStyles.dim}>read only</span>,
                },
              ]}
              rows={features}
              keyOf={({ read }) => read.id}
            />
          )
        })}
      </div>
    </Input.Wrapper>
  )
}
