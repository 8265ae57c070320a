import { money, penniesOf, wholePounds } from '../../domain/format.ts'
import type { api } from '../api/api.ts'

export type Ground = Awaited<ReturnType<typeof api.scenarios.list.query>>
export type Scenario = Ground['scenarios'][number]

const lines = [
  ['income', 'Income', 1],
  ['staffing', 'Staffing', -1],
  ['nonStaffing', 'Non-staffing', -1],
  ['inYear', 'In-year balance', 1],
  ['closing', 'Closing balance', 1],
] as const

/** The chosen scenarios beside the budget, line by line, with the difference each makes. */
export function SideBySide({ ground, chosen, year }: { ground: Ground; chosen: Scenario[]; year: number }) {
  const base = ground.base.years[year]!
  return (
    <section className="card scroll" aria-label="Side by side">
      <table className="figures">
        <thead>
          <tr>
            <th scope="col" className="text">
              {ground.yearNames[year]}
            </th>
            <th scope="col">The budget</th>
            {chosen.map((scenario) => (
              <th scope="col" key={scenario.id}>
                {scenario.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([key, name, good]) => (
            <tr key={key} className={key === 'inYear' || key === 'closing' ? 'total' : undefined}>
              <th scope="row">{name}</th>
              <td title={money(penniesOf(base[key]))}>{wholePounds(penniesOf(base[key]))}</td>
              {chosen.map((scenario) => {
                const pennies = penniesOf(scenario.years[year]![key])
                const difference = pennies - penniesOf(base[key])
                return (
                  <td key={scenario.id} title={money(pennies)}>
                    {wholePounds(pennies)}
                    <div className={difference === 0 ? 'dim' : difference * good > 0 ? 'down' : 'up'} title={money(difference)}>
                      {difference === 0 ? 'the same' : difference > 0 ? `+${wholePounds(difference)}` : wholePounds(difference)}
                    </div>
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
