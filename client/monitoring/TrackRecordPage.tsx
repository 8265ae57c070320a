import { MultiSelect, SegmentedControl, Skeleton } from '@mantine/core'
import clsx from 'clsx'
import { Fragment, type ReactNode } from 'react'
import { percentOfBase } from '../../domain/monitoring/figures.ts'
import { formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayFigure, displayOneDecimal, toPennies } from '../../domain/values/format.ts'
import { MonthSelect } from '../budget/MonthSelect.tsx'
import { lastMonthOf, monthOf, monthsAround, spanAround, thisMonth } from '../budget/months.ts'
import { type Answers, trpc } from '../shell/api.ts'
import { useCore, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useAddress } from '../shell/useAddress.ts'
import { Empty } from '../ui/Empty.tsx'
import figuresStyles from '../ui/figures/Figures.module.css'
import { FigureHead, Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, Note } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Stack } from '../ui/layout/Stack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Tools } from '../ui/layout/Tools.tsx'

type Found = Answers['monitoring']['trackRecord']
type Track = NonNullable<Found['income']['closings'][number]>

/** How accurate each forecast was, by school and by code (rules.md §17). */
export function TrackRecordPage() {
  const { locations } = useCore()
  const [search, put] = useAddress()
  const now = thisMonth()
  const months = trpc.monitoring.months.useQuery(spanAround(now))
  const month =
    monthOf(search.get('month')) ??
    lastMonthOf(
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
        facts={record.data && <>As at {formatMonth(month)} · what was forecast when a month was closed, beside what came since</>}
      />
      <Tools>
        <MonthSelect label="As at" choices={monthsAround(now)} month={month} onChange={(value) => put({ month: value })} />
        <MultiSelect
          aria-label="Locations"
          placeholder={locationIds.length ? undefined : 'All locations'}
          w={300}
          maw="100%"
          searchable
          clearable
          data={locations.map((one) => ({ value: String(one.id), label: one.name }))}
          value={locationIds.map(String)}
          onChange={(ids) => put({ locations: ids.join(',') || null })}
        />
        {closings.length > 1 && closing && (
          <SegmentedControl
            aria-label="Forecast when this month was closed"
            value={formatIsoMonth(closing)}
            onChange={(value) => put({ closing: value })}
            data={closings.map((one) => ({ value: formatIsoMonth(one), label: formatMonth(one) }))}
          />
        )}
      </Tools>
      {record.isError ? (
        <LoadFailed query={record} />
      ) : !record.data ? (
        <Skeleton height={420} />
      ) : !closing ? (
        <Card>
          <Empty>
            <h2>No forecast can be judged yet</h2>
            <p>
              What is forecast is kept when a month is closed, and stands here once the actuals of a later month are in. Close months at the
              month end.
            </p>
          </Empty>
        </Card>
      ) : (
        <Compared record={record.data} at={closings.indexOf(closing)} words={formatMonth(closing)} />
      )}
      {unkept.length > 0 && (
        <p className={textStyles.since} style={{ marginTop: 10 }}>
          {displayCount(unkept.length, 'closed month')} of {assertDefined(unkept[0]).location}
          {unkept.length > 1 && ' and others'} {unkept.length === 1 ? 'was' : 'were'} closed before forecasts were kept, and{' '}
          {unkept.length === 1 ? 'is' : 'are'} not judged.
        </p>
      )}
    </>
  )
}

const columns = (first: string) => [
  { label: first },
  { label: 'Forecast £' },
  { label: 'Outturn £' },
  { label: 'Outturn less forecast £' },
  { label: '%' },
]

/**
 * One closing: schools, then codes.
 * @param at index of the closing
 */
function Compared({ record, at, words }: { record: Found; at: number; words: string }) {
  const term = useTerm()
  const { income, expenditure, schools, codes } = record
  const months = Math.max(...[income, expenditure].map(({ closings }) => closings[at]?.months ?? 0))
  const shown = schools.filter((one) => one.income.closings[at] || one.expenditure.closings[at])
  const heading = `Forecast when ${words} was closed, for ${displayCount(months, 'month')} since, before adjustments`
  const ofCode = codes.filter(({ closings }) => closings[at])
  return (
    <Stack>
      <Card className={scrollStyles.scroll} aria-label={`By ${term('Location').singular.toLowerCase()}`}>
        <CardHead>
          By {term('Location').singular.toLowerCase()} <Note>{heading}</Note>
        </CardHead>
        <Figures isTight>
          <FigureHead columns={columns(term('Location').singular)} />
          <tbody>
            {shown.map((one) => (
              <Fragment key={one.locationId}>
                <Row name={one.location} more="income" track={one.income.closings[at]} />
                <Row name={one.location} more="expenditure" track={one.expenditure.closings[at]} isCost />
              </Fragment>
            ))}
            <Row name="All income" track={income.closings[at]} isTotal />
            <Row name="All expenditure" track={expenditure.closings[at]} isTotal isCost />
          </tbody>
        </Figures>
      </Card>
      <Card className={scrollStyles.scroll} aria-label="By code">
        <CardHead>By {term('BudgetCode').singular.toLowerCase()}</CardHead>
        <Figures isTight>
          <FigureHead columns={columns(term('BudgetCode').singular)} />
          <tbody>
            {ofCode.map((one) => (
              <Row
                key={one.budgetCodeId ?? 'levy'}
                name={[one.code, one.description].filter(Boolean).join(' ')}
                track={one.closings[at]}
                isCost={!one.isIncome}
              />
            ))}
          </tbody>
        </Figures>
      </Card>
    </Stack>
  )
}

const signed = (value: number, text: string): string => (value > 0 ? `+${text}` : text)

/** A forecast beside its actual. Higher cost or lower income than forecast is marked. */
function Row({
  name,
  more,
  track,
  isTotal,
  isCost,
}: {
  name: string
  more?: string
  track: Track | null | undefined
  isTotal?: boolean
  isCost?: boolean
}): ReactNode {
  if (!track) return null
  const [forecast, outturn] = [toPennies(track.forecast), toPennies(track.outturn)]
  const over = outturn - forecast
  const percent = percentOfBase(over, forecast)
  return (
    <tr className={clsx(isTotal && figuresStyles.total)}>
      <th scope="row">
        {name} {more && <span className={textStyles.dim}>{more}</span>}
        <Gaps count={track.missing} />
      </th>
      <td>{displayFigure(forecast)}</td>
      <td>{displayFigure(outturn)}</td>
      <td className={clsx((isCost ? over > 0 : over < 0) && textStyles.up)}>{signed(over, displayFigure(over))}</td>
      <td>{percent === null ? '' : `${signed(percent, displayOneDecimal(percent))}%`}</td>
    </tr>
  )
}
