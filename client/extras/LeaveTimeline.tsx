import { displayDate, figure, penniesOf } from '../../domain/format.ts'
import type { api } from '../api/api.ts'

type Period = Awaited<ReturnType<typeof api.leave.periods.query>>[number]['periods'][number]

/** The rules of a leave week by week, and what a week of each pays in the selected budget. */
export function LeaveTimeline({ periods }: { periods: readonly Period[] }) {
  const all = periods.reduce((sum, period) => sum + period.weeks, 0)
  return (
    <div className="leave">
      <div className="track" aria-hidden="true">
        {periods.map((period) => (
          <span key={period.from} style={{ width: `${(100 * period.weeks) / all}%` }} className={period.name ? undefined : 'gap'}>
            {period.weeks} w
          </span>
        ))}
      </div>
      <table className="figures tight">
        <thead>
          <tr>
            <th scope="col" className="text">
              Weeks
            </th>
            <th scope="col" className="text">
              Rule
            </th>
            <th scope="col" className="text">
              From and to
            </th>
            <th scope="col">Paid a week</th>
            <th scope="col">Recovered a week</th>
          </tr>
        </thead>
        <tbody>
          {periods.map((period) => (
            <tr key={period.from}>
              <td className="text">
                {period.weeks === 1 ? period.firstWeek : `${period.firstWeek} to ${period.firstWeek + period.weeks - 1}`}
              </td>
              <td className="text">{period.name ?? <span className="missing">no rule: unpaid</span>}</td>
              <td className="text">
                {displayDate(period.from)} to {displayDate(period.to)}
              </td>
              <td>{amount(period, period.paid)}</td>
              <td>{amount(period, period.recovered)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function amount({ problem }: Period, pounds: number | null) {
  if (pounds !== null) return figure(penniesOf(pounds))
  return problem ? <span className="missing">{problem.text}</span> : <span className="dim">outside the budget</span>
}
