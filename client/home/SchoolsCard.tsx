import { Skeleton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconEye } from '@tabler/icons-react'
import { Link } from 'react-router'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { explainSchoolState, type SchoolState, schoolStateNames } from '../../domain/reports/standing.ts'
import { displayCount, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { BudgetLink } from '../shell/BudgetLink.tsx'
import { useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { displayKnownPounds } from './displayKnownPounds.ts'
import homeStyles from './home.module.css'
import { describeVariance, getExpectedBalance, type SchoolFigures, useSchoolFigures } from './homeFigures.ts'
import classes from './SchoolsCard.module.css'

/** Each state has its own word and icon, so that it can be recognised without its colour. */
const looks = {
  act: { tone: 'bad', icon: IconAlertTriangle },
  watch: { tone: 'warn', icon: IconEye },
  steady: { tone: 'good', icon: IconCircleCheck },
} as const satisfies Record<SchoolState, unknown>

function StatePill({ state }: { state: SchoolState }) {
  const { tone, icon: Icon } = looks[state]
  return (
    <Pill tone={tone}>
      <Icon size={14} stroke={1.8} aria-hidden />
      {schoolStateNames[state]}
    </Pill>
  )
}

/** Shows a balance. Both its sign and its colour show a deficit. */
function Balance({ pounds, missing = 0 }: { pounds: number | null; missing?: number }) {
  return (
    <>
      <span className={pounds === null ? textStyles.dim : pounds < 0 ? textStyles.up : undefined}>{displayKnownPounds(pounds)}</span>
      <IncompleteSumNote count={missing} />
    </>
  )
}

/**
 * The schools of a trust, those with the most urgent state first. Each has its state with the reason, its outturn, its lowest cash and its
 * month end.
 */
export function SchoolsCard() {
  const { glance, cash, schools } = useSchoolFigures()
  const term = useTerm()
  if (glance.isError) return <LoadFailed query={glance} />
  if (!schools || !glance.data) return <Skeleton height={260} mb="md" />
  if (!schools.length) return null
  const places = (count: number): string =>
    displayCount(count, toMidSentence(term('Location').singular), toMidSentence(term('Location').plural))
  const due = schools.filter(({ state }) => state === 'act').length
  const ends = schools.flatMap(({ status }) => status.monthEnd ?? [])
  const closed = ends.filter((one) => one.isClosed).length
  const { month, leftOut } = glance.data
  const columns: TableColumn<SchoolFigures>[] = [
    {
      id: 'location',
      label: term('Location').singular,
      cell: (row) => (
        <>
          <BudgetLink budget={row} to="/overview/summary">
            {row.location}
          </BudgetLink>
          <span className={classes.under}>{row.budget}</span>
        </>
      ),
    },
    {
      id: 'standing',
      label: 'Status',
      cell: (row) => (
        <>
          <StatePill state={row.state} />
          <span className={classes.under}>{explainSchoolState(row)}</span>
        </>
      ),
    },
    {
      id: 'outturn',
      label: 'In-year outturn',
      isFigure: true,
      cell: (row) => (
        <>
          <Balance pounds={getExpectedBalance(row)} missing={row.missing} />
          <span className={classes.under}>
            {row.variance === null ? (
              'budget, no actuals yet'
            ) : (
              <>
                {row.variance !== 0 && <span className={classes.amount}>{displayWholePounds(Math.abs(toPennies(row.variance)))} </span>}
                {describeVariance(row.variance)}
              </>
            )}
          </span>
        </>
      ),
    },
    {
      id: 'reserve',
      label: 'Reserve at year end',
      isFigure: true,
      cell: ({ year }) => <Balance pounds={year?.reserve ?? null} missing={year?.missing} />,
    },
    ...(cash.data
      ? [
          {
            id: 'cash',
            label: 'Lowest cash',
            isFigure: true,
            cell: ({ lowest }: SchoolFigures) => (
              <>
                <Balance pounds={lowest?.closing ?? null} />
                {lowest && <span className={classes.under}>{formatMonth(lowest)}</span>}
              </>
            ),
          },
        ]
      : []),
    { id: 'month', label: 'Month end', cell: ({ status }) => <MonthEndState monthEnd={status.monthEnd} /> },
  ]
  return (
    <Card aria-label={term('Location').plural} className={homeStyles.above}>
      <CardHead>
        <Link to="/console/at-a-glance">{term('Location').plural}</Link>
        <CardNote>{due ? `${places(due)} to act on` : 'worst first'}</CardNote>
        {ends.length > 0 && (
          <CardNote className={classes.monthEnd}>
            {formatMonth(month)}: {closed} of {ends.length} closed
            <progress aria-label="Month ends closed" value={closed} max={ends.length} />
          </CardNote>
        )}
      </CardHead>
      <div className={scrollStyles.scroll}>
        <DataTable
          isTight
          className={classes.schools}
          // On a phone, each school is a card in which each figure has the heading of its column.
          columns={columns.map((column) => ({ ...column, cellProps: () => ({ 'data-label': column.label }) }))}
          rows={schools}
          keyOf={({ locationId }) => locationId}
        />
      </div>
      {cash.isError && <LoadFailed query={cash} />}
      {leftOut.length > 0 && <p className={classes.leftOut}>No budget for these years: {leftOut.map((one) => one.location).join(', ')}</p>}
    </Card>
  )
}

function MonthEndState({ monthEnd }: { monthEnd: SchoolFigures['status']['monthEnd'] }) {
  if (!monthEnd) return <span className={textStyles.dim}>–</span>
  const left = monthEnd.inTheWay.length
  if (monthEnd.isClosed) return <>Closed</>
  return <span title={monthEnd.inTheWay.join(', ') || undefined}>{left ? `${displayCount(left, 'step')} to do` : 'Ready to close'}</span>
}
