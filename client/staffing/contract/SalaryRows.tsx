import { Button, Checkbox } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { memo, useRef } from 'react'
import { calculationType as way } from '../../../domain/lookups/lookupIds.ts'
import { staffContract } from '../../../domain/resources/entities/budget/staffContract.ts'
import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import { MultiRecordPicker } from '../../resources/inputs/RecordPicker.tsx'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import { DateField } from '../../ui/fields/DateField.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { MemoizedPart } from '../../ui/MemoizedPart.tsx'
import { FieldTable } from '../../ui/table/FieldTable.tsx'
import { createEmptySalaryRow, type SalaryDraftRow } from './contractDraft.ts'
import type { CostingInputs } from './costingInputs.ts'
import { findAllowanceRate } from './findAllowanceRate.ts'
import { PointSelect } from './PointSelect.tsx'
import classes from './SalaryRows.module.css'

const { of: parts } = staffContract.fields.salary

interface Props {
  rows: SalaryDraftRow[]
  onChange: (rows: SalaryDraftRow[]) => void
  inputs: CostingInputs
  type: number
  /** An id from the list of calculation types: 1 uses FTE, 2 and 3 use hours and weeks. */
  calculationType: number | null
  locationId: LocationId | null
  problems: readonly FieldProblem[]
  disabled: boolean
}

function Amount({
  label,
  value,
  onChange,
  error,
  disabled,
  decimals,
  prefix,
  width,
}: {
  label: string
  value: number | null
  onChange: (value: number | null) => void
  error?: string
  disabled: boolean
  decimals: number
  prefix?: string
  width: number
}) {
  return (
    <NumberField
      size="xs"
      aria-label={label}
      value={value}
      onChange={(next) => onChange(next)}
      decimalScale={decimals}
      prefix={prefix}
      thousandSeparator=","
      hideControls
      error={error}
      disabled={disabled}
      w={width}
      styles={{ input: { textAlign: 'right' } }}
    />
  )
}

/** The salary rows of a contract, each of which is in force from its date. */
export const SalaryRows = memo(function SalaryRows({
  rows,
  onChange,
  inputs,
  type,
  calculationType,
  locationId,
  problems,
  disabled,
}: Props) {
  // A cell keeps its handler while other cells change, so the handler reads the rows at the time it is called.
  const latest = useRef(rows)
  latest.current = rows
  const set = (index: number, part: Partial<SalaryDraftRow>): void =>
    onChange(latest.current.map((row, at) => (at === index ? { ...row, ...part } : row)))
  const table = useRef<HTMLDivElement>(null)
  const add = (): void => {
    onChange([...rows, { ...(rows.at(-1) ?? createEmptySalaryRow()), effectiveDate: null, calculationCeaseDate: null }])
    // Focus the date of a new row.
    window.setTimeout(() => table.current?.querySelector<HTMLElement>('tbody tr:last-child input')?.focus())
  }
  // The shortcut works everywhere in the contract, including its fields.
  useHotkeys(disabled ? [] : [['Insert', add]], [])
  const error = (index: number, name: string): string | undefined =>
    problems.find((problem) => problem.field === `salary.${index}.${name}`)?.message
  const findAllowanceWorth = (id: number, rowDate: string | null) => {
    const rate = findAllowanceRate(inputs, id, rowDate)
    if (!rate) return undefined
    const pounds = displayFigure(toPennies(rate.value))
    return { short: pounds, whole: `${pounds} a year from ${displayDate(rate.from)}` }
  }
  const byHours = calculationType === way.hoursAndWeeks || calculationType === way.hourly
  const widths = byHours ? [106, 120, 46, 56, 58, 74, 52, 98, 32] : [104, 138, 48, 66, 96, 52, 98, 32]
  return (
    <Card style={{ overflow: 'visible' }} data-field="salary">
      <CardHead>
        {staffContract.fields.salary.label} <CardNote>each row applies from its date</CardNote>
        {!disabled && (
          <Button variant="default" size="compact-sm" ml="auto" leftSection={<IconPlus size={14} />} onClick={add}>
            Add row
          </Button>
        )}
      </CardHead>
      <div ref={table}>
        <FieldTable
          className={classes.salary}
          headings={[
            { label: parts.effectiveDate.label },
            { label: parts.scalePoint.label },
            ...(byHours
              ? [
                  { label: parts.hoursPerWeek.short, title: parts.hoursPerWeek.label },
                  { label: parts.weeksPerYear.short, title: parts.weeksPerYear.label },
                ]
              : [{ label: parts.fte.label }]),
            { label: parts.spotAdjustment.short },
            { label: parts.allowances.label },
            { label: parts.erPension.short },
            { label: parts.calculationCeaseDate.short },
            { label: '', name: 'Remove' },
          ].map((heading, at) => ({ ...heading, style: { width: widths[at] } }))}
        >
          {rows.map((row, index) => {
            const name = (label: string): string => `${label}, row ${index + 1}`
            return (
              <tr key={index}>
                <MemoizedPart of={[row.effectiveDate, error(index, 'effectiveDate'), disabled]}>
                  {() => (
                    <td>
                      <DateField
                        size="xs"
                        label={name(parts.effectiveDate.label)}
                        bare
                        required
                        value={row.effectiveDate}
                        onChange={(effectiveDate) => set(index, { effectiveDate })}
                        error={error(index, 'effectiveDate')}
                        disabled={disabled}
                      />
                    </td>
                  )}
                </MemoizedPart>
                <MemoizedPart of={[row.scalePoint, type, inputs, error(index, 'scalePoint'), disabled]}>
                  {() => (
                    <td>
                      <PointSelect
                        size="xs"
                        aria-label={name(parts.scalePoint.label)}
                        placeholder="Spot salary"
                        inputs={inputs}
                        type={type}
                        value={row.scalePoint}
                        onChange={(scalePoint) => set(index, { scalePoint })}
                        error={error(index, 'scalePoint')}
                        disabled={disabled}
                      />
                    </td>
                  )}
                </MemoizedPart>
                {byHours ? (
                  <>
                    <MemoizedPart of={[row.hoursPerWeek, error(index, 'hoursPerWeek'), disabled]}>
                      {() => (
                        <td>
                          <Amount
                            label={name(parts.hoursPerWeek.label)}
                            value={row.hoursPerWeek}
                            onChange={(hoursPerWeek) => set(index, { hoursPerWeek })}
                            error={error(index, 'hoursPerWeek')}
                            disabled={disabled}
                            decimals={6}
                            width={42}
                          />
                        </td>
                      )}
                    </MemoizedPart>
                    <MemoizedPart of={[row.weeksPerYear, error(index, 'weeksPerYear'), disabled]}>
                      {() => (
                        <td>
                          <Amount
                            label={name(parts.weeksPerYear.label)}
                            value={row.weeksPerYear}
                            onChange={(weeksPerYear) => set(index, { weeksPerYear })}
                            error={error(index, 'weeksPerYear')}
                            disabled={disabled}
                            decimals={6}
                            width={50}
                          />
                        </td>
                      )}
                    </MemoizedPart>
                  </>
                ) : (
                  <MemoizedPart of={[row.fte, error(index, 'fte'), disabled]}>
                    {() => (
                      <td>
                        <Amount
                          label={name(parts.fte.label)}
                          value={row.fte}
                          onChange={(fte) => set(index, { fte })}
                          error={error(index, 'fte')}
                          disabled={disabled}
                          decimals={6}
                          width={42}
                        />
                      </td>
                    )}
                  </MemoizedPart>
                )}
                <MemoizedPart of={[row.spotAdjustment, error(index, 'spotAdjustment'), disabled]}>
                  {() => (
                    <td>
                      <Amount
                        label={name(parts.spotAdjustment.label)}
                        value={row.spotAdjustment}
                        onChange={(spotAdjustment) => set(index, { spotAdjustment })}
                        error={error(index, 'spotAdjustment')}
                        disabled={disabled}
                        decimals={2}
                        prefix="£"
                        width={56}
                      />
                    </td>
                  )}
                </MemoizedPart>
                <MemoizedPart of={[row.allowances, row.effectiveDate, inputs, locationId, error(index, 'allowances'), disabled]}>
                  {() => (
                    <td>
                      <MultiRecordPicker
                        size="xs"
                        to="allowance"
                        label={name(parts.allowances.label)}
                        bare
                        value={row.allowances}
                        onChange={(allowances) => set(index, { allowances })}
                        error={error(index, 'allowances')}
                        disabled={disabled}
                        locationId={locationId}
                        emptyText="None"
                        beside={(id) => findAllowanceWorth(id, row.effectiveDate)}
                      />
                    </td>
                  )}
                </MemoizedPart>
                <MemoizedPart of={[row.erPension, disabled]}>
                  {() => (
                    <td style={{ paddingTop: 9 }}>
                      <Checkbox
                        aria-label={name(parts.erPension.label)}
                        checked={row.erPension}
                        onChange={(event) => set(index, { erPension: event.currentTarget.checked })}
                        disabled={disabled}
                      />
                    </td>
                  )}
                </MemoizedPart>
                <MemoizedPart of={[row.calculationCeaseDate, error(index, 'calculationCeaseDate'), disabled]}>
                  {() => (
                    <td>
                      <DateField
                        size="xs"
                        label={name(parts.calculationCeaseDate.label)}
                        bare
                        value={row.calculationCeaseDate}
                        onChange={(calculationCeaseDate) => set(index, { calculationCeaseDate })}
                        error={error(index, 'calculationCeaseDate')}
                        disabled={disabled}
                      />
                    </td>
                  )}
                </MemoizedPart>
                <MemoizedPart of={[disabled]}>
                  {() => (
                    <td style={{ paddingTop: 5 }}>
                      {!disabled && (
                        <RemoveButton
                          label={`Remove row ${index + 1}`}
                          onRemove={() => onChange(latest.current.filter((_row, at) => at !== index))}
                        />
                      )}
                    </td>
                  )}
                </MemoizedPart>
              </tr>
            )
          })}
        </FieldTable>
      </div>
      {problems
        .filter((problem) => problem.field === 'salary')
        .map((problem) => (
          <p key={problem.message} className={textStyles.up} role="alert" style={{ margin: 10 }}>
            {problem.message}
          </p>
        ))}
      {!disabled && (
        <div className={cardStyles.foot}>
          <span>
            <kbd>Ins</kbd> adds a row
          </span>
        </div>
      )}
    </Card>
  )
})
