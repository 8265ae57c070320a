import { Button, Group, Select, Table, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { displayCount, displayFigure } from '../../../domain/values/format.ts'
import { type Term, toMidSentence } from '../../../domain/words/terms.ts'

const leftOut = 'leftOut'
const pageOf = 50

/** A text of a file, what stands beside it, what its rows come to, and the record that it is mapped to. */
export interface MappedText {
  text: string
  name: string
  rows: number
  /** Whole pennies. */
  sum: number
  /** Undefined: nothing yet; null: left out on purpose. */
  id: number | null | undefined
  /** Why it is mapped so, in words; none where somebody chose. */
  because: string | null
  /** What else there is to say of its sum. */
  more?: ReactNode
}

/** What the texts of a file are mapped to: those that map to nothing first, with their sum; the others on request. */
export function MappingTable({
  term,
  texts,
  targets,
  leftOutName,
  isLeftTogether = false,
  action,
  onMap,
}: {
  term: Term
  texts: readonly MappedText[]
  targets: readonly { id: number; label: string }[]
  /** What a text that is mapped to nothing on purpose comes to. */
  leftOutName: string
  /** All that map to nothing can be left out at once. */
  isLeftTogether?: boolean
  /** What else can be done about a text that maps to nothing. */
  action?: (text: MappedText) => ReactNode
  onMap: (texts: string[], id: number | null) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(pageOf)
  // A row stays where it is once it is mapped: what is open is what mapped to nothing as the table was first shown, or was asked for.
  const [begun] = useState(() => new Set(texts.filter((one) => one.id === undefined).map((one) => one.text)))
  const data = useMemo(
    () => [{ value: leftOut, label: leftOutName }, ...targets.map((one) => ({ value: String(one.id), label: one.label }))],
    [targets, leftOutName],
  )
  if (!texts.length) return null
  const open = texts.filter((one) => one.id === undefined || begun.has(one.text))
  const rest = texts.filter((one) => one.id !== undefined && !begun.has(one.text))
  const unmapped = texts.filter((one) => one.id === undefined)
  const listed = [...open, ...(isOpen ? rest : [])]
  return (
    <section aria-label={`${term.plural} of the file`}>
      <Group gap="xs" mb={4} justify="space-between">
        <Text fw={600} size="sm" component="h3" m={0}>
          {unmapped.length > 0
            ? `${displayCount(unmapped.length, 'text')} of the file ${unmapped.length === 1 ? 'maps' : 'map'} to no ${toMidSentence(term.singular)}: ${displayFigure(unmapped.reduce((sum, one) => sum + one.sum, 0))}`
            : `${term.plural}: all ${displayCount(texts.length, 'text')} mapped`}
        </Text>
        <Group gap={4}>
          {isLeftTogether && unmapped.length > 1 && (
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
              {listed.slice(0, shown).map((one) => (
                <Table.Tr key={one.text}>
                  <Table.Td>
                    {one.text} {one.name !== one.text && one.name}
                  </Table.Td>
                  <Table.Td ta="right">{one.rows}</Table.Td>
                  <Table.Td ta="right">
                    {displayFigure(one.sum)}
                    {one.more}
                  </Table.Td>
                  <Table.Td>
                    <Group gap={6} wrap="nowrap" align="flex-start">
                      <Select
                        aria-label={`What ${one.text} is mapped to`}
                        placeholder="Choose, or leave out"
                        size="xs"
                        style={{ flex: 1 }}
                        searchable
                        allowDeselect={false}
                        data={data}
                        value={one.id === undefined ? null : one.id === null ? leftOut : String(one.id)}
                        description={one.because || undefined}
                        inputWrapperOrder={['input', 'description']}
                        onChange={(value) => value && onMap([one.text], value === leftOut ? null : Number(value))}
                      />
                      {one.id === undefined && action?.(one)}
                    </Group>
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
