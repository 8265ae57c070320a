import { Button, Checkbox, SegmentedControl, Skeleton } from '@mantine/core'
import { IconCircleCheck, IconLock } from '@tabler/icons-react'
import clsx from 'clsx'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { type CalendarMonth, formatIsoMonth, formatMonth, type MonthEndStep } from '../../domain/monitoring/monitoring.ts'
import { canMakePacks } from '../../domain/packs/rights.ts'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { MonthSelect } from '../budget/MonthSelect.tsx'
import { findLatestMonth, getCurrentMonth, getImportSearchRange, listMonthsAround, parseMonth } from '../budget/months.ts'
import { NoBudgetMessage } from '../budget/NoBudgetMessage.tsx'
import { ReopenMonthDialog } from '../budget/ReopenMonthDialog.tsx'
import { answerCache, type RouterOutputs, trpc } from '../shell/api.ts'
import { useOpenBudgetScreen } from '../shell/BudgetLink.tsx'
import { updateOptimistically } from '../shell/calls/updateOptimistically.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { useUrlParameters } from '../shell/useAddressParameters.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { MonthCalendar } from './MonthCalendar.tsx'
import classes from './MonthEndPage.module.css'

type Row = RouterOutputs['monitoring']['monthEnd']['list'][number]

const stepNames: Record<MonthEndStep, string> = {
  payroll: 'Payroll reconciled',
  adjustments: 'Adjustments made',
  pack: 'Pack made',
}

/**
 * The month-end checklist of every school that the user can see: which steps are done, by whom and when, and the action that closes the
 * month.
 */
export function MonthEndPage({ screen }: { screen: { area: string } }) {
  const isConsole = screen.area === 'Console'
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  const openBudget = budgets.find((one) => one.mongoId === budgetId)
  return <MonthEnd key={isConsole ? 'console' : budgetId} locationId={isConsole ? null : (openBudget?.locationId ?? null)} />
}

function MonthEnd({ locationId }: { locationId: LocationId | null }) {
  const isConsole = locationId === null
  const { user } = useCoreData()
  const isAllowed = usePermissionCheck()
  const mayClose = isAllowed(['ConsoleMonitoringReadUpdate'])
  const mayTick = isAllowed([
    'BudgetingMonitoringBudgetActualsReadUpdate',
    'ConsoleMonitoringBudgetActualsReadUpdate',
    'ConsoleMonitoringReadUpdate',
  ])
  const [search, setParameters] = useUrlParameters()
  const isYear = isConsole && search.get('view') === 'year'
  const [chosen, setChosen] = useState<number[]>([])
  const [isReopening, setReopening] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const now = getCurrentMonth()
  const months = trpc.monitoring.months.useQuery(getImportSearchRange(now))
  const closedMonths = (months.data ?? []).filter((one) => one.isClosed && (isConsole || one.locationId === locationId))
  const month: CalendarMonth = parseMonth(search.get('month')) ?? findLatestMonth(closedMonths, null)
  const input = { year: month.year, month: month.month, locationIds: isConsole ? null : [locationId] }
  const list = trpc.monitoring.monthEnd.list.useQuery(input, { enabled: !months.isLoading, placeholderData: (before) => before })
  const { mutateAsync: tick } = trpc.monitoring.monthEnd.tick.useMutation()
  const { mutateAsync: close } = trpc.monitoring.monthEnd.close.useMutation()
  const { mutateAsync: reopen } = trpc.monitoring.monthEnd.reopen.useMutation()
  const { mutateAsync: remind } = trpc.monitoring.monthEnd.remind.useMutation()
  const monthName = formatMonth(month)
  const rows = list.data ?? []
  const withBudget = rows.filter((one) => one.budgetId !== null)
  const closed = withBudget.filter((one) => one.closed)
  const chosenRows = withBudget.filter((one) => chosen.includes(one.locationId))
  const ready = withBudget.filter((one) => !one.closed && one.inTheWay.length === 0)
  const rowsToClose = chosenRows.length ? chosenRows.filter((one) => !one.closed) : ready
  const toReopen = chosenRows.filter((one) => one.closed)
  const behind = withBudget.filter((one) => !one.closed && one.inTheWay.length > 0)
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    try {
      await work()
    } catch (error) {
      notifyFailure(error)
    }
    setBusy(false)
  }
  const closeAll = (): Promise<void> =>
    run(async () => {
      const { locationIds } = await close({ ...month, locationIds: rowsToClose.map((one) => one.locationId) })
      notifySuccess(`Closed ${monthName} at ${displayCount(locationIds.length, 'location')}`)
      setChosen([])
    })
  const remindAll = (): Promise<void> =>
    run(async () => {
      const { people, without } = await remind(month)
      const unassignedSentence = without.length ? `. No one is responsible for the month end at ${without.join(', ')}` : ''
      notifySuccess(
        people
          ? `Reminded ${displayCount(people, 'person', 'people')}${unassignedSentence}`
          : `No reminders could be sent${unassignedSentence}`,
      )
    })
  const markStep = ({ locationId: at }: Row, step: MonthEndStep, isDone: boolean): Promise<unknown> => {
    const done = isDone ? { by: user.name, at: new Date().toISOString() } : null
    return updateOptimistically(
      { query: answerCache.monitoring.monthEnd.list, input: input },
      (now) => now.map((one) => (one.locationId === at ? { ...one, steps: { ...one.steps, [step]: done } } : one)),
      () => tick({ ...month, locationIds: [at], step, isDone }),
    ).catch(notifyFailure)
  }
  if (months.isLoadingError) return <LoadFailed query={months} />
  return (
    <>
      <PageHead
        title="Month end"
        documentTitle={`Month end - ${isConsole ? 'Console' : 'Monitoring'}`}
        pills={
          list.data &&
          withBudget.length > 0 && (
            <Pill tone={closed.length === withBudget.length ? 'good' : undefined}>
              {isConsole ? `${closed.length} of ${displayCount(withBudget.length, 'location')} closed` : closed.length ? 'Closed' : 'Open'}
            </Pill>
          )
        }
        facts={
          list.data && (
            <>
              {monthName}
              {behind.length > 0 && <> · {displayCount(behind.length, 'location')} behind</>}
              {ready.length > 0 && <> · {displayCount(ready.length, 'location')} ready to close</>}
            </>
          )
        }
      >
        {mayClose && isConsole && behind.length > 0 && (
          <Button variant="default" disabled={isBusy} onClick={() => void remindAll()}>
            Send reminders
          </Button>
        )}
        {mayClose && toReopen.length > 0 && (
          <Button variant="default" disabled={isBusy} onClick={() => setReopening(true)}>
            Reopen {displayCount(toReopen.length, 'location')}
          </Button>
        )}
        {mayClose && withBudget.length > closed.length && (
          <Button disabled={isBusy || rowsToClose.length === 0} onClick={() => void closeAll()}>
            {rowsToClose.length ? `Close ${displayCount(rowsToClose.length, 'location')}` : 'Close the month'}
          </Button>
        )}
      </PageHead>
      <Toolbar>
        <MonthSelect
          choices={listMonthsAround(now)}
          month={month}
          onChange={(value) => {
            setChosen([])
            setParameters({ month: value })
          }}
        />
        {isConsole && (
          <SegmentedControl
            aria-label="Show"
            value={isYear ? 'year' : 'month'}
            onChange={(value) => setParameters({ view: value === 'year' ? value : null })}
            data={[
              { value: 'month', label: 'The month' },
              { value: 'year', label: 'The year' },
            ]}
          />
        )}
      </Toolbar>
      {list.isError ? (
        <LoadFailed query={list} />
      ) : !list.data ? (
        <Skeleton height={320} />
      ) : withBudget.length === 0 ? (
        <NoBudgetMessage month={month} />
      ) : isYear ? (
        <MonthCalendar
          rows={withBudget}
          months={months.data ?? []}
          now={now}
          chosen={month}
          onMonth={(value) => setParameters({ month: value, view: null })}
        />
      ) : (
        <Checklist rows={rows} month={month} chosen={chosen} onChoose={mayClose ? setChosen : null} mayTick={mayTick} onTick={markStep} />
      )}
      <p className={textStyles.since} style={{ marginTop: 10 }}>
        A closed month cannot be imported, cleared, adjusted or annotated until it is reopened with a reason. Lines over the threshold need
        a reason and an action first.
      </p>
      {isReopening && (
        <ReopenMonthDialog
          words={monthName}
          locationNames={toReopen.map((one) => one.location).join(', ')}
          reopen={(reason) => reopen({ ...month, locationIds: toReopen.map((one) => one.locationId), reason })}
          onClose={() => setReopening(false)}
          onDone={() => {
            setReopening(false)
            setChosen([])
          }}
        />
      )}
    </>
  )
}

function Checklist({
  rows,
  month,
  chosen,
  onChoose,
  mayTick,
  onTick,
}: {
  rows: readonly Row[]
  month: CalendarMonth
  chosen: readonly number[]
  /** Called when the user selects schools; null if the user cannot close months. */
  onChoose: ((ids: number[]) => void) | null
  mayTick: boolean
  onTick: (row: Row, step: MonthEndStep, isDone: boolean) => Promise<unknown>
}) {
  const open = rows.filter((one) => one.budgetId !== null)
  const all = open.length > 0 && open.every((one) => chosen.includes(one.locationId))
  const step = (row: Row, name: MonthEndStep): ReactNode => (
    <>
      {name === 'payroll' && row.followsPayroll ? (
        <Payroll row={row} month={month} />
      ) : name === 'pack' && row.followsPack ? (
        <>
          <StepState done={row.steps.pack} open="" />
          <PackLink row={row} month={month} />
        </>
      ) : mayTick && row.closed === null ? (
        <Checkbox
          className={classes.tick}
          aria-label={`${stepNames[name]}, ${row.location}`}
          checked={Boolean(row.steps[name])}
          onChange={(event) => void onTick(row, name, event.currentTarget.checked)}
          label={<DoneBy done={row.steps[name]} />}
        />
      ) : (
        <StepState done={row.steps[name]} open="not yet" />
      )}
      {name === 'pack' && !row.followsPack && <PackLink row={row} month={month} />}
    </>
  )
  return (
    <Card className={scrollStyles.scroll} aria-label="Checklist">
      <DataTable
        isTight
        className={classes.table}
        columns={[
          {
            id: 'location',
            label: 'Location',
            head: onChoose ? (
              <Checkbox
                label="Location"
                aria-label="Choose all locations"
                checked={all}
                indeterminate={!all && chosen.length > 0}
                onChange={() => onChoose(all ? [] : open.map((one) => one.locationId))}
              />
            ) : undefined,
            cell: (row) => (
              <>
                {onChoose && row.budgetId !== null ? (
                  <Checkbox
                    label={row.location}
                    checked={chosen.includes(row.locationId)}
                    onChange={(event) =>
                      onChoose(event.currentTarget.checked ? [...chosen, row.locationId] : chosen.filter((id) => id !== row.locationId))
                    }
                  />
                ) : (
                  row.location
                )}
                {row.budget && <span className={classes.budget}>{row.budget}</span>}
              </>
            ),
          },
          {
            id: 'actuals',
            label: 'Actuals in',
            cell: (row) => (
              <>
                <StepState done={row.actuals} open="missing" />
                {row.missing.length > 0 && <span className={classes.before}>{describeMissing(row.missing)}</span>}
              </>
            ),
          },
          { id: 'payroll', label: stepNames.payroll, cell: (row) => step(row, 'payroll') },
          { id: 'adjustments', label: stepNames.adjustments, cell: (row) => step(row, 'adjustments') },
          { id: 'variances', label: 'Variances explained', cell: (row) => <Variances row={row} month={month} /> },
          { id: 'pack', label: stepNames.pack, cell: (row) => step(row, 'pack') },
          { id: 'closed', label: 'Month closed', cell: (row) => <ClosingState row={row} /> },
        ]}
        rows={rows}
        keyOf={({ locationId }) => locationId}
        rowProps={({ closed }) => ({ className: clsx(closed && classes.closed), 'data-closed': Boolean(closed) })}
        spanFrom={1}
        spanOf={({ budgetId }) =>
          budgetId === null ? <span className={textStyles.dim}>No budget of record covers {formatMonth(month)}.</span> : undefined
        }
      />
    </Card>
  )
}

/** A link that starts the governors' pack of a school and month, or opens the packs if there are any. */
function PackLink({ row, month }: { row: Row; month: CalendarMonth }) {
  const core = useCoreData()
  if (row.followsPack)
    return (
      <Link className={classes.pack} to="/console/packs" aria-label={`Open the pack for ${row.location}`}>
        Open
      </Link>
    )
  if (!canMakePacks(core)) return null
  return (
    <Link
      className={classes.pack}
      to={`/console/packs?start=1&month=${formatIsoMonth(month)}&location=${row.locationId}`}
      aria-label={`Start the pack for ${row.location}`}
    >
      Start a pack
    </Link>
  )
}

/** Describes briefly which earlier months have no actuals. */
function describeMissing(missing: Row['missing']): string {
  const [first, ...others] = missing.map(formatMonth)
  if (!first) return ''
  return others.length ? `${displayCount(missing.length, 'earlier month')} missing, starting with ${first}` : `${first} is missing`
}

function DoneBy({ done }: { done: Row['actuals'] }) {
  if (!done) return <span className={textStyles.dim}>not yet</span>
  return (
    <span className={classes.who}>
      {done.by} <span className={classes.when}>{displayDateTime(done.at)}</span>
    </span>
  )
}

function StepState({ done, open }: { done: Row['actuals']; open: string }) {
  if (!done) return <span className={classes.missing}>{open}</span>
  return (
    <span className={classes.done}>
      <IconCircleCheck size={17} stroke={1.6} aria-label="Done" />
      <DoneBy done={done} />
    </span>
  )
}

/** The payroll step. It is complete when the month's payroll reconciliation in Bursar is complete. */
function Payroll({ row, month }: { row: Row; month: CalendarMonth }) {
  const navigate = useNavigate()
  const isAllowed = usePermissionCheck()
  if (row.steps.payroll || row.closed || !isAllowed(listViewPermissions('ConsolePayrollReconciliation')))
    return <StepState done={row.steps.payroll} open="not complete" />
  return (
    <button
      type="button"
      className={classes.explain}
      onClick={() => void navigate(`/console/payroll/reconciliation?month=${formatIsoMonth(month)}&location=${row.locationId}`)}
    >
      not complete
    </button>
  )
}

function Variances({ row, month }: { row: Row; month: CalendarMonth }) {
  const openBudgetScreen = useOpenBudgetScreen()
  const isAllowed = usePermissionCheck()
  if (row.toExplain === null || row.toAct === null) return <span className={textStyles.dim}>–</span>
  if (row.toExplain + row.toAct === 0)
    return row.explained ? (
      <StepState done={row.explained} open="" />
    ) : (
      <span className={classes.done}>
        <IconCircleCheck size={17} stroke={1.6} aria-label="Done" />
        <span className={textStyles.dim}>nothing over the threshold</span>
      </span>
    )
  const description = [
    row.toExplain && `${displayCount(row.toExplain, 'line')} ${row.toExplain === 1 ? 'needs' : 'need'} a reason`,
    row.toAct && `${displayCount(row.toAct, 'line')} ${row.toAct === 1 ? 'needs' : 'need'} an action`,
  ]
    .filter(Boolean)
    .join(', ')
  if (!isAllowed(listViewPermissions('BudgetingMonitoringBudgetActuals'))) return <span className={classes.missing}>{description}</span>
  const explain = () => openBudgetScreen(row, `/monitoring/budget-actuals?month=${formatIsoMonth(month)}&explain=1`)
  return (
    <button type="button" className={classes.explain} title={`Explain in ${row.budget}`} onClick={() => void explain()}>
      {description}
    </button>
  )
}

function ClosingState({ row }: { row: Row }) {
  const { closed, reopened } = row
  if (closed)
    return (
      <span className={classes.done}>
        <IconLock size={17} stroke={1.6} aria-label="Closed" />
        <DoneBy done={closed} />
      </span>
    )
  return (
    <span className={classes.who}>
      {row.inTheWay.length ? <span className={textStyles.dim}>open</span> : <span>ready to close</span>}
      {reopened && (
        <span className={textStyles.dim}>
          Reopened by {reopened.by}, {displayDateTime(reopened.at)}: {reopened.reason}
        </span>
      )}
    </span>
  )
}
