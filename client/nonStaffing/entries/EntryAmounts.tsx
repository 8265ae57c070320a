import { Button, SegmentedControl } from '@mantine/core'
import { calculateRows } from '../../../domain/calculation/nonStaffing/calculator.ts'
import type { ProjectedYear } from '../../../domain/calculation/nonStaffing/entries.ts'
import { split } from '../../../domain/calculation/split.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { displayMoney, toPennies, toPounds } from '../../../domain/values/format.ts'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import fieldsStyles from '../../ui/fields/fields.module.css'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { CalculatorRows, createCalculatorRow } from '../calculator/CalculatorRows.tsx'
import { listSelectOptions } from '../toSelectOptions.ts'
import classes from './EntryAmounts.module.css'
import type { EntryFieldsProps } from './EntryFields.tsx'
import type { AmountMethod } from './entryDraft.ts'

const pennies = (value: number | null): number => (value === null ? 0 : toPennies(value))
const rightAligned = { input: { textAlign: 'right' as const } }

/** The first year of an entry: one amount with a profile, twelve periods that add up to the amount, or rows that add up to it. */
export function EntryAmounts({ draft, set, choices, worked, error, disabled }: EntryFieldsProps & { worked: ProjectedYear[] }) {
  const years = useBudgetYearNames()
  const { startMonth } = useSelectedBudget()
  const change = (way: AmountMethod): void => {
    const first = worked[draft.firstYear]
    if (way === 'periods' && first) set({ way, periods: first.periods.map((one) => (one === null ? null : toPounds(one))) })
    else if (way === 'rows' && !draft.rows.length)
      set({ way, rows: [createCalculatorRow(5), createCalculatorRow(1), createCalculatorRow(7)] })
    else set({ way })
  }
  return (
    <Card style={{ overflow: 'visible' }}>
      <CardHead>
        Amount
        <SegmentedControl
          size="xs"
          aria-label="How the amount is entered"
          value={draft.way}
          onChange={change}
          disabled={disabled}
          data={[
            { value: 'amount', label: 'One amount' },
            { value: 'periods', label: 'Twelve periods' },
            { value: 'rows', label: 'Rows' },
          ]}
        />
      </CardHead>
      <CardBody className={fieldsStyles.fields}>
        <div data-field="budgetYearName">
          <Choice
            label="First year"
            data={years.map((name, index) => ({ value: String(index), label: name }))}
            value={String(draft.firstYear)}
            onChange={(value) => set({ firstYear: Number(value ?? 0) })}
            error={error('budgetYearName')}
            disabled={disabled}
          />
        </div>
        {draft.way !== 'rows' && (
          <div data-field="amount">
            <NumberField
              label={draft.way === 'periods' ? 'Total' : 'Amount'}
              required
              value={draft.amount}
              onChange={(value) => set({ amount: value })}
              prefix="£"
              thousandSeparator=","
              decimalScale={2}
              hideControls
              error={error('amount')}
              disabled={disabled}
              styles={rightAligned}
            />
          </div>
        )}
        {draft.way !== 'periods' && (
          <div data-field="profileTemplateId">
            <Choice
              label="Profile"
              clearable
              placeholder="Equal months"
              data={listSelectOptions(choices.profiles, draft.profileTemplateId)}
              value={draft.profileTemplateId === null ? null : String(draft.profileTemplateId)}
              onChange={(value) => set({ profileTemplateId: value === null ? null : Number(value) })}
              error={error('profileTemplateId')}
              disabled={disabled}
            />
          </div>
        )}
        {draft.way === 'periods' && <Periods draft={draft} set={set} startMonth={startMonth} disabled={disabled} error={error} />}
      </CardBody>
      {draft.way === 'rows' && (
        <CalculatorRows
          rows={draft.rows}
          worked={calculateRows(draft.rows, years.length)}
          years={years}
          startMonth={startMonth}
          onChange={(rows) => set({ rows })}
          disabled={disabled}
          error={error}
        />
      )}
    </Card>
  )
}

function Periods({
  draft,
  set,
  startMonth,
  disabled,
  error,
}: Pick<EntryFieldsProps, 'draft' | 'set' | 'disabled' | 'error'> & { startMonth: number }) {
  const sum = draft.periods.reduce<number>((all, one) => all + pennies(one), 0)
  const rest = pennies(draft.amount) - sum
  const distributeRest = (): void => {
    const shares = split(rest, Array<number>(12).fill(1))
    set({ periods: draft.periods.map((one, index) => toPounds(pennies(one) + assertDefined(shares[index]))) })
  }
  return (
    <div className={fieldsStyles.wide} data-field="period1">
      <div className={classes.periods}>
        {draft.periods.map((value, index) => (
          <NumberField
            key={index}
            label={formatPeriodMonth(startMonth, index + 1)}
            value={value}
            onChange={(next) => set({ periods: draft.periods.map((one, at) => (at === index ? next : one)) })}
            thousandSeparator=","
            decimalScale={2}
            hideControls
            disabled={disabled}
            styles={rightAligned}
          />
        ))}
      </div>
      {error('period1') && (
        <p className={textStyles.up} role="alert">
          {error('period1')}
        </p>
      )}
      <p className={textStyles.since} role="status">
        The periods add up to <b>{displayMoney(sum)}</b>
        {rest !== 0 && draft.amount !== null && (
          <>
            ,{' '}
            <span className={textStyles.up}>
              {rest > 0 ? `${displayMoney(rest)} less than the total` : `${displayMoney(-rest)} more than the total`}
            </span>
            {!disabled && (
              <>
                <Button size="compact-xs" variant="default" onClick={distributeRest}>
                  Spread the difference
                </Button>
                <Button size="compact-xs" variant="default" onClick={() => set({ amount: toPounds(sum) })}>
                  Make the total {displayMoney(sum)}
                </Button>
              </>
            )}
          </>
        )}
      </p>
    </div>
  )
}
