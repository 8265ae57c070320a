import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import type { api } from '../../shell/api.ts'
import textStyles from '../../ui/labels/text.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
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
      <DataTable
        isTight
        columns={[
          {
            id: 'weeks',
            label: 'Weeks',
            cell: (period) => (period.weeks === 1 ? period.firstWeek : `${period.firstWeek} to ${period.firstWeek + period.weeks - 1}`),
          },
          {
            id: 'rule',
            label: 'Rule',
            cell: (period) => (
              <>
                {period.name ?? <span className={textStyles.missing}>no rule: unpaid</span>}
                {period.isBelowFloor && <div className={textStyles.dim}>below the earnings limit: no statutory pay</div>}
              </>
            ),
          },
          { id: 'dates', label: 'Dates', cell: (period) => `${displayDate(period.from)} to ${displayDate(period.to)}` },
          { id: 'paid', label: 'Paid a week', isFigure: true, cell: (period) => formatAmount(period, period.paid) },
          { id: 'recovered', label: 'Recovered a week', isFigure: true, cell: (period) => formatAmount(period, period.recovered) },
        ]}
        rows={periods}
        keyOf={({ from }) => from}
      />
    </div>
  )
}

function formatAmount({ problem }: Period, pounds: number | null) {
  if (pounds !== null) return displayFigure(toPennies(pounds))
  return problem ? <span className={textStyles.missing}>{problem.text}</span> : <span className={textStyles.dim}>outside the budget</span>
}
