import { Autocomplete, Button, Text } from '@mantine/core'
import { findClosestMatch } from '../../../domain/lists/nearest.ts'
import type { FileRow } from '../../../domain/resources/importLayout.ts'
import type { TemplateChoice } from '../../../domain/resources/template.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import textStyles from '../../ui/labels/text.module.css'
import { FieldTable } from '../../ui/table/FieldTable.tsx'
import { createCellKey } from './importFile.ts'
import type { CellProblem } from './ProblemTable.tsx'

/** Problems shown at once; correcting them reveals the rest. */
const maximumShown = 100

/** Options listed at once; typing narrows the list. */
const maximumOptions = 60

/** A problem with the number of its row in the file. */
export interface FileRowProblem extends CellProblem {
  /** The row as it was sent to the server; null if the problem was found before sending. */
  of: FileRow | null
}

type AllowedValues = Readonly<Record<string, readonly TemplateChoice[]>>

/** The cells that prevent an import, as fields to correct one at a time or all equal values together. */
export function CorrectionTable({
  problems,
  names,
  offered,
  typed,
  onTyped,
}: {
  problems: readonly FileRowProblem[]
  /** Labels of the import's columns. A problem in any other column is only displayed. */
  names: Readonly<Record<string, string>>
  /** Allowed values by column, where known. */
  offered: AllowedValues
  typed: ReadonlyMap<string, string>
  onTyped: (typed: ReadonlyMap<string, string>) => void
}) {
  const type = (changes: readonly (readonly [string, string])[]): void => onTyped(new Map([...typed, ...changes]))
  return (
    <>
      <FieldTable
        minWidth={300}
        maxHeight={380}
        headings={[{ label: 'Row', isFigure: true }, { label: 'Column' }, { label: 'Value, and what to do' }]}
      >
        {problems.slice(0, maximumShown).map((problem, index) => (
          <CorrectionRow key={index} problem={problem} problems={problems} names={names} offered={offered} typed={typed} onType={type} />
        ))}
      </FieldTable>
      {problems.length > maximumShown && (
        <Text size="sm" mt="xs">
          The first {maximumShown} of {displayCount(problems.length, 'problem')} are shown.
        </Text>
      )}
    </>
  )
}

function CorrectionRow({
  problem,
  problems,
  names,
  offered,
  typed,
  onType,
}: {
  problem: FileRowProblem
  problems: readonly FileRowProblem[]
  names: Readonly<Record<string, string>>
  offered: AllowedValues
  typed: ReadonlyMap<string, string>
  onType: (changes: readonly (readonly [string, string])[]) => void
}) {
  const { column, of, message, value } = problem
  if (!of || column === null || !(column in names))
    return (
      <tr>
        <td data-figure>{of?.number ?? ''}</td>
        <td>{column}</td>
        <td>
          {value && `${value}: `}
          {message}
        </td>
      </tr>
    )
  const cellKey = createCellKey(of.number, column)
  const now = typed.get(cellKey) ?? of.cells[column] ?? ''
  const isChanged = now !== (value ?? '')
  const choices = offered[column] ?? []
  const meanings = new Map(choices.map((choice) => [choice.value, choice.meaning]))
  const meant = isChanged || !value || meanings.has(value) ? null : findClosestMatch(value, choices)
  const sameCells = isChanged
    ? problems.filter((one) => {
        if (!one.of || one.column !== column || one.value !== value) return false
        return (typed.get(createCellKey(one.of.number, column)) ?? one.of.cells[column] ?? '') !== now
      })
    : []
  return (
    <tr>
      <td data-figure>{of.number}</td>
      <td>{names[column]}</td>
      <td>
        <Autocomplete
          size="xs"
          aria-label={`${names[column]} of row ${of.number}`}
          // A valid value needs no suggestions, and the list would cover the fields below.
          data={isChanged && meanings.has(now) ? [] : [...meanings.keys()]}
          renderOption={({ option }) => (
            <span>
              {option.value}
              {meanings.get(option.value) && <span className={textStyles.dim}> {meanings.get(option.value)}</span>}
            </span>
          )}
          // The current value is wrong, so offer all allowed values instead of those that resemble it.
          filter={({ options, search }) =>
            isChanged
              ? options.filter((option) =>
                  'value' in option
                    ? `${option.value} ${meanings.get(option.value) ?? ''}`.toLowerCase().includes(search.trim().toLowerCase())
                    : true,
                )
              : options
          }
          limit={maximumOptions}
          value={now}
          error={!isChanged && message}
          description={isChanged && (value ? `Was “${value}”.` : 'Was empty.')}
          inputWrapperOrder={['input', 'error', 'description']}
          onChange={(value) => onType([[cellKey, value]])}
        />
        {meant !== null && (
          <Button size="compact-xs" variant="subtle" onClick={() => onType([[cellKey, meant]])}>
            {`Use “${meant}”`}
          </Button>
        )}
        {sameCells.length > 0 && (
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => onType(sameCells.map((one) => [createCellKey(assertDefined(one.of).number, column), now] as const))}
          >
            {value
              ? `Replace “${value}” in ${displayCount(sameCells.length, 'other row')}`
              : `Fill ${displayCount(sameCells.length, 'other row')}`}
          </Button>
        )}
      </td>
    </tr>
  )
}
