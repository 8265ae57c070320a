import { SegmentedControl, Skeleton } from '@mantine/core'
import clsx from 'clsx'
import { calculatePercentOfBase } from '../../domain/monitoring/figures.ts'
import { formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayFigure, displayOneDecimal, toPennies } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { MonthSelect } from '../budget/MonthSelect.tsx'
import { findLatestMonth, getCurrentMonth, getImportSearchRange, listMonthsAround, parseMonth } from '../budget/months.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { useCoreData, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useUrlParameters } from '../shell/useAddressParameters.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

type TrackRecord = RouterOutputs['monitoring']['trackRecord']
type Track = NonNullable<TrackRecord['income']['closings'][number]>

/** How accurate each forecast was, by school and by code (rules.md §17). */
export function TrackRecordPage() {
  const { locations } = useCoreData()
  const [search, setParameters] = useUrlParameters()
  const now = getCurrentMonth()
  const months = trpc.monitoring.months.useQuery(getImportSearchRange(now))
  const month =
    parseMonth(search.get('month')) ??
    findLatestMonth(
      (months.data ?? []).filter((one) => one.isClosed),
      null,
    )
  const locationIds = (search.get('locations') ?? '').split(',').filter(Boolean).map(Number)
  const record = trpc.monitoring.trackRecord.useQuery(
    { year: month.year, month: month.month, locationIds: locationIds.length ? locationIds : null },
    { enabled: !months.isLoading, placeholderData: (before) => before },
  )
  if (months.isLoadingError) return <LoadFailed query={months} />
  const { closings = [], unkept = [] } = record.data ?? {}
  const closing = closings.find((one) => formatIsoMonth(one) === search.get('closing')) ?? closings.at(-1)
  return (
    <>
      <PageHead
        title="Track record"
        documentTitle="Track record - Console"
        facts={
          record.data && <>As at {formatMonth(month)} · what was forecast when each month was closed, compared with the outturn since</>
        }
      />
      <Toolbar>
        <MonthSelect label="As at" choices={listMonthsAround(now)} month={month} onChange={(value) => setParameters({ month: value })} />
        <MultiChoice
          aria-label="Locations"
          placeholder="All locations"
          w={300}
          maw="100%"
          clearable
          data={locations.map((one) => ({ value: String(one.id), label: one.name }))}
          value={locationIds.map(String)}
          onChange={(ids) => setParameters({ locations: ids.join(',') || null })}
        />
        {closings.length > 1 && closing && (
          <SegmentedControl
            aria-label="Forecast when this month was closed"
            value={formatIsoMonth(closing)}
            onChange={(value) => setParameters({ closing: value })}
            data={closings.map((one) => ({ value: formatIsoMonth(one), label: formatMonth(one) }))}
          />
        )}
      </Toolbar>
      {record.isError ? (
        <LoadFailed query={record} />
      ) : !record.data ? (
        <Skeleton height={420} />
      ) : !closing ? (
        <Card>
          <EmptyState>
            <h2>No forecasts to compare yet</h2>
            <p>
              The forecast is saved when a month is closed, and appears here once the actuals of a later month are in. Close months on the
              Month end page.
            </p>
          </EmptyState>
        </Card>
      ) : (
        <ClosingResults record={record.data} at={closings.indexOf(closing)} words={formatMonth(closing)} />
      )}
      {unkept.length > 0 && (
        <p className={textStyles.since} style={{ marginTop: 10 }}>
          {displayCount(unkept.length, 'month')} at {assertDefined(unkept[0]).location}
          {unkept.length > 1 && ' and others'} {unkept.length === 1 ? 'was' : 'were'} closed before forecasts were saved, so{' '}
          {unkept.length === 1 ? 'it is' : 'they are'} not compared.
        </p>
      )}
    </>
  )
}

/** A forecast and its outturn. */
interface ForecastResult {
  name: string
  more?: string
  track: Track
  isTotal?: boolean
  isCost?: boolean
}

/** Returns the lines that have a forecast. */
const withForecast = (lines: readonly (Omit<ForecastResult, 'track'> & { track: Track | null | undefined })[]): ForecastResult[] =>
  lines.flatMap(({ track, ...line }) => (track ? [{ ...line, track }] : []))

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text)

/**
 * Builds columns that compare forecast and outturn, and mark higher cost or lower income.
 * @param first the heading of the first column
 */
function trackColumns(first: string): TableColumn<ForecastResult>[] {
  const overOf = ({ track }: ForecastResult): number => toPennies(track.outturn) - toPennies(track.forecast)
  return [
    {
      id: 'name',
      label: first,
      cell: ({ name, more, track }) => (
        <>
          {name} {more && <span className={textStyles.dim}>{more}</span>}
          <IncompleteSumNote count={track.missing} />
        </>
      ),
    },
    { id: 'forecast', label: 'Forecast £', isFigure: true, cell: ({ track }) => displayFigure(toPennies(track.forecast)) },
    { id: 'outturn', label: 'Outturn £', isFigure: true, cell: ({ track }) => displayFigure(toPennies(track.outturn)) },
    {
      id: 'over',
      label: 'Outturn less forecast £',
      isFigure: true,
      cellProps: (line) => ({ className: clsx((line.isCost ? overOf(line) > 0 : overOf(line) < 0) && textStyles.up) }),
      cell: (line) => signed(overOf(line), displayFigure(overOf(line))),
    },
    {
      id: 'percent',
      label: '%',
      isFigure: true,
      cell: (line) => {
        const percent = calculatePercentOfBase(overOf(line), toPennies(line.track.forecast))
        return percent === null ? '' : `${signed(percent, displayOneDecimal(percent))}%`
      },
    },
  ]
}

/**
 * Shows the forecasts that were made at one month end, by school and then by code.
 * @param at index of the month end in `record`
 */
function ClosingResults({ record, at, words }: { record: TrackRecord; at: number; words: string }) {
  const term = useTerm()
  const { income, expenditure, schools, codes } = record
  const months = Math.max(...[income, expenditure].map(({ closings }) => closings[at]?.months ?? 0))
  const shown = schools.filter((one) => one.income.closings[at] || one.expenditure.closings[at])
  const heading = `Forecast when ${words} was closed, for the ${displayCount(months, 'month')} after it, before adjustments`
  const ofCode = codes.filter(({ closings }) => closings[at])
  return (
    <SectionStack>
      <Card className={scrollStyles.scroll} aria-label={`By ${toMidSentence(term('Location').singular)}`}>
        <CardHead>
          By {toMidSentence(term('Location').singular)} <CardNote>{heading}</CardNote>
        </CardHead>
        <DataTable
          isTight
          columns={trackColumns(term('Location').singular)}
          rows={withForecast([
            ...shown.flatMap((one) => [
              { name: one.location, more: 'income', track: one.income.closings[at] },
              { name: one.location, more: 'expenditure', track: one.expenditure.closings[at], isCost: true },
            ]),
            { name: 'All income', track: income.closings[at], isTotal: true },
            { name: 'All expenditure', track: expenditure.closings[at], isTotal: true, isCost: true },
          ])}
          look={({ isTotal }) => (isTotal ? 'total' : undefined)}
        />
      </Card>
      <Card className={scrollStyles.scroll} aria-label={`By ${toMidSentence(term('BudgetCode').singular)}`}>
        <CardHead>By {toMidSentence(term('BudgetCode').singular)}</CardHead>
        <DataTable
          isTight
          columns={trackColumns(term('BudgetCode').singular)}
          rows={withForecast(
            ofCode.map((one) => ({
              name: [one.code, one.description].filter(Boolean).join(' '),
              track: one.closings[at],
              isCost: !one.isIncome,
            })),
          )}
        />
      </Card>
    </SectionStack>
  )
}
