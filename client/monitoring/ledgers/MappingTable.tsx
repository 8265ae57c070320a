import { Button, Group, Select, Table, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { displayCount, figure } from '../../../domain/format.ts'
import type { MappedKind } from '../../../domain/monitoring/ledger/mapping.ts'
import { inSentence } from '../../../domain/terms.ts'
import { useTerm } from '../../shell/core.ts'
import type { MappedGroup, Target } from './reading.ts'
import { leftOutNames } from './words.ts'

const leftOut = 'leftOut'
const pageOf = 50

const because = { chosen: '', learned: 'as learned', code: 'same code', name: 'same name' } as const

const terms = { account: 'BudgetCode', costCentre: 'CostCentre', fund: 'FundCode', tag: 'AnalysisTag', location: 'Location' } as const

/** What the texts of a kind are mapped to: those that map to nothing first, with their sum; the others on request. */
export function MappingTable({
  kind,
  groups,
  targets,
  onMap,
}: {
  kind: MappedKind
  groups: readonly MappedGroup[]
  targets: readonly Target[]
  onMap: (texts: string[], id: number | null) => void
}) {
  const term = useTerm()(terms[kind])
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(pageOf)
  // A row stays where it is once it is mapped: what is open is what mapped to nothing as the table was first shown, or was asked for.
  const [begun] = useState(() => new Set(groups.filter((group) => group.id === undefined).map((group) => group.text)))
  const data = useMemo(
    () => [
      { value: leftOut, label: leftOutNames[kind] },
      ...targets
        .filter((one) => !one.isArchived)
        .map((one) => ({ value: String(one.id), label: kind === 'location' ? one.name : `${one.codes[0] ?? ''} ${one.name}`.trim() })),
    ],
    [targets, kind],
  )
  if (!groups.length) return null
  const open = groups.filter((group) => group.id === undefined || begun.has(group.text))
  const rest = groups.filter((group) => group.id !== undefined && !begun.has(group.text))
  const unmapped = groups.filter((group) => group.id === undefined)
  const listed = [...open, ...(isOpen ? rest : [])]
  return (
    <section aria-label={`${term.plural} of the file`}>
      <Group gap="xs" mb={4} justify="space-between">
        <Text fw={600} size="sm" component="h3" m={0}>
          {unmapped.length > 0
            ? `${displayCount(unmapped.length, 'text')} of the file ${unmapped.length === 1 ? 'maps' : 'map'} to no ${inSentence(term.singular)}: ${figure(unmapped.reduce((sum, one) => sum + one.amount, 0))}`
            : `${term.plural}: all ${displayCount(groups.length, 'text')} mapped`}
        </Text>
        <Group gap={4}>
          {kind === 'account' && unmapped.length > 1 && (
            <Button
              variant="subtle"
              size="compact-sm"
              onClick={() =>
                onMap(
                  unmapped.map((one) => one.text),
                  null,
                )
              }
            >
              Leave all {unmapped.length} out
            </Button>
          )}
          {rest.length > 0 && (
            <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Hide what is mapped' : `Show ${rest.length} mapped`}
            </Button>
          )}
        </Group>
      </Group>
      {listed.length > 0 && (
        <Table.ScrollContainer minWidth={520} mb="sm">
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>In the file</Table.Th>
                <Table.Th ta="right">Rows</Table.Th>
                <Table.Th ta="right">Sum</Table.Th>
                <Table.Th>{term.singular}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {listed.slice(0, shown).map((group) => (
                <Table.Tr key={group.text}>
                  <Table.Td>
                    {group.text} {group.name !== group.text && group.name}
                  </Table.Td>
                  <Table.Td ta="right">{group.rows}</Table.Td>
                  <Table.Td ta="right">
                    {figure(group.amount)}
                    {group.commitment !== 0 && (
                      <Text span size="xs" c="dimmed" display="block">
                        {figure(group.commitment)} committed
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <Select
                      aria-label={`What ${group.text} is mapped to`}
                      placeholder="Choose, or leave out"
                      size="xs"
                      searchable
                      allowDeselect={false}
                      data={data}
                      value={group.id === undefined ? null : group.id === null ? leftOut : String(group.id)}
                      description={group.by && because[group.by] ? because[group.by] : undefined}
                      inputWrapperOrder={['input', 'description']}
                      onChange={(value) => value && onMap([group.text], value === leftOut ? null : Number(value))}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {listed.length > shown && (
        <Button variant="subtle" size="compact-sm" mb="sm" onClick={() => setShown(shown + pageOf)}>
          Show {Math.min(pageOf, listed.length - shown)} more
        </Button>
      )}
    </section>
  )
}
