import { Button, Group, Text } from '@mantine/core'
import { type ReactNode, useMemo, useState } from 'react'
import { displayCount, displayFigure } from '../../../domain/values/format.ts'
import type { Term } from '../../../domain/words/terms.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { FieldTable } from '../../ui/table/FieldTable.tsx'

const leftOut = 'leftOut'
const pageOf = 50

/** A text in a file with its name, the total of its rows, and the record that it is mapped to. */
export interface MappedText {
  text: string
  name: string
  rows: number
  /** The total of its rows, in whole pennies. */
  sum: number
  /** The id of the record: undefined if not mapped, null if left out on purpose. */
  id: number | null | undefined
  /** Why the text is mapped to the record, as a sentence; null if the user chose it. */
  because: string | null
  /** Further details of its total. */
  more?: ReactNode
}

/** Maps the texts of a file to records. It shows unmapped texts first, with their totals, and the other texts on request. */
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
  /** Label of the choice that leaves a text out. */
  leftOutName: string
  /** Whether all unmapped texts can be left out with one button. */
  isLeftTogether?: boolean
  /** A further action for an unmapped text. */
  action?: (text: MappedText) => ReactNode
  onMap: (texts: string[], id: number | null) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState(pageOf)
  // Rows stay in their positions after they are mapped. The list contains the texts that were unmapped at first, and those that the user
  // asked to see.
  const [initiallyUnmapped] = useState(() => new Set(texts.filter((one) => one.id === undefined).map((one) => one.text)))
  const data = useMemo(
    () => [{ value: leftOut, label: leftOutName }, ...targets.map((one) => ({ value: String(one.id), label: one.label }))],
    [targets, leftOutName],
  )
  if (!texts.length) return null
  const open = texts.filter((one) => one.id === undefined || initiallyUnmapped.has(one.text))
  const rest = texts.filter((one) => one.id !== undefined && !initiallyUnmapped.has(one.text))
  const unmapped = texts.filter((one) => one.id === undefined)
  const listed = [...open, ...(isOpen ? rest : [])]
  return (
    <section aria-label={`${term.plural} in the file`}>
      <Group gap="xs" mb={4} justify="space-between">
        <Text fw={600} size="sm" component="h3" m={0}>
          {unmapped.length > 0
            ? `${displayCount(unmapped.length, 'item')} in the file ${unmapped.length === 1 ? 'is' : 'are'} not mapped: ${displayFigure(unmapped.reduce((sum, one) => sum + one.sum, 0))}`
            : `${term.plural}: all ${displayCount(texts.length, 'item')} mapped`}
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
        <FieldTable
          minWidth={520}
          headings={[
            { label: 'In the file' },
            { label: 'Rows', isFigure: true },
            { label: 'Amount', isFigure: true },
            { label: term.singular },
          ]}
        >
          {listed.slice(0, shown).map((one) => (
            <tr key={one.text}>
              <td>
                {one.text} {one.name !== one.text && one.name}
              </td>
              <td data-figure>{one.rows}</td>
              <td data-figure>
                {displayFigure(one.sum)}
                {one.more}
              </td>
              <td>
                <Group gap={6} wrap="nowrap" align="flex-start">
                  <Choice
                    aria-label={`What ${one.text} is mapped to`}
                    placeholder="Choose, or leave out"
                    size="xs"
                    style={{ flex: 1 }}
                    data={data}
                    value={one.id === undefined ? null : one.id === null ? leftOut : String(one.id)}
                    description={one.because || undefined}
                    inputWrapperOrder={['input', 'description']}
                    onChange={(value) => value && onMap([one.text], value === leftOut ? null : Number(value))}
                  />
                  {one.id === undefined && action?.(one)}
                </Group>
              </td>
            </tr>
          ))}
        </FieldTable>
      )}
      {listed.length > shown && (
        <Button variant="subtle" size="compact-sm" mb="sm" onClick={() => setShown(shown + pageOf)}>
          Show {Math.min(pageOf, listed.length - shown)} more
        </Button>
      )}
    </section>
  )
}
