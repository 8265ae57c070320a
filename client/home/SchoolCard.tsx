import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displaySignedPounds, toPennies } from '../../domain/values/format.ts'
import { BudgetLink } from '../shell/BudgetLink.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../shell/selection.ts'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import { Sparkline } from '../ui/figures/Sparkline.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { displayKnownPounds } from './displayKnownPounds.ts'
import classes from './home.module.css'
import { describeVariance, getExpectedBalance, useSchoolFigures } from './homeFigures.ts'

const approvals: Record<string, string> = { submitted: 'Submitted', approved: 'Approved', returned: 'Returned' }

/** The budget of record of the selected school: its outturn, variance, reserve and lowest cash, each with a link to the details. */
export function SchoolCard() {
  const { locationId } = useSelection()
  const { glance, cash, schools } = useSchoolFigures()
  if (glance.isError) return <LoadFailed query={glance} />
  if (!schools) return <Skeleton height={132} mb="md" />
  const school = schools.find((one) => one.locationId === locationId)
  if (!school) return null
  const { budget, year, variance, lowest, missing, outlook, status, years } = school
  const link = (to: string, text: ReactNode): ReactNode => (
    <BudgetLink budget={school} to={to}>
      {text}
    </BudgetLink>
  )
  const known = years.flatMap((one) => (one.reserve === null ? [] : [{ name: one.name, reserve: one.reserve }]))
  return (
    <Card aria-label="The budget at a glance" className={classes.above}>
      <CardHead>
        {link('/overview/summary', budget)}
        {status.approval && <Pill tone={status.approval === 'approved' ? 'good' : 'warn'}>{approvals[status.approval]}</Pill>}
        <CardNote>{year?.name}, the budget of record</CardNote>
      </CardHead>
      <dl className={classes.figures}>
        <div>
          <dt>In-year outturn</dt>
          <dd className={(getExpectedBalance(school) ?? 0) < 0 ? textStyles.up : undefined}>
            {link(variance === null ? '/overview/summary' : '/monitoring/budget-forecast', displayKnownPounds(getExpectedBalance(school)))}
            <IncompleteSumNote count={missing} />
          </dd>
          <dd className={classes.beside}>{outlook ? `budget ${displayKnownPounds(outlook.budget)}` : 'as budgeted, no actuals yet'}</dd>
        </div>
        <div>
          <dt>Variance</dt>
          <dd className={variance !== null && variance < 0 ? textStyles.up : undefined}>
            {variance === null ? '–' : link('/monitoring/budget-forecast', displaySignedPounds(toPennies(variance)))}
          </dd>
          {variance !== null && <dd className={classes.beside}>{describeVariance(variance)}</dd>}
        </div>
        <div>
          <dt>Reserve at year end, as budgeted</dt>
          <dd className={(year?.reserve ?? 0) < 0 ? textStyles.up : undefined}>
            {link('/overview/summary', displayKnownPounds(year?.reserve ?? null))}
            <IncompleteSumNote count={year?.missing ?? 0} />
          </dd>
          {known.length > 1 && (
            <dd className={classes.beside}>
              <Sparkline
                values={known.map((one) => one.reserve)}
                label={`Reserve by year: ${known.map((one) => `${one.name} ${displayKnownPounds(one.reserve)}`).join(', ')}`}
              />
            </dd>
          )}
        </div>
        {cash.data && (
          <div>
            <dt>Lowest cash</dt>
            <dd className={lowest?.isBelowFloor ? textStyles.up : undefined}>
              {link('/monitoring/cash', displayKnownPounds(lowest?.closing ?? null))}
            </dd>
            <dd className={classes.beside}>
              {lowest ? `${formatMonth(lowest)}${lowest.isBelowFloor ? ', below the floor' : ''}` : 'enter the opening cash'}
            </dd>
          </div>
        )}
      </dl>
      {cash.isError && <LoadFailed query={cash} />}
    </Card>
  )
}
