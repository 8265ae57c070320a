import { Alert, Button, Group, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type Correction, createCorrectionSuggester } from '../../../domain/resources/corrections.ts'
import type { FileRow } from '../../../domain/resources/importLayout.ts'
import type { TemplateChoice } from '../../../domain/resources/template.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { SuggestionField } from '../../ui/fields/SuggestionField.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { FieldTable } from '../../ui/table/FieldTable.tsx'
import classes from './CorrectionTable.module.css'
import { FillEmptyCells } from './FillEmptyCells.tsx'
import { createCellKey } from './importFile.ts'
import { getLeaveOutLabel } from './LeftOutRows.tsx'
import type { CellProblem } from './ProblemTable.tsx'

/** Groups of problems shown at once. When the user has corrected some, further groups appear. */
const maximumShown = 100

/** People, or pairs of codes, that are listed by name. */
const maximumNamed = 5

/** Up to this many rows are listed by number. The downloaded problems list all rows. */
const maximumNumbered = 12

/** A problem with the number of its row in the file. */
export interface FileRowProblem extends CellProblem {
  /** The row as it was sent to the server; null if the problem was found before sending. */
  of: FileRow | null
}

type AllowedValues = Readonly<Record<string, readonly TemplateChoice[]>>

/** Problems that one correction solves: equal values of a column with the same message. */
interface ProblemGroup {
  /** The cells to correct; null if the problem can only be displayed. */
  cells: { row: FileRow; column: string; value: string }[] | null
  first: FileRowProblem
  suggestion: Correction | null
  suggestedKinds?: 'all' | 'joinedCodes'
}

const listFirst = (names: readonly (string | number)[], most: number): string =>
  names.length > most ? `${names.slice(0, most).join(', ')} and ${names.length - most} more` : names.join(', ')

/** Returns a name for a row, for readers who do not have the file open: the person of a staff file, or the row’s description. */
export function describeFileRow({ cells }: FileRow): string {
  return [cells.Forename, cells.Surname].filter(Boolean).join(' ') || cells.EmployeeNumber || cells.Description || ''
}

/** The cells that prevent an import, grouped by value, as fields to correct one at a time or all together. */
export function CorrectionTable({
  problems,
  names,
  headings,
  offered,
  ownValues,
  typed,
  onTyped,
  onLeaveOut,
}: {
  problems: readonly FileRowProblem[]
  /** Labels of the import's columns. A problem in any other column is only displayed. */
  names: Readonly<Record<string, string>>
  /** Headings in the file, by column of the import. */
  headings: Readonly<Record<string, string>>
  /** Allowed values by column, if known. */
  offered: AllowedValues
  /** Columns whose values differ from row to row, such as names. */
  ownValues: ReadonlySet<string>
  typed: ReadonlyMap<string, string>
  onTyped: (typed: ReadonlyMap<string, string>) => void
  /** Leaves rows of the file out of the import. */
  onLeaveOut: (numbers: readonly number[]) => void
}) {
  const [apart, setApart] = useState<ReadonlySet<string>>(new Set())
  const suggest = useMemo(() => createCorrectionSuggester(offered), [offered])
  const groups = new Map<string, ProblemGroup>()
  for (const first of problems) {
    const { of: row, column, value, message } = first
    const isEditable = row !== null && column !== null && column in names
    // Empty cells usually need different values, so each has its own field.
    const shared = JSON.stringify([column, value, message])
    const key = isEditable && value && !apart.has(shared) ? shared : JSON.stringify([shared, groups.size])
    const before = groups.get(key)
    if (!isEditable) {
      groups.set(key, { cells: null, first, suggestion: null })
      continue
    }
    const cell = { row, column, value: value ?? '' }
    // Groups that are not shown get no suggestion based on spelling: the user could not check it, and comparing
    // thousands would take minutes.
    const kinds = before?.suggestedKinds ?? (groups.size < maximumShown ? 'all' : 'joinedCodes')
    const suggestion = suggest({ column, value: cell.value, cells: row.cells, heading: headings[column] ?? '' }, kinds)
    if (!before?.cells) groups.set(key, { cells: [cell], first, suggestion, suggestedKinds: kinds })
    else {
      before.cells.push(cell)
      // Rows with the same text may mean different values if their other cells differ.
      if (JSON.stringify(before.suggestion) !== JSON.stringify(suggestion)) before.suggestion = null
    }
  }
  const isOpen = ({ cells, suggestion }: ProblemGroup): boolean =>
    suggestion !== null &&
    Boolean(cells?.some(({ row, column, value }) => (typed.get(createCellKey(row.number, column)) ?? value) === value))
  const shown = [...groups].slice(0, maximumShown)
  // A suggestion that only resembles the text may be wrong, so it counts only if the user can see it. A cell that joins two known codes is
  // certain.
  const suggested = [...groups.values()].filter(
    (group, index) => isOpen(group) && (index < maximumShown || Object.keys(group.suggestion ?? {}).length > 1),
  )
  const joined = suggested.filter(({ suggestion }) => Object.keys(suggestion ?? {}).length > 1)
  const empty = new Map<string, Set<number>>()
  for (const { of: row, column, value } of problems)
    if (row && column !== null && column in names && !value && !ownValues.has(column))
      empty.set(column, (empty.get(column) ?? new Set()).add(row.number))
  const type = (changes: readonly (readonly [string, string])[]): void => onTyped(new Map([...typed, ...changes]))
  const accept = (some: readonly ProblemGroup[]): void =>
    type(
      some.flatMap(({ cells, suggestion }) =>
        (cells ?? []).flatMap(({ row }) =>
          Object.entries(suggestion ?? {}).map(([column, value]) => [createCellKey(row.number, column), value] as const),
        ),
      ),
    )
  const nameValues = (suggestion: Correction): string =>
    Object.entries(suggestion)
      .map(([column, value]) => {
        const meaning = offered[column]?.find((one) => one.value === value)?.meaning
        return `${toMidSentence(names[column] ?? column)} ${value}${meaning ? ` (${meaning})` : ''}`
      })
      .join(' and ')
  return (
    <>
      {joined.length > 0 && (
        <Alert role="note" title="Two codes in one cell" mb="sm">
          {joined.slice(0, maximumNamed).map(({ first, suggestion }) => (
            <div key={first.value}>
              {first.value}: {nameValues(suggestion ?? {})}
            </div>
          ))}
          {joined.length > maximumNamed && <div>and {joined.length - maximumNamed} more</div>}
          <Button size="compact-sm" mt="xs" onClick={() => accept(joined)}>
            Use both codes in {displayCount(joined.flatMap(({ cells }) => cells ?? []).length, 'row')}
          </Button>
        </Alert>
      )}
      {[...empty].map(
        ([column, rows]) =>
          rows.size > 1 && (
            <FillEmptyCells
              key={column}
              name={names[column] ?? column}
              rows={rows.size}
              choices={offered[column] ?? []}
              onFill={(value) => type([...rows].map((number) => [createCellKey(number, column), value] as const))}
            />
          ),
      )}
      {suggested.length > 1 && suggested.length > joined.length && (
        <Group justify="flex-end" mb="xs">
          <Button size="compact-sm" variant="default" onClick={() => accept(suggested)}>
            Use all suggestions
          </Button>
        </Group>
      )}
      {shown.length > 0 && (
        <FieldTable
          minWidth={300}
          maxHeight={380}
          headings={[{ label: 'Row', isFigure: true, style: { width: '1%' } }, { label: 'Column' }, { label: 'Value, and what to do' }]}
        >
          {shown.map(([key, group]) => (
            <CorrectionRow
              key={key}
              group={group}
              problems={problems}
              names={names}
              offered={offered}
              typed={typed}
              onType={type}
              onAccept={isOpen(group) ? () => accept([group]) : null}
              onApart={() => setApart(new Set([...apart, key]))}
              onLeaveOut={onLeaveOut}
              nameValues={nameValues}
            />
          ))}
        </FieldTable>
      )}
      {groups.size > maximumShown && (
        <Text size="sm" mt="xs">
          The first {maximumShown} of {displayCount(groups.size, 'problem')} are shown.
        </Text>
      )}
    </>
  )
}

function CorrectionRow({
  group: { cells, first, suggestion },
  problems,
  names,
  offered,
  typed,
  onType,
  onAccept,
  onApart,
  onLeaveOut,
  nameValues,
}: {
  group: ProblemGroup
  problems: readonly FileRowProblem[]
  names: Readonly<Record<string, string>>
  offered: AllowedValues
  typed: ReadonlyMap<string, string>
  onType: (changes: readonly (readonly [string, string])[]) => void
  /** Accepts the suggestion; null if there is none, or the cells were changed. */
  onAccept: (() => void) | null
  onApart: () => void
  onLeaveOut: (numbers: readonly number[]) => void
  nameValues: (suggestion: Correction) => string
}) {
  const { column, message, value } = first
  const numbers = new Set(cells ? cells.map(({ row }) => row.number) : first.of ? [first.of.number] : [])
  const leaveOut = numbers.size > 0 && (
    <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onLeaveOut([...numbers])}>
      {getLeaveOutLabel(numbers.size)}
    </Button>
  )
  if (!cells || column === null)
    return (
      <tr>
        <td data-figure>{first.of?.number ?? ''}</td>
        <td>{column}</td>
        <td>
          {value && `${value}: `}
          {message} {leaveOut}
        </td>
      </tr>
    )
  const rows = cells.map(({ row }) => row)
  const current = ({ number, cells: own }: FileRow): string => typed.get(createCellKey(number, column)) ?? own[column] ?? ''
  const now = current(assertDefined(rows[0]))
  const isChanged = now !== (value ?? '')
  const choices = offered[column] ?? []
  const sameCells = isChanged
    ? problems.filter(
        (one) => one.of && one.column === column && one.value === value && !numbers.has(one.of.number) && current(one.of) !== now,
      )
    : []
  const set = (some: readonly FileRow[], text: string): void =>
    onType(some.map(({ number }) => [createCellKey(number, column), text] as const))
  const inRows = rows.length > 1 ? ` in ${displayCount(rows.length, 'row')}` : ''
  const people =
    column === 'Forename' || column === 'Surname' ? [] : [...new Set(rows.map(describeFileRow).filter((name) => name && name !== value))]
  return (
    <tr>
      <td data-figure className={classes.rows}>
        {listFirst([...numbers], maximumNumbered)}
      </td>
      <td>
        {names[column]}
        {people.length > 0 && <div className={textStyles.dim}>{listFirst(people, maximumNamed)}</div>}
      </td>
      <td>
        <SuggestionField
          size="xs"
          aria-label={`${names[column]} of ${rows.length > 1 ? 'rows' : 'row'} ${listFirst([...numbers], maximumNumbered)}`}
          // A valid value needs no suggestions, and the list would cover the fields below.
          suggestions={isChanged && choices.some((choice) => choice.value === now) ? [] : choices}
          takesFirst
          value={now}
          error={!isChanged && message}
          description={isChanged && (value ? `Was “${value}”.` : 'Was empty.')}
          inputWrapperOrder={['input', 'error', 'description']}
          onChange={(text) => set(rows, text)}
        />
        {suggestion && onAccept && (
          <Button size="compact-sm" variant="subtle" className={classes.suggestion} onClick={onAccept}>
            {Object.keys(suggestion).length > 1 ? `Use ${nameValues(suggestion)}` : `Use “${Object.values(suggestion)[0]}”`}
            {inRows}
          </Button>
        )}
        {rows.length > 1 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onApart}>
            One by one
          </Button>
        )}
        {sameCells.length > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() =>
              set(
                sameCells.map((one) => assertDefined(one.of)),
                now,
              )
            }
          >
            {value
              ? `Replace “${value}” in ${displayCount(sameCells.length, 'other row')}`
              : `Fill ${displayCount(sameCells.length, 'other row')}`}
          </Button>
        )}
        {leaveOut}
      </td>
    </tr>
  )
}
