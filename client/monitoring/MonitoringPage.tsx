import { Anchor, Button, Chip, SegmentedControl, Skeleton } from '@mantine/core'
import { useCallback, useRef, useState } from 'react'
import { type CalendarMonth, formatIsoMonth, formatMonth, fromMonthIndex, toMonthIndex } from '../../domain/monitoring/monitoring.ts'
import { forecastPermissions } from '../../domain/monitoring/rights.ts'
import type { MonitoringScreen } from '../../domain/monitoring/rows.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatPeriodMonth, isDate } from '../../domain/values/calendar.ts'
import { displayCount, displayDate } from '../../domain/values/format.ts'
import { type LocationId, toBudgetId, toLocationId } from '../../domain/values/ids.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { BudgetOfRecordNotice } from '../budget/BudgetOfRecordNotice.tsx'
import { findOtherBudgetOfRecord } from '../budget/budgetOfRecord.ts'
import { MonthSelect } from '../budget/MonthSelect.tsx'
import { findLatestMonth, getCurrentMonth, getImportSearchRange, listBudgetMonths, listMonthsAround, parseMonth } from '../budget/months.ts'
import { NoBudgetMessage } from '../budget/NoBudgetMessage.tsx'
import { useOrganisationTypeAndSchemes } from '../budget/useOrganisationTypeAndSchemes.ts'
import { answerCache, trpc } from '../shell/api.ts'
import { getCoreData, type SelectableBudget, useCoreData, usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import type { Screen } from '../shell/screens/screen.ts'
import { getSelection, useSelection } from '../shell/selection.ts'
import { useUrlParameters } from '../shell/useAddressParameters.ts'
import { SideDialog } from '../ui/dialogs/Dialog.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { DateField } from '../ui/fields/DateField.tsx'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { CodeDrawer } from './CodeDrawer.tsx'
import { CodeTransactions } from './CodeTransactions.tsx'
import { ExcludedLocations } from './ExcludedLocations.tsx'
import { ExplanationSettingsDialog } from './ExplanationSettings.tsx'
import { ForecastMethodsDialog, type LocationBudgetYear } from './forecast/ForecastMethodsDialog.tsx'
import { type LinesToOpen, LocationsTable } from './LocationsTable.tsx'
import { MonitoringHistoryDrawer } from './MonitoringHistoryDrawer.tsx'
import { MonitoringTable } from './MonitoringTable.tsx'
import type { MonitoringScope } from './scope.ts'
import { MonthlyFiguresCard } from './YearCard.tsx'

const titles = { actuals: 'Budgets versus actuals', forecast: 'Budgets versus forecast' }
/** Labels of the figures that the table by location can show. */
const columnNames = {
  budgetToDate: 'Budget to date',
  actualToDate: 'Actual to date',
  commitments: 'Commitments',
  variance: 'Variance',
  fullYearBudget: 'Full-year budget',
  forecast: 'Forecast',
} as const
const columnsOf = {
  actuals: ['budgetToDate', 'actualToDate', 'commitments', 'variance', 'fullYearBudget'],
  forecast: ['actualToDate', 'commitments', 'fullYearBudget', 'forecast', 'variance'],
} as const
const permissions = {
  actuals: { budget: 'BudgetingMonitoringBudgetActualsReadUpdate', console: 'ConsoleMonitoringBudgetActualsReadUpdate' },
  forecast: { budget: 'BudgetingMonitoringBudgetForecastReadUpdate', console: 'ConsoleMonitoringBudgetForecastReadUpdate' },
} as const

/** Compares budgets with actuals, for the open budget or all locations (behaviours B-226 to B-235). */
export function ActualsMonitoringPage({ screen }: { screen: { area: string } }) {
  return <MonitoringPage versus="actuals" isConsole={screen.area === 'Console'} />
}

/** Compares budgets with the forecast, for the open budget or all locations. */
export function ForecastMonitoringPage({ screen }: { screen: { area: string } }) {
  return <MonitoringPage versus="forecast" isConsole={screen.area === 'Console'} />
}

/** Prefetches the months that have imports. They determine the month that the page shows. */
function prepare({ area }: Pick<Screen, 'area'>): void {
  void answerCache.monitoring.months.prefetch(getSearchRange(toScope(area === 'Console', getCoreData().budgets, getSelection().budgetId)))
}

ActualsMonitoringPage.prepare = prepare
ForecastMonitoringPage.prepare = prepare

/** Returns the scope of a page: the open budget, or all locations. */
function toScope(isConsole: boolean, budgets: readonly SelectableBudget[], budgetId: string | null): MonitoringScope {
  const budget = budgets.find((one) => one.mongoId === budgetId)
  return isConsole || !budget
    ? { kind: 'console' }
    : {
        kind: 'budget',
        budgetId: budget.mongoId,
        locationId: budget.locationId,
        groupId: budget.budgetGroupId,
        firstYear: budget.firstYear,
        startMonth: budget.startMonth,
        numberOfYears: budget.numberOfYears,
      }
}

function MonitoringPage({ versus, isConsole }: { versus: MonitoringScreen; isConsole: boolean }) {
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  const scope = toScope(isConsole, budgets, budgetId)
  return <Monitoring key={isConsole ? 'console' : budgetId} versus={versus} scope={scope} />
}

/** Returns a location with the budget year that contains a month there. */
function toLocationYear({ locationId, period }: { locationId: LocationId; period: number }, month: CalendarMonth): LocationBudgetYear {
  return { locationId, year: fromMonthIndex(toMonthIndex(month) - period + 1).year }
}

/**
 * When a row has been explained, it may leave a filtered list. This then focuses the row that takes its position. If the row is still
 * there, the dialog itself returns the focus to it.
 */
function focusNextRow(index: number): void {
  if (document.activeElement !== document.body) return
  const left = [...document.querySelectorAll<HTMLElement>('button[data-stop]')]
  const next = left.find((one) => indexOf(one) >= index) ?? left.at(-1)
  next?.focus()
}

const indexOf = (row: Element | null): number => Number(row?.closest<HTMLElement>('[data-index]')?.dataset.index ?? 0)

/**
 * Parses a date from a URL, such as `2026-10-03`.
 * @returns null if the text is not a date from the year 2000 to 2099
 */
function parseDay(text: string | null): string | null {
  return text?.startsWith('20') && isDate(text) ? text : null
}

/** Returns the range of months in which to search for imports. */
function getSearchRange(scope: MonitoringScope): { from: CalendarMonth; to: CalendarMonth } {
  return scope.kind === 'console'
    ? getImportSearchRange(getCurrentMonth())
    : { from: { year: scope.firstYear, month: 1 }, to: { year: scope.firstYear + scope.numberOfYears, month: 12 } }
}

function Monitoring({ versus, scope }: { versus: MonitoringScreen; scope: MonitoringScope }) {
  const { locations, budgets } = useCoreData()
  const { schemes: codings } = useOrganisationTypeAndSchemes()
  const isAllowed = usePermissionCheck()
  const isConsole = scope.kind === 'console'
  const [search, setParameters] = useUrlParameters()
  // If the window is wide enough, also show the month, next to the year to date.
  const [isWide] = useState(() => window.matchMedia('(min-width: 1400px)').matches)
  const [codeId, setCodeId] = useState<number | null>(null)
  /** Index of the open code in the table. */
  const openCodeIndex = useRef(0)
  const [isHistory, setHistory] = useState(false)
  const [isSettings, setSettings] = useState(false)
  const [isMethods, setMethods] = useState(false)
  const [total, setTotal] = useState<'income' | 'expenditure' | null>(null)
  const open = useCallback((id: number): void => {
    openCodeIndex.current = indexOf(document.activeElement)
    setCodeId(id)
  }, [])
  const close = (): void => {
    setCodeId(null)
    requestAnimationFrame(() => window.setTimeout(() => focusNextRow(openCodeIndex.current)))
  }
  const months = trpc.monitoring.months.useQuery(getSearchRange(scope))
  const importedMonths = months.data?.filter(({ locationId }) => isConsole || locationId === scope.locationId)
  const closed = importedMonths?.filter((one) => one.isClosed) ?? []
  const month = parseMonth(search.get('month')) ?? findLatestMonth(closed, isConsole ? null : scope)
  const scheme = Number(search.get('scheme') ?? 0)
  const locationIds = (search.get('locations') ?? '')
    .split(',')
    .filter(Boolean)
    .map((id) => toLocationId(Number(id)))
  const forecastBudgetId = search.get('from')
  const record = isConsole ? null : findOtherBudgetOfRecord(budgets, scope.budgetId, month)
  const hasMonth = versus === 'actuals' && (search.has('alone') ? search.get('alone') === '1' : isWide)
  const parameters = {
    ...month,
    scheme,
    ...(isConsole
      ? { locationIds: locationIds.length ? locationIds : null }
      : {
          budgetId: scope.budgetId,
          // Reasons are stored with the budget of record.
          budgetGroupId: record ? record.budgetGroupId : scope.groupId,
          ...(versus === 'forecast' && forecastBudgetId ? { forecastBudgetId: toBudgetId(forecastBudgetId) } : {}),
        }),
  }
  const options = { placeholderData: <T,>(before: T | undefined): T | undefined => before }
  const pastDay = isConsole ? null : parseDay(search.get('day'))
  const past = { ...month, scheme, budgetId: isConsole ? '' : scope.budgetId, day: pastDay ?? '' }
  const isPastDay = pastDay !== null
  const actuals = trpc.monitoring.budgetsVsActuals.useQuery(parameters, {
    ...options,
    enabled: !!months.data && !isPastDay && versus === 'actuals',
  })
  const forecast = trpc.monitoring.budgetsVsForecast.useQuery(parameters, {
    ...options,
    enabled: !!months.data && !isPastDay && versus === 'forecast',
  })
  const pastActuals = trpc.monitoring.pastActuals.useQuery(past, { ...options, enabled: isPastDay && versus === 'actuals' })
  const pastForecast = trpc.monitoring.pastForecast.useQuery(past, { ...options, enabled: isPastDay && versus === 'forecast' })
  const table = isPastDay ? (versus === 'actuals' ? pastActuals : pastForecast) : versus === 'actuals' ? actuals : forecast
  const column = isConsole ? columnsOf[versus].find((one) => one === search.get('columns')) : undefined
  const hasActuals = isPastDay ? Boolean(table.data?.closedMonths.length) : closed.some((one) => toMonthIndex(one) <= toMonthIndex(month))
  // No row needs an explanation before the first import, or in a budget that is not the budget of record.
  const rows = (table.data?.rows ?? []).map((row) => (hasActuals && !record ? row : { ...row, needsExplaining: false, needsAction: false }))
  const unexplainedCount = rows.filter((row) => row.needsExplaining).length
  const needsAttention = (one: (typeof rows)[number]): boolean => one.needsExplaining || one.needsAction
  const due = rows.filter(needsAttention).length
  const closedLocationCount = importedMonths?.filter((one) => one.isClosed && formatIsoMonth(one) === formatIsoMonth(month)).length
  const ends = importedMonths?.filter((one) => formatIsoMonth(one) === formatIsoMonth(month)) ?? []
  const asOf = table.data?.budgets.map((one) => one.locationId) ?? []
  // On the console, a month can be changed until it is closed at all locations.
  const isEnded = !isPastDay && asOf.length > 0 && asOf.every((id) => ends.some((one) => one.locationId === id && one.isEnded))
  const onlyToExplain = search.get('explain') === '1' && due > 0
  const level = isConsole || scope.groupId === null ? 'console' : 'budget'
  const mayEdit = isAllowed(level === 'console' ? [permissions[versus].console] : [permissions[versus].budget, permissions[versus].console])
  const periods = new Set(table.data?.budgets.map((one) => one.period))
  const elapsedFraction = periods.size === 1 ? assertDefined([...periods][0]) / 12 : null
  const years = isConsole ? listMonthsAround(getCurrentMonth()) : listBudgetMonths(scope)
  const others = isConsole ? [] : budgets.filter((one) => one.mongoId !== scope.budgetId && one.locationId === scope.locationId)
  const schemes = [
    { value: '0', label: 'Budget codes' },
    ...codings.map(({ grouping, label }) => ({ value: String(grouping), label })),
    { value: '5', label: 'Categories' },
  ]
  const row = rows.find((one) => one.budgetCodeId === codeId && one.budgetCodeId !== null)
  const area = isConsole ? 'Console' : 'Monitoring'
  if (months.isLoadingError) return <LoadFailed query={months} />
  return (
    <>
      <PageHead
        oneLine
        title={titles[versus]}
        documentTitle={`${titles[versus]} - ${area}`}
        pills={
          <>
            {isEnded && <Pill tone="good">{formatMonth(month)} is closed</Pill>}
            {unexplainedCount > 0 && (
              <Pill tone="warn">{`${displayCount(unexplainedCount, 'line')} ${unexplainedCount === 1 ? 'needs' : 'need'} explaining`}</Pill>
            )}
          </>
        }
        facts={
          <Facts
            isConsole={isConsole}
            month={month}
            closed={isPastDay ? table.data && Number(table.data.closedMonths.includes(month.month)) : closedLocationCount}
          />
        }
      >
        <Button variant="default" disabled={!table.data || isPastDay} onClick={() => setTotal('expenditure')}>
          Chart
        </Button>
        {versus === 'forecast' && (
          <Button variant="default" disabled={!table.data || isPastDay} onClick={() => setMethods(true)}>
            Forecast methods
          </Button>
        )}
        <Button variant="default" onClick={() => setHistory(true)}>
          History
        </Button>
        {isConsole && (
          <Button variant="default" onClick={() => setSettings(true)}>
            What needs explaining
          </Button>
        )}
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
      </PageHead>
      <Toolbar oneLine>
        <MonthSelect width={170} choices={years} month={month} onChange={(value) => setParameters({ month: value })} />
        <Choice
          aria-label="Group by"
          w={170}
          data={schemes}
          value={String(scheme)}
          onChange={(value) => setParameters({ scheme: value === '0' ? null : value })}
        />
        {isConsole && (
          <MultiChoice
            aria-label="Locations"
            placeholder="All locations"
            w={220}
            maw="100%"
            clearable
            data={locations.map((one) => ({ value: String(one.id), label: one.name }))}
            value={locationIds.map(String)}
            onChange={(ids) => setParameters({ locations: ids.join(',') || null })}
          />
        )}
        {isConsole && (
          <Choice
            aria-label="Columns"
            w={230}
            data={[
              { value: '', label: 'Columns: figures' },
              ...columnsOf[versus].map((one) => ({ value: one, label: `Locations: ${toMidSentence(columnNames[one])}` })),
            ]}
            value={column ?? ''}
            onChange={(value) => setParameters({ columns: value || null })}
          />
        )}
        {versus === 'forecast' && !isPastDay && others.length > 0 && (
          <Choice
            aria-label="Open months from"
            w={230}
            data={[
              { value: '', label: 'Open months: this budget' },
              ...others.map((one) => ({ value: one.mongoId, label: `Open months: ${one.name}` })),
            ]}
            value={forecastBudgetId ?? ''}
            onChange={(value) => setParameters({ from: value || null })}
          />
        )}
        {/* An explanation covers all locations together, so the columns of single locations have none. */}
        {!column && (
          <Chip checked={onlyToExplain} disabled={!due} onChange={(checked) => setParameters({ explain: checked ? '1' : null })}>
            {`To explain ${due}`}
          </Chip>
        )}
        {!isConsole && (
          <DateField
            bare
            label="As at"
            placeholder="As at an earlier day"
            value={pastDay}
            onChange={(value) => setParameters({ day: value })}
          />
        )}
        {!column && (
          <Chip checked={hasMonth} onChange={(checked) => setParameters({ alone: checked ? '1' : '0' })}>
            Month only
          </Chip>
        )}
        <Chip checked={search.get('pence') === '1'} onChange={(checked) => setParameters({ pence: checked ? '1' : null })}>
          Pence
        </Chip>
      </Toolbar>
      {record && <BudgetOfRecordNotice record={record} month={month} />}
      {isPastDay && (
        <p className={textStyles.since} role="status">
          <span>
            Figures as at the end of {displayDate(pastDay)}. They are read-only.{' '}
            <Anchor component="button" type="button" size="sm" underline="always" onClick={() => setParameters({ day: null })}>
              Back to today
            </Anchor>
          </span>
        </p>
      )}
      {table.isError ? (
        <LoadFailed query={table} />
      ) : !table.data ? (
        <Skeleton height={420} />
      ) : table.data.budgets.length === 0 ? (
        <NoBudgetMessage month={month} />
      ) : column ? (
        <ByLocation
          versus={versus}
          parameters={{ ...month, scheme, locationIds: locationIds.length ? locationIds : null }}
          column={column}
          hasPence={search.get('pence') === '1'}
        />
      ) : (
        <MonitoringTable
          versus={versus}
          rows={onlyToExplain ? rows.filter(needsAttention) : rows}
          hasActuals={hasActuals}
          isEnded={isEnded}
          gone={elapsedFraction}
          hasPence={search.get('pence') === '1'}
          month={hasMonth ? { short: formatPeriodMonth(month.month, 1).slice(0, 3), full: formatMonth(month) } : null}
          onOpen={isPastDay ? null : open}
        />
      )}
      {table.data && <ExcludedLocations places={table.data.leftOut} />}
      {row && (
        <CodeDrawer
          key={`${codeId} ${formatIsoMonth(month)}`}
          row={row}
          isIncome={rows.indexOf(row) < rows.findIndex((one) => one.kind === 'SectionFooter')}
          parameters={parameters}
          month={month}
          versus={versus}
          scope={scope}
          isReadOnly={!mayEdit || isEnded || record !== null}
          isEnded={isEnded}
          isOfOther={record !== null}
          onClose={close}
        />
      )}
      {total && (
        <SideDialog onClose={() => setTotal(null)} position="right" size="xl" title={`The year, as at ${formatMonth(month)}`}>
          <Toolbar>
            <SegmentedControl
              aria-label="Code or total"
              value={total}
              onChange={setTotal}
              data={[
                { value: 'expenditure', label: 'All expenditure' },
                { value: 'income', label: 'All income' },
              ]}
            />
          </Toolbar>
          <MonthlyFiguresCard of={total} parameters={parameters} />
        </SideDialog>
      )}
      {isHistory && <MonitoringHistoryDrawer locationId={isConsole ? null : scope.locationId} onClose={() => setHistory(false)} />}
      {isMethods && table.data && (
        <ForecastMethodsDialog
          rows={rows}
          locations={[...new Map(table.data.budgets.map((one) => [one.locationId, toLocationYear(one, month)])).values()]}
          isReadOnly={!isAllowed(forecastPermissions) || isEnded || record !== null}
          onClose={() => setMethods(false)}
        />
      )}
      {isSettings && (
        <ExplanationSettingsDialog
          isReadOnly={!isAllowed(Object.values(permissions).map((one) => one.console))}
          onClose={() => setSettings(false)}
        />
      )}
    </>
  )
}

/** The table with a column for each location. It is loaded only when shown. */
function ByLocation({
  versus,
  parameters,
  column,
  hasPence,
}: {
  versus: MonitoringScreen
  parameters: CalendarMonth & { scheme: number; locationIds: LocationId[] | null }
  column: keyof typeof columnNames
  hasPence: boolean
}) {
  const actuals = trpc.monitoring.actualsByLocation.useQuery(
    { ...parameters, figure: columnsOf.actuals.find((one) => one === column) ?? 'variance' },
    { enabled: versus === 'actuals' },
  )
  const forecast = trpc.monitoring.forecastByLocation.useQuery(
    { ...parameters, figure: columnsOf.forecast.find((one) => one === column) ?? 'variance' },
    { enabled: versus === 'forecast' },
  )
  const [behind, setBehind] = useState<LinesToOpen | null>(null)
  const table = versus === 'actuals' ? actuals : forecast
  if (table.isError) return <LoadFailed query={table} />
  if (!table.data) return <Skeleton height={420} />
  return (
    <>
      <LocationsTable
        table={table.data}
        name={columnNames[column]}
        isVariance={column === 'variance'}
        hasPence={hasPence}
        onOpen={setBehind}
      />
      {behind && (
        <SideDialog onClose={() => setBehind(null)} position="right" size="xl" title={behind.name}>
          <CodeTransactions
            codeId={behind.codeId}
            parameters={behind.locationId === null ? parameters : { ...parameters, locationIds: [behind.locationId] }}
            isConsole
          />
        </SideDialog>
      )}
    </>
  )
}

function Facts({ isConsole, month, closed }: { isConsole: boolean; month: CalendarMonth; closed: number | undefined }) {
  const { locations } = useCoreData()
  const monthName = formatMonth(month)
  if (closed === undefined) return <>{monthName}</>
  if (isConsole)
    return (
      <>
        Actuals for {monthName} are in for <b>{closed}</b> of {displayCount(locations.length, 'location')} · positive variances are
        favourable
      </>
    )
  return <>{closed ? `Actuals for ${monthName} are in` : `No actuals for ${monthName} yet`} · positive variances are favourable</>
}
