import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import type { api } from '../../shell/api.ts'
import figuresStyles from '../../ui/figures/Figures.module.css'
import { Figures } from '../../ui/figures/Figures.tsx'
import textStyles from '../../ui/labels/text.module.css'
import classes from './LeaveTimeline.module.css'

type Period = Awaited<ReturnType<typeof api.leave.periods.query>>[number]['periods'][number]

/** The bands of a leave week by week, with the weekly pay of each in the selected budget. */
export function LeaveTimeline({ periods }: { periods: readonly Period[] }) {
  const all = periods.reduce((sum, period) => sum + period.weeks, 0)
  return (
    <div className={classes.leave}>
      <div className={classes.track} aria-hidden="true">
        {periods.map((period) => (
          <span key={period.from} style={{ width: `${(100 * period.weeks) / all}%` }} className={period.name ? undefined : classes.gap}>
            {period.weeks} w
          </span>
        ))}
      </div>
      <Figures isTight>
        <thead>
          <tr>
            <th scope="col" className={figuresStyles.text}>
              Weeks
            </th>
            <th scope="col" className={figuresStyles.text}>
              Rule
            </th>
            <th scope="col" className={figuresStyles.text}>
              From and to
            </th>
            <th scope="col">Paid a week</th>
            <th scope="col">Recovered a week</th>
          </tr>
        </thead>
        <tbody>
          {periods.map((period) => (
            <tr key={period.from}>
              <td className={figuresStyles.text}>
                {period.weeks === 1 ? period.firstWeek : `${period.firstWeek} to ${period.firstWeek + period.weeks - 1}`}
              </td>
              <td className={figuresStyles.text}>
                {period.name ?? <span className={textStyles.missing}>no rule: unpaid</span>}
                {period.isBelowFloor && <div className={textStyles.dim}>below the earnings limit: no statutory pay</div>}
              </td>
              <td className={figuresStyles.text}>
                {displayDate(period.from)} to {displayDate(period.to)}
              </td>
              <td>{amount(period, period.paid)}</td>
              <td>{amount(period, period.recovered)}</td>
            </tr>
          ))}
        </tbody>
      </Figures>
    </div>
  )
}

function amount({ problem }: Period, pounds: number | null) {
  if (pounds !== null) return displayFigure(toPennies(pounds))
  return problem ? <span className={textStyles.missing}>{problem.text}</span> : <span className={textStyles.dim}>outside the budget</span>
}
