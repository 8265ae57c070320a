import { Checkbox, Input, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { type LookupItem, lookups } from '../../../domain/lookups/lookups.ts'
import textStyles from '../../ui/labels/text.module.css'
import classes from './PermissionTable.module.css'

interface Feature {
  words: string
  read: LookupItem
  update: LookupItem | null
}

const spoken = (name: string): string => {
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

/** Permissions by area, with a row per feature: read, and read and change. */
const areas: { area: string; features: Feature[] }[] = ['Budgeting', 'Console'].map((area) => ({
  area,
  features: lookups.permissions
    .filter((item) => item.name.startsWith(area) && item.name.endsWith('Read'))
    .map((read) => ({
      words: spoken(read.name.slice(area.length, -'Read'.length)),
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
  const set = (items: readonly LookupItem[], given: boolean): void => {
    const ids = new Set(items.map((item) => item.id))
    onChange(given ? lookups.permissions.filter((item) => has.has(item.id) || ids.has(item.id)) : value.filter((item) => !ids.has(item.id)))
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
            <Table key={area} verticalSpacing={5} highlightOnHover aria-label={`${area} permissions`}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{area}</Table.Th>
                  <Table.Th w={92}>{all(reading, 'Read')}</Table.Th>
                  <Table.Th w={130}>{all(updating, 'Read and update')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {features.map(({ words, read, update }) => (
                  <Table.Tr key={read.id}>
                    <Table.Td>{words}</Table.Td>
                    <Table.Td>{box(read, `${words}: read`, Boolean(update && has.has(update.id)))}</Table.Td>
                    <Table.Td>
                      {update ? box(update, `${words}: read and update`) : <span className={textStyles.dim}>read only</span>}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )
        })}
      </div>
    </Input.Wrapper>
  )
}
