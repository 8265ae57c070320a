import { SegmentedControl } from '@mantine/core'
import { useEffect, useMemo, useState } from 'react'
import { type CostLine, costLines, totalMonths, yearSum } from '../../domain/calculation/lines.ts'
import { periodName, yearName } from '../../domain/calendar.ts'
import { displayDate, figure } from '../../domain/format.ts'
import { Amount } from './Amount.tsx'
import type { LiveInputs } from './draft.ts'
import type { CostOf } from './liveCost.ts'
import { Why } from './Why.tsx'

/** Up and down against what is saved: a word for screen readers, an arrow and a colour for the others. */
function Change({ now, before }: { now: number | null; before: number | null }) {
  if (now === null || before === null) return <span className="dim">unknown</span>
  const change = now - before
  if (change === 0) return <span className="dim">none</span>
  return (
    <span className={change > 0 ? 'up' : 'down'}>
      {change > 0 ? '▲' : '▼'} {figure(Math.abs(change))}
    </span>
  )
}

const problemsShown = 4

/** The cost of a contract while it is typed: years, or the months of one year; each month's figure opens its derivation. */
export function LiveCost({ inputs, live, saved, isLive }: { inputs: LiveInputs; live: CostOf; saved: CostOf | null; isLive: boolean }) {
  const { firstYear, years, startMonth } = inputs.frozen.budget
  const [shown, setShown] = useState('years')
  const [asked, setAsked] = useState<{ line: CostLine['figure']; month: number } | null>(null)
  const year = shown === 'years' ? null : Number(shown)
  const lines = useMemo(() => (live.cost ? costLines(live.cost, inputs.shared.labels) : []), [live, inputs])
  const before = useMemo(() => (saved?.cost ? totalMonths(costLines(saved.cost, inputs.shared.labels)) : null), [saved, inputs])
  useEffect(() => {
    if (year !== null && year >= years) setShown('years')
  }, [year, years])
  if (!live.cost)
    return (
      <div className="card">
        <div className="card-head">Cost</div>
        <div className="empty" role="status">
          {live.reason}
        </div>
      </div>
    )
  const totals = totalMonths(lines)
  const columns =
    year === null
      ? Array.from({ length: years }, (_unused, index) => index)
      : Array.from({ length: 12 }, (_unused, index) => year * 12 + index)
  const askedLine = asked && lines.find((line) => line.figure === asked.line)
  const monthTitle = (month: number): string =>
    `${periodName(startMonth, (month % 12) + 1)} of ${yearName(firstYear, Math.floor(month / 12))}`
  const cell = (line: CostLine, month: number) => (
    <button
      type="button"
      className="figure"
      aria-pressed={asked?.line === line.figure && asked.month === month}
      aria-label={`${line.label}, ${monthTitle(month)}: why`}
      onClick={() => setAsked({ line: line.figure, month })}
    >
      <Amount pennies={line.months[month]!} />
    </button>
  )
  return (
    <section className="card sticky" aria-label="Cost">
      <div className="card-head" style={{ flexWrap: 'wrap' }}>
        Cost {isLive && <span className="pill good">live</span>}
        <SegmentedControl
          size="xs"
          ml="auto"
          aria-label="What to show"
          value={shown}
          onChange={(value) => {
            setShown(value)
            setAsked(null)
          }}
          data={[
            { value: 'years', label: 'Years' },
            ...Array.from({ length: years }, (_unused, index) => ({ value: String(index), label: yearName(firstYear, index) })),
          ]}
        />
      </div>
      <div className="scroll">
        {year === null ? (
          <table className="figures tight" aria-label="Cost by year in pounds">
            <thead>
              <tr>
                <th scope="col" aria-label="Component" />
                {columns.map((index) => (
                  <th key={index} scope="col">
                    {yearName(firstYear, index)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={line.figure}>
                  <th scope="row">{line.label}</th>
                  {columns.map((index) => (
                    <td key={index}>
                      <button
                        type="button"
                        className="figure"
                        aria-label={`${line.label} ${yearName(firstYear, index)}: show its months`}
                        onClick={() => setShown(String(index))}
                      >
                        <Amount pennies={yearSum(line.months, index)} />
                      </button>
                    </td>
                  ))}
                </tr>
              ))}
              <tr className="total">
                <th scope="row">Total</th>
                {columns.map((index) => (
                  <td key={index} data-total={index}>
                    <Amount pennies={yearSum(totals, index)} />
                  </td>
                ))}
              </tr>
              {before && isLive && (
                <tr>
                  <th scope="row">Change</th>
                  {columns.map((index) => (
                    <td key={index}>
                      <Change now={yearSum(totals, index)} before={yearSum(before, index)} />
                    </td>
                  ))}
                </tr>
              )}
            </tbody>
          </table>
        ) : (
          <table className="figures tight" aria-label={`Cost of ${yearName(firstYear, year)} by month in pounds`}>
            <thead>
              <tr>
                <th scope="col">Month</th>
                {lines.map((line) => (
                  <th key={line.figure} scope="col">
                    {line.label}
                  </th>
                ))}
                <th scope="col">Total</th>
              </tr>
            </thead>
            <tbody>
              {columns.map((month) => (
                <tr key={month}>
                  <th scope="row">{periodName(startMonth, (month % 12) + 1).slice(0, 3)}</th>
                  {lines.map((line) => (
                    <td key={line.figure}>{cell(line, month)}</td>
                  ))}
                  <td>
                    <Amount pennies={totals[month]!} />
                  </td>
                </tr>
              ))}
              <tr className="total">
                <th scope="row">Year</th>
                {lines.map((line) => (
                  <td key={line.figure}>
                    <Amount pennies={yearSum(line.months, year)} />
                  </td>
                ))}
                <td>
                  <Amount pennies={yearSum(totals, year)} />
                </td>
              </tr>
            </tbody>
          </table>
        )}
      </div>
      {askedLine && asked && (
        <Why
          title={`Why ${askedLine.months[asked.month] === null ? 'no figure' : figure(askedLine.months[asked.month]!)} ${askedLine.label} in ${monthTitle(asked.month)}?`}
          steps={live.explain(asked.month)}
          figure={askedLine.figure}
          onClose={() => setAsked(null)}
        />
      )}
      {live.cost.problems.length > 0 && (
        <div className="why" role="status">
          <b className="up">Not calculated</b>
          {live.cost.problems.slice(0, problemsShown).map((problem) => (
            <div key={problem.code}>
              {problem.text} <span className="dim">From {displayDate(problem.from)}.</span>
            </div>
          ))}
        </div>
      )}
      {live.cost.warnings.includes('NO_DATE_OF_BIRTH') && (
        <p className="dim" style={{ margin: 10, fontSize: 13 }}>
          No date of birth is known, so national insurance uses the rows without an upper age.
        </p>
      )}
    </section>
  )
}
