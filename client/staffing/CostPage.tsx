import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import { type CostLine, costLines, totalMonths, yearSum } from '../../domain/calculation/lines.ts'
import { periodName, yearName } from '../../domain/calendar.ts'
import { displayDate, figure } from '../../domain/format.ts'
import { api, problemOf } from '../api/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { PageHead } from '../shell/PageHead.tsx'
import { Spinner } from '../shell/Shell.tsx'
import { useCore, useMay } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { Amount } from './Amount.tsx'
import { ContractNotFound } from './ContractEditor.tsx'
import { isMongoId } from './ContractPage.tsx'
import { Why } from './Why.tsx'

/** What a contract costs by year and month, from the figures on record; each opens the derivation it was made with (behaviour B-183). */
export function CostPage() {
  const { id } = useParams()
  const { budgetId } = useSelection()
  const { budgets } = useCore()
  const mayEdit = useMay()(['BudgetingStaffingReadUpdate'])
  const [asked, setAsked] = useState<{ line: CostLine; month: number } | null>(null)
  const enabled = isMongoId(id)
  const contract = useQuery({ queryKey: ['contracts', 'one', budgetId, id], queryFn: () => api.contracts.get.query({ id: id! }), enabled })
  const forecast = useQuery({ queryKey: ['forecast', budgetId, id], queryFn: () => api.contracts.forecast.query({ id: id! }), enabled })
  const failed = [contract, forecast].find((query) => query.isError)
  if (!enabled || (failed && problemOf(failed.error).kind === 'notFound')) return <ContractNotFound />
  if (failed) return <LoadFailed query={failed} />
  if (!contract.data || !forecast.data) return <Spinner />
  const { name, contractName, employeeNumber, position } = contract.data
  const { costing, labels, problems, explanation } = forecast.data
  const startMonth = budgets.find((one) => one.mongoId === budgetId)?.startMonth ?? 9
  const firstYear = budgets.find((one) => one.mongoId === budgetId)?.firstYear ?? 0
  const lines = costing ? costLines(costing, labels) : []
  const totals = totalMonths(lines)
  const why = (line: CostLine, month: number) => (
    <button
      type="button"
      className="figure"
      aria-pressed={asked?.line.figure === line.figure && asked.month === month}
      aria-label={`${line.label}, ${periodName(startMonth, (month % 12) + 1)} of ${yearName(firstYear, Math.floor(month / 12))}: why`}
      onClick={() => setAsked({ line, month })}
    >
      <Amount pennies={line.months[month]!} />
    </button>
  )
  const derivation = (year: number) =>
    asked && Math.floor(asked.month / 12) === year ? (
      <Why
        title={`Why ${asked.line.months[asked.month] === null ? 'no figure' : figure(asked.line.months[asked.month]!)} ${asked.line.label} in ${periodName(startMonth, (asked.month % 12) + 1)} of ${yearName(firstYear, year)}?`}
        steps={explanation.find((one) => one.year === year + 1 && one.period === (asked.month % 12) + 1)?.steps ?? []}
        figure={asked.line.figure}
        onClose={() => setAsked(null)}
      />
    ) : null
  return (
    <>
      <PageHead
        title={name ?? `Vacancy: ${contractName}`}
        documentTitle="Cost - Staff contract - Staffing"
        pills={<span className="pill">{position ?? contractName}</span>}
        facts={`${employeeNumber ? `Employee ${employeeNumber} · ` : ''}${contractName} · press a figure to see why it is what it is`}
      >
        {mayEdit && (
          <Button variant="default" component={Link} to={`/staffing/staff-contracts/${id}`}>
            Edit contract
          </Button>
        )}
      </PageHead>
      {problems.length > 0 && (
        <div className="why" role="status" style={{ margin: '0 0 14px' }}>
          <b className="up">Not calculated</b>
          {problems.map((problem) => (
            <div key={problem.code}>
              {problem.text} <span className="dim">From {displayDate(problem.from)}.</span>
            </div>
          ))}
        </div>
      )}
      {!costing && <div className="card empty">This contract has not been calculated yet. Recalculate its budget group.</div>}
      <div className="stack">
        {costing?.years.map((year, index) => (
          <section key={year.year} className="card" aria-label={year.year}>
            <div className="card-head">
              {year.year} <span className="note">in pounds</span>
            </div>
            <div className="scroll">
              <table className="figures tight">
                <thead>
                  <tr>
                    <th scope="col" aria-label="Component" />
                    {year.basic.map((_figure, month) => (
                      <th key={month} scope="col">
                        {periodName(startMonth, month + 1).slice(0, 3)}
                      </th>
                    ))}
                    <th scope="col">Year</th>
                  </tr>
                </thead>
                <tbody>
                  {lines.map((line) => (
                    <tr key={line.figure}>
                      <th scope="row">{line.label}</th>
                      {year.basic.map((_figure, month) => (
                        <td key={month}>{why(line, index * 12 + month)}</td>
                      ))}
                      <td>
                        <b>
                          <Amount pennies={yearSum(line.months, index)} />
                        </b>
                      </td>
                    </tr>
                  ))}
                  <tr className="total">
                    <th scope="row">Total</th>
                    {year.basic.map((_figure, month) => (
                      <td key={month}>
                        <Amount pennies={totals[index * 12 + month]!} />
                      </td>
                    ))}
                    <td>
                      <Amount pennies={yearSum(totals, index)} />
                    </td>
                  </tr>
                </tbody>
              </table>
            </div>
            {derivation(index)}
          </section>
        ))}
      </div>
    </>
  )
}
