import { BarChart } from '@mantine/charts'
import { NumberInput, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import type { WorkedYear } from '../../../domain/calculation/entries.ts'
import { periodName } from '../../../domain/calendar.ts'
import { money, poundsOf, wholePounds } from '../../../domain/format.ts'
import { Amount } from '../../staffing/Amount.tsx'
import { useBudget } from '../../staffing/tables/useBudget.ts'
import { useYears } from '../useYears.ts'
import type { EntryPart } from './EntryFields.tsx'

/** The years of an entry live: how prices rise, what is typed over it, and the months of a year as bars. */
export function EntryYears({ draft, set, choices, worked, error, disabled }: EntryPart & { worked: WorkedYear[] }) {
  const names = useYears()
  const { startMonth } = useBudget()
  const [shown, setShown] = useState('0')
  const rates = choices.budgetCodes.find((code) => code.id === draft.budgetCodeId)?.rates ?? null
  const setYear = (year: number, part: Partial<(typeof draft.years)[number]>): void =>
    set({ years: draft.years.map((one, at) => (at === year ? { ...one, ...part } : one)) })
  const year = Math.min(Number(shown), names.length - 1)
  const isUntyped = draft.way === 'amount' && draft.amount === null
  const months = worked[year]?.periods ?? []
  return (
    <section className="card sticky" aria-label="Years">
      <div className="card-head">
        Years{' '}
        <span className="note">
          {rates ? 'prices rise by the rates of the budget code' : draft.budgetCodeId ? 'its budget code has no rates' : ''}
        </span>
      </div>
      <table className="figures tight years">
        <thead>
          <tr>
            <th scope="col">Year</th>
            <th scope="col">Rise %</th>
            <th scope="col">Typed amount</th>
            <th scope="col">Amount</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name, index) => {
            const isLater = index > draft.firstYear && draft.way !== 'rows'
            return (
              <tr key={name} data-field={index === 1 ? 'years' : undefined}>
                <th scope="row">{name}</th>
                <td>
                  {isLater && (
                    <NumberInput
                      size="xs"
                      aria-label={`Rise of ${name}`}
                      value={draft.years[index]!.rate ?? ''}
                      placeholder={String(rates?.[index] ?? 0)}
                      onChange={(value) => setYear(index, { rate: value === '' ? null : Number(value) })}
                      decimalScale={4}
                      hideControls
                      disabled={disabled || draft.years[index]!.amount !== null}
                      styles={{ input: { textAlign: 'right', width: 74, marginLeft: 'auto' } }}
                    />
                  )}
                </td>
                <td>
                  {isLater && (
                    <NumberInput
                      size="xs"
                      aria-label={`Amount of ${name}`}
                      value={draft.years[index]!.amount ?? ''}
                      placeholder="follows"
                      onChange={(value) => setYear(index, { amount: value === '' ? null : Number(value), periods: null })}
                      prefix="£"
                      thousandSeparator=","
                      decimalScale={2}
                      hideControls
                      disabled={disabled}
                      styles={{ input: { textAlign: 'right', width: 112, marginLeft: 'auto' } }}
                    />
                  )}
                </td>
                <td>
                  {index < draft.firstYear ? (
                    <span className="dim">not yet</span>
                  ) : isUntyped ? (
                    <span className="dim">–</span>
                  ) : (
                    <Amount pennies={worked[index]?.amount ?? null} />
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {error('years') && (
        <p className="up" role="alert" style={{ margin: '8px 12px' }}>
          {error('years')}
        </p>
      )}
      <div className="card-body">
        <SegmentedControl
          size="xs"
          aria-label="Year of the months"
          value={String(year)}
          onChange={setShown}
          data={names.map((name, index) => ({ value: String(index), label: name }))}
          mb="sm"
        />
        {months.includes(null) ? (
          <p className="dim">Type an amount to see its months.</p>
        ) : (
          <BarChart
            h={190}
            data={months.map((pennies, index) => ({
              month: periodName(startMonth, index + 1).slice(0, 3),
              Amount: poundsOf(pennies ?? 0),
            }))}
            dataKey="month"
            series={[{ name: 'Amount', color: 'var(--accent)' }]}
            valueFormatter={(value) => money(Math.round(value * 100))}
            yAxisProps={{ width: 62, tickFormatter: (value: number) => wholePounds(Math.round(value * 100)) }}
            tickLine="none"
          />
        )}
      </div>
    </section>
  )
}
