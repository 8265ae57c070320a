import { Button, Chip, Skeleton, TextInput } from '@mantine/core'
import { IconArrowsMaximize, IconSearch } from '@tabler/icons-react'
import clsx from 'clsx'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import { compareValues } from '../../domain/lists/lists.ts'
import { recalculationState } from '../../domain/lookups/lookupIds.ts'
import { formatMonth } from '../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayPercent, displaySignedPounds, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { isKeyOf, keysOf } from '../../domain/values/keysOf.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { answerCache, type RouterOutputs, trpc } from '../shell/api.ts'
import { BudgetLink } from '../shell/BudgetLink.tsx'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { RequestFileButton } from '../shell/files/RequestFileButton.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure } from '../shell/notify.tsx'
import { useUrlParameters } from '../shell/useAddressParameters.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import { Sparkline } from '../ui/figures/Sparkline.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './GlancePage.module.css'

type Glance = RouterOutputs['reports']['glance']
type Row = Glance['rows'][number]
type Year = Row['years'][number]

/** The value by which each column is sorted. */
const sortValues = {
  location: (row: Row) => row.location,
  income: (row: Row, at: number) => row.years[at]?.income,
  share: (row: Row, at: number) => row.years[at]?.staffShare,
  inYear: (row: Row, at: number) => row.years[at]?.inYear,
  reserve: (row: Row, at: number) => row.years[at]?.reserve,
  outlook: (row: Row) => row.outlook && row.outlook.forecast - row.outlook.budget,
  warnings: (row: Row) => row.warnings.length,
} satisfies Record<string, (row: Row, at: number) => string | number | null | undefined>
type Order = keyof typeof sortValues

/** The default order: the schools with the most warnings first. */
const exceptionsFirst = 'warnings down'

const isOpen = ({ status }: Row): boolean => status.monthEnd !== null && !status.monthEnd.isClosed
const needsRecalculation = ({ status }: Row): boolean => status.costs !== null && status.costs !== recalculationState.upToDate

const filters = {
  warned: { label: 'With warnings', isOwn: (row: Row) => row.warnings.length > 0 },
  open: { label: 'Month not closed', isOwn: isOpen },
  due: { label: 'To be recalculated', isOwn: needsRecalculation },
  unapproved: { label: 'Not approved', isOwn: (row: Row) => row.status.approval !== 'approved' },
}

function prepare(): void {
  void answerCache.reports.glance.prefetch()
}

/** A row for each school and one for the trust. It is the home page of the console, and can be shown on a wall display. */
export function AtAGlancePage() {
  const glance = trpc.reports.glance.useQuery()
  const term = useTerm()
  const mayMake = usePermissionCheck()(['ConsoleBudgetManagementReadUpdate'])
  const { mutateAsync: makeSheet } = trpc.reports.boardSheet.useMutation()
  const [search, setParameters] = useUrlParameters()
  const pageFrame = useRef<HTMLDivElement>(null)
  if (glance.isError) return <LoadFailed query={glance} />
  const { data } = glance
  const locationsTerm = term('Location').plural
  if (!data)
    return (
      <>
        <PageHead title="At a glance" documentTitle="At a glance - Console" />
        <Skeleton height={420} />
      </>
    )
  const at = Math.max(0, data.years.indexOf(search.get('year') ?? ''))
  const isByYear = search.get('each') !== '0'
  const searchText = (search.get('find') ?? '').toLowerCase()
  const chosen = keysOf(filters).filter((name) => search.get(name) === '1')
  const [order = '', direction] = (search.get('sort') ?? exceptionsFirst).split(' ')
  const by: Order = isKeyOf(sortValues, order) ? order : 'location'
  const isDown = direction === 'down'
  const rows = data.rows
    .filter((row) => row.location.toLowerCase().includes(searchText) && chosen.every((name) => filters[name].isOwn(row)))
    .sort((a, b) => {
      const [one, other] = [sortValues[by](a, at), sortValues[by](b, at)]
      // Unknown values come last in both directions.
      if ((one ?? null) === null || (other ?? null) === null) return Number((one ?? null) === null) - Number((other ?? null) === null)
      return (isDown ? -1 : 1) * compareValues(one, other) || compareValues(a.location, b.location)
    })
  const sortBy = (name: Order): void => {
    const next = by === name && !isDown ? `${name} down` : name
    setParameters({ sort: next === exceptionsFirst ? null : next })
  }
  const hasOutlook = data.rows.some((row) => row.outlook)
  /** A column heading that sorts the rows. */
  const sortedBy = (name: Order, label: string): Pick<TableColumn<Row | null>, 'label' | 'head' | 'headProps'> => ({
    label,
    head: (
      <button type="button" className={classes.sort} onClick={() => sortBy(name)}>
        {label}
        {by === name && (isDown ? ' ↓' : ' ↑')}
      </button>
    ),
    headProps: { 'aria-sort': by === name ? (isDown ? 'descending' : 'ascending') : undefined },
  })
  const yearsOf = (row: Row | null): readonly Year[] => (row ?? data.total).years
  /** An amount that links to its report. */
  const amount = (row: Row | null, of: (year: Year) => number | null, index = at): ReactNode => {
    const year = yearsOf(row)[index]
    return (
      <Amount
        pounds={year && of(year)}
        to={`/console/reports?report=budgetAnalysis&of=${row?.budgetId ? `budget:${row.budgetId}` : 'all'}`}
      />
    )
  }
  /** A column with the reserve at the end of a year and, below it, the in-year balance. */
  const yearColumn = (year: string, index: number): TableColumn<Row | null> => ({
    id: `year ${index}`,
    label: year,
    isFigure: true,
    cell: (row) => (
      <>
        {amount(row, ({ reserve }) => reserve, index)}
        <InYear pounds={yearsOf(row)[index]?.inYear} />
      </>
    ),
  })
  const ofOneYear: TableColumn<Row | null>[] = [
    { id: 'income', ...sortedBy('income', `Income ${data.years[at]}`), isFigure: true, cell: (row) => amount(row, ({ income }) => income) },
    {
      id: 'share',
      ...sortedBy('share', 'Staff, % of income'),
      isFigure: true,
      cell: (row) => <StaffShare year={yearsOf(row)[at]} />,
    },
    { id: 'inYear', ...sortedBy('inYear', 'In-year balance'), isFigure: true, cell: (row) => amount(row, ({ inYear }) => inYear) },
    { id: 'reserve', ...sortedBy('reserve', 'Reserve'), isFigure: true, cell: (row) => amount(row, ({ reserve }) => reserve) },
    {
      id: 'trend',
      label: 'Reserve by year',
      isFigure: true,
      cell: (row) => <Trend years={yearsOf(row)} of={row?.location ?? 'All'} />,
    },
  ]
  const columns: TableColumn<Row | null>[] = [
    {
      id: 'location',
      ...sortedBy('location', term('Location').singular),
      cell: (row) => (
        <>
          {row ? (
            <BudgetLink budget={row} to="/overview/summary" className={classes.open}>
              {row.location}
            </BudgetLink>
          ) : (
            `All ${toMidSentence(locationsTerm)}`
          )}
          <IncompleteSumNote count={yearsOf(row)[at]?.missing ?? 0} />
          {row && <span className={classes.budget}>{row.budget}</span>}
        </>
      ),
    },
    ...(isByYear ? data.years.map(yearColumn) : ofOneYear),
    ...(hasOutlook
      ? [
          {
            id: 'outlook',
            ...sortedBy('outlook', 'Forecast less budget, + favourable'),
            isFigure: true,
            cell: (row: Row | null) => <Variance outlook={(row ?? data.total).outlook} />,
          },
        ]
      : []),
    { id: 'status', label: 'Status', cell: (row) => row && <States row={row} /> },
    { id: 'warnings', ...sortedBy('warnings', 'Warnings'), cell: (row) => row && <Warnings row={row} /> },
  ]
  return (
    <>
      <PageHead
        title="At a glance"
        documentTitle="At a glance - Console"
        facts={
          <>
            {displayCount(data.rows.length, toMidSentence(term('Location').singular), toMidSentence(locationsTerm))} · figures from budgets
            of record · reserves exclude capital{isByYear && ', with the in-year balance below them'} · month to close:{' '}
            {formatMonth(data.month)}
            {data.leftOut.length > 0 &&
              ` · left out, because they have no budget for these years: ${data.leftOut.map((one) => one.location).join(', ')}`}
          </>
        }
      >
        {data.rows.length > 0 && <RequestFileButton title="Schools at a glance" label="PDF for the board" ask={() => makeSheet()} />}
        <Button
          variant="default"
          leftSection={<IconArrowsMaximize size={16} stroke={1.6} />}
          onClick={() => void pageFrame.current?.requestFullscreen().catch(notifyFailure)}
        >
          Full screen
        </Button>
      </PageHead>
      {data.rows.length === 0 ? (
        <Card>
          <EmptyState>
            <h2>No budgets yet</h2>
            <p>Each {toMidSentence(term('Location').singular)} has a line here once it has a budget.</p>
            {mayMake ? (
              <Button component={Link} to="/console/budget-management/create">
                Add {toMidSentence(term('Budget').singular)}
              </Button>
            ) : (
              <p>Ask the person who manages budgets to add one.</p>
            )}
          </EmptyState>
        </Card>
      ) : (
        <>
          <Toolbar role="group" aria-label="Show">
            <TextInput
              aria-label={`Search ${toMidSentence(locationsTerm)}`}
              placeholder="Search"
              leftSection={<IconSearch size={15} stroke={1.6} />}
              w={180}
              value={search.get('find') ?? ''}
              onChange={(event) => setParameters({ find: event.currentTarget.value })}
            />
            <Chip checked={isByYear} onChange={(on) => setParameters({ each: on ? null : '0' })}>
              Every year
            </Chip>
            {!isByYear && (
              <Choice
                aria-label="Year"
                w={120}
                data={data.years}
                value={assertDefined(data.years[at])}
                onChange={(year) => setParameters({ year })}
              />
            )}
            {keysOf(filters).map((name) => (
              <Chip key={name} checked={chosen.includes(name)} onChange={(on) => setParameters({ [name]: on ? '1' : null })}>
                {`${filters[name].label} (${data.rows.filter(filters[name].isOwn).length})`}
              </Chip>
            ))}
          </Toolbar>
          <div ref={pageFrame} className={classes.board}>
            <Card className={scrollStyles.scroll} aria-label="At a glance" tabIndex={0}>
              <DataTable
                isTight
                isFirstPinned
                className={classes.table}
                columns={columns}
                rows={[...rows, null]}
                look={(row) => (row ? undefined : 'total')}
              />
            </Card>
          </div>
          {rows.length < data.rows.length && (
            <p className={textStyles.since}>
              {rows.length} of {data.rows.length} shown. The total covers all of them.
            </p>
          )}
        </>
      )}
    </>
  )
}
AtAGlancePage.prepare = prepare

function Amount({ pounds, to }: { pounds: number | null | undefined; to: string }) {
  if (pounds == null) return <span className={textStyles.missing}>not calculated</span>
  return (
    <Link to={to} className={clsx(classes.figure, pounds < 0 && classes.negative)}>
      {pounds ? displayWholePounds(toPennies(pounds)) : '–'}
    </Link>
  )
}

/** The in-year balance below a reserve. The reserve is the link to the report of both. */
function InYear({ pounds }: { pounds: number | null | undefined }) {
  if (pounds == null) return null
  return <span className={clsx(classes.inYear, pounds < 0 && textStyles.up)}>{pounds ? displayWholePounds(toPennies(pounds)) : '–'}</span>
}

function StaffShare({ year }: { year: Year | undefined }) {
  if (year?.staffShare != null) return displayPercent(year.staffShare)
  if (year?.income === 0) return <span className={classes.none}>no income</span>
  return <span className={textStyles.missing}>not known</span>
}

function Warnings({ row }: { row: Row }) {
  if (!row.warnings.length)
    return <span className={classes.none}>{row.years.some((year) => year.missing > 0) ? 'partly not calculated' : 'none'}</span>
  return (
    <ul className={classes.warnings}>
      {row.warnings.map((one) => (
        <li key={one.text}>{one.text}</li>
      ))}
    </ul>
  )
}

function Trend({ years, of }: { years: readonly Year[]; of: string }) {
  const known = years.flatMap((year) => (year.reserve === null ? [] : [{ name: year.name, reserve: year.reserve }]))
  if (known.length < 2) return null
  return (
    <Sparkline
      values={known.map((year) => year.reserve)}
      label={`${of}: reserve ${known.map((year) => `${year.name} ${displayWholePounds(toPennies(year.reserve))}`).join(', ')}`}
    />
  )
}

/** A variance. If it is favourable, it is positive and has a plus sign, because not every user can rely on the colour. */
function Variance({ outlook }: { outlook: Row['outlook'] }) {
  if (!outlook) return <span className={classes.none}>no actuals yet</span>
  const variance = toPennies(outlook.forecast) - toPennies(outlook.budget)
  return (
    <span
      className={clsx(variance > 0 && textStyles.down, variance < 0 && textStyles.up)}
      title={`In-year balance: budget ${displayWholePounds(toPennies(outlook.budget))}, forecast ${displayWholePounds(toPennies(outlook.forecast))}, actuals for ${displayCount(outlook.closed, 'month')}`}
    >
      {displaySignedPounds(variance)}
      <IncompleteSumNote count={outlook.missing} />
    </span>
  )
}

function States({ row: { status } }: { row: Row }) {
  const { approval, isLocked, costs, monthEnd, payroll } = status
  const approvals: Record<string, string> = { submitted: 'Submitted', approved: 'Approved', returned: 'Returned' }
  return (
    <span className={classes.states}>
      <Pill tone={approval === 'approved' ? 'good' : approval === 'returned' ? 'warn' : undefined}>
        {approval ? (approvals[approval] ?? approval) : 'Not submitted'}
      </Pill>
      {isLocked && <Pill>Locked</Pill>}
      {costs === recalculationState.required && <Pill tone="warn">To be recalculated</Pill>}
      {costs === recalculationState.running && <Pill>Recalculating</Pill>}
      {costs === recalculationState.failed && <Pill tone="bad">Recalculation failed</Pill>}
      {monthEnd && (
        <Pill tone={monthEnd.isClosed ? 'good' : undefined} title={monthEnd.inTheWay.join(', ') || undefined}>
          {monthEnd.isClosed
            ? 'Month closed'
            : monthEnd.inTheWay.length
              ? `Month: ${displayCount(monthEnd.inTheWay.length, 'step')} to do`
              : 'Month can be closed'}
        </Pill>
      )}
      {payroll !== null && <Pill tone={payroll ? 'good' : undefined}>{payroll ? 'Payroll reconciled' : 'Payroll open'}</Pill>}
    </span>
  )
}
