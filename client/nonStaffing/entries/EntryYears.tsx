import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { ProjectedYear } from '../../../domain/calculation/nonStaffing/entries.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { Amount } from '../../ui/figures/Amount.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import splitStyles from '../../ui/layout/Split.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import type { EntryFieldsProps } from './EntryFields.tsx'

const MonthsChart = lazyComponent(() => import('./MonthsChart.tsx'), 'MonthsChart')

/**
 * The years of an entry, recalculated while the user types: inflation, amounts that replace the calculated ones, and a chart of the months.
 */
export function EntryYears({ draft, set, choices, worked, error, disabled }: EntryFieldsProps & { worked: ProjectedYear[] }) {
  const names = useBudgetYearNames()
  const { startMonth } = useSelectedBudget()
  const [shown, setShown] = useState('0')
  const rates = choices.budgetCodes.find((code) => code.id === draft.budgetCodeId)?.rates ?? null
  const setYear = (year: number, part: Partial<(typeof draft.years)[number]>): void =>
    set({ years: draft.years.map((one, at) => (at === year ? { ...one, ...part } : one)) })
  const year = Math.min(Number(shown), names.length - 1)
  const problem = ['years', ...draft.years.map((_year, index) => `years.${index}`)].map(error).find(Boolean)
  const isUntyped = draft.way === 'amount' && draft.amount === null
  const months = worked[year]?.periods ?? []
  return (
    <Card className={splitStyles.sticky} aria-label="Years">
      <CardHead>
        Years{' '}
        <CardNote>
          {rates
            ? 'prices increase by the rates of the budget code'
            : draft.budgetCodeId
              ? 'its budget code has no price increases, so later years stay the same'
              : ''}
        </CardNote>
      </CardHead>
      <DataTable
        isTight
        columns={[
          { id: 'year', label: 'Year', cell: ({ name }) => name },
          {
            id: 'rate',
            label: 'Increase %',
            isFigure: true,
            cell: ({ name, own, isLater }, index) =>
              isLater && (
                <NumberField
                  size="xs"
                  aria-label={`Increase for ${name}`}
                  value={own.rate}
                  placeholder={String(rates?.[index] ?? 0)}
                  onChange={(value) => setYear(index, { rate: value })}
                  decimalScale={4}
                  hideControls
                  disabled={disabled || own.amount !== null}
                  styles={{ input: { textAlign: 'right', width: 74, marginLeft: 'auto' } }}
                />
              ),
          },
          {
            id: 'typed',
            label: 'Amount entered',
            isFigure: true,
            cell: ({ name, own, isLater, isForgotten }, index) =>
              isLater && (
                <NumberField
                  size="xs"
                  aria-label={`Amount for ${name}`}
                  value={own.amount}
                  error={isForgotten || undefined}
                  placeholder="follows"
                  onChange={(value) => setYear(index, { amount: value, periods: null })}
                  prefix="£"
                  thousandSeparator=","
                  decimalScale={2}
                  hideControls
                  disabled={disabled}
                  styles={{ input: { textAlign: 'right', width: 112, marginLeft: 'auto' } }}
                />
              ),
          },
          {
            id: 'amount',
            label: 'Amount',
            isFigure: true,
            cell: (_year, index) =>
              index < draft.firstYear ? (
                <span className={textStyles.dim}>not yet</span>
              ) : isUntyped ? (
                <span className={textStyles.dim}>–</span>
              ) : (
                <Amount pennies={worked[index]?.amount ?? null} />
              ),
          },
        ]}
        rows={names.map((name, index) => {
          const typedYear = assertDefined(draft.years[index])
          // If the user typed an amount for a year before the entry starts, the year stays visible until the amount is removed.
          const isBeforeStart = index < draft.firstYear && (typedYear.amount !== null || typedYear.rate !== null)
          return {
            name,
            own: typedYear,
            isForgotten: isBeforeStart,
            isLater: (index > draft.firstYear || isBeforeStart) && draft.way !== 'rows',
          }
        })}
        rowProps={(_year, index) => ({ 'data-field': index === 1 ? 'years' : undefined })}
      />
      {problem && (
        <p className={textStyles.up} role="alert" style={{ margin: '8px 12px' }}>
          {problem}
        </p>
      )}
      <CardBody>
        <SegmentedControl
          size="xs"
          aria-label="Year to show by month"
          value={String(year)}
          onChange={setShown}
          data={names.map((name, index) => ({ value: String(index), label: name }))}
          mb="sm"
        />
        {months.includes(null) ? (
          <p className={textStyles.dim}>Enter an amount to see its months.</p>
        ) : (
          <PageSection height={190}>
            <MonthsChart months={months} startMonth={startMonth} />
          </PageSection>
        )}
      </CardBody>
    </Card>
  )
}
