import { Button, Group, SegmentedControl, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { type CalendarMonth, formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { forecastPermissions } from '../../domain/monitoring/rights.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { displayCount, displayFigure, displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { notices } from '../../domain/words/notices.ts'
import { BudgetOfRecordNotice } from '../budget/BudgetOfRecordNotice.tsx'
import { findOtherBudgetOfRecord } from '../budget/budgetOfRecord.ts'
import { MonthSelect } from '../budget/MonthSelect.tsx'
import { findLatestMonth, getCurrentMonth, getImportSearchRange, listMonthsAround, parseMonth } from '../budget/months.ts'
import { NoBudgetMessage } from '../budget/NoBudgetMessage.tsx'
import { answerCache, type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { ChartCard } from '../shell/ChartCard.tsx'
import { updateOptimistically } from '../shell/calls/updateOptimistically.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { useUrlParameters } from '../shell/useAddressParameters.ts'
import { useDialogSave } from '../shell/useSave.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { FormModal } from '../ui/dialogs/FormModal.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { ExcludedLocations } from './ExcludedLocations.tsx'

const CashChart = lazyComponent(() => import('./CashChart.tsx'), 'CashChart')

type Cash = RouterOutputs['monitoring']['cash']['forecast']

/** The cash forecast of one school, or of all schools (rules.md §17). */
export function CashPage({ screen }: { screen: { area: string } }) {
  const isConsole = screen.area === 'Console'
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  const openBudget = budgets.find((one) => one.mongoId === budgetId)
  return <CashForecast key={isConsole ? 'console' : budgetId} budget={isConsole || !openBudget ? null : openBudget} />
}

function CashForecast({
  budget,
}: {
  budget: { mongoId: string; locationId: LocationId; firstYear: number; startMonth: number; numberOfYears: number } | null
}) {
  const { locations, budgets } = useCoreData()
  const isAllowed = usePermissionCheck()
  const [search, setParameters] = useUrlParameters()
  const [open, setOpen] = useState<'opening' | 'settings' | null>(null)
  const now = getCurrentMonth()
  const months = trpc.monitoring.months.useQuery(getImportSearchRange(now))
  const closed = (months.data ?? []).filter((one) => one.isClosed && (!budget || one.locationId === budget.locationId))
  const month = parseMonth(search.get('month')) ?? findLatestMonth(closed, budget)
  const count = [12, 18, 24].find((one) => String(one) === search.get('months')) ?? 12
  const locationIds = (search.get('locations') ?? '').split(',').filter(Boolean).map(Number)
  const cash = trpc.monitoring.cash.forecast.useQuery(
    {
      ...month,
      count,
      budgetId: budget?.mongoId ?? null,
      locationIds: !budget && locationIds.length ? locationIds : null,
    },
    { enabled: !months.isLoading, placeholderData: (before) => before },
  )
  const record = budget && findOtherBudgetOfRecord(budgets, budget.mongoId, month)
  const mayEdit = isAllowed(forecastPermissions) && !record
  const untyped = cash.data?.opening.filter((one) => one.value === null) ?? []
  if (months.isLoadingError) return <LoadFailed query={months} />
  return (
    <>
      <PageHead
        title="Cash forecast"
        documentTitle={`Cash forecast - ${budget ? 'Monitoring' : 'Console'}`}
        pills={cash.data?.isBelowFloor && <Pill tone="warn">Below the floor</Pill>}
        facts={cash.data && <Facts cash={cash.data} />}
      >
        {!budget && isAllowed(['ConsoleMonitoringBudgetForecastReadUpdate']) && (
          <Button variant="default" onClick={() => setOpen('settings')}>
            Timing of receipts and payments
          </Button>
        )}
        {mayEdit && cash.data && cash.data.opening.length > 0 && <Button onClick={() => setOpen('opening')}>Opening cash</Button>}
      </PageHead>
      <Toolbar>
        <MonthSelect label="As at" choices={listMonthsAround(now)} month={month} onChange={(value) => setParameters({ month: value })} />
        <SegmentedControl
          aria-label="Months"
          value={String(count)}
          onChange={(value) => setParameters({ months: value === '12' ? null : value })}
          data={['12', '18', '24'].map((value) => ({ value, label: `${value} months` }))}
        />
        {!budget && (
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
        )}
      </Toolbar>
      {record && <BudgetOfRecordNotice record={record} month={month} />}
      {cash.isError ? (
        <LoadFailed query={cash} />
      ) : !cash.data ? (
        <Skeleton height={420} />
      ) : cash.data.months.length === 0 ? (
        <NoBudgetMessage month={month} />
      ) : (
        <SectionStack>
          {untyped.length > 0 && (
            <p className={textStyles.since} role="status">
              Cash cannot be calculated until the opening cash is entered for{' '}
              {untyped
                .slice(0, 5)
                .map((one) => one.location)
                .join(', ')}
              {untyped.length > 5 && ` and ${displayCount(untyped.length - 5, 'other')}`}.
            </p>
          )}
          {cash.data.lowest && (
            <ChartCard label="Chart" heading="Closing cash" title="Closing cash" height={240}>
              <CashChart cash={cash.data} />
            </ChartCard>
          )}
          <CashTable cash={cash.data} asAt={month} />
          <ExcludedLocations places={cash.data.leftOut} />
        </SectionStack>
      )}
      {open === 'opening' && cash.data && <OpeningDialog opening={cash.data.opening} onClose={() => setOpen(null)} />}
      {open === 'settings' && <SettingsDialog onClose={() => setOpen(null)} />}
    </>
  )
}

function Facts({ cash }: { cash: Cash }) {
  const { lowest, floor } = cash
  if (!lowest) return <>The lowest month is not known yet</>
  return (
    <>
      Lowest in <b>{formatMonth(lowest)}</b>: <b>{displayWholePounds(toPennies(lowest.closing))}</b>
      {floor !== null && (
        <>
          {' '}
          · floor {displayWholePounds(toPennies(floor))}
          {cash.isBelowFloor && `, ${displayWholePounds(toPennies(floor) - toPennies(lowest.closing))} short`}
        </>
      )}
    </>
  )
}

function CashTable({ cash, asAt }: { cash: Cash; asAt: CalendarMonth }) {
  const { lowest, floor } = cash
  const cell = (value: number | null) =>
    value === null ? (
      <span className={textStyles.missing}>not calculated</span>
    ) : (
      <span className={value < 0 ? textStyles.up : undefined}>{displayFigure(toPennies(value))}</span>
    )
  return (
    <Card className={scrollStyles.scroll} aria-label="Cash by month">
      <DataTable
        isTight
        columns={[
          {
            id: 'month',
            label: 'Pounds and pence',
            cell: (month) => (
              <>
                {formatMonth(month)}
                {formatIsoMonth(month) === formatIsoMonth(asAt) && <span className={textStyles.dim}> as at</span>}
                {lowest && formatIsoMonth(month) === formatIsoMonth(lowest) && <span className={textStyles.dim}> lowest</span>}
                {floor !== null && month.closing !== null && month.closing < floor && (
                  <span className={textStyles.up}> below the floor</span>
                )}
                <IncompleteSumNote count={month.missing} />
              </>
            ),
          },
          { id: 'opening', label: 'Opening cash', isFigure: true, cell: ({ opening }) => cell(opening) },
          { id: 'receipts', label: 'Receipts', isFigure: true, cell: ({ receipts }) => cell(receipts) },
          { id: 'payments', label: 'Payments', isFigure: true, cell: ({ payments }) => cell(payments) },
          { id: 'closing', label: 'Closing cash', isFigure: true, cell: ({ closing }) => cell(closing) },
        ]}
        rows={cash.months}
        keyOf={formatIsoMonth}
      />
    </Card>
  )
}

/** Edits each location's cash at the start of its budget year. */
function OpeningDialog({ opening, onClose }: { opening: Cash['opening']; onClose: () => void }) {
  const [values, setValues] = useState<Record<number, number | null>>(Object.fromEntries(opening.map((one) => [one.locationId, one.value])))
  const { mutateAsync: saveOpening } = trpc.monitoring.cash.saveOpening.useMutation()
  const saveAll = async (): Promise<void> => {
    for (const one of opening) {
      const value = values[one.locationId] ?? null
      if (value !== one.value) await saveOpening({ locationId: one.locationId, year: one.year, value })
    }
  }
  const { problem, isSaving, save } = useDialogSave(saveAll, notices.saved, onClose)
  return (
    <FormModal title="Opening cash" isSaving={isSaving} onSave={save} onClose={onClose}>
      <p className={textStyles.dim} style={{ margin: 0 }}>
        The bank balance at the start of the budget year.
      </p>
      {opening.map((one, index) => (
        <NumberField
          key={one.locationId}
          label={`${one.location}, ${formatBudgetYear(one.year, 0)}`}
          mt="sm"
          prefix="£"
          decimalScale={2}
          thousandSeparator=","
          data-autofocus={index === 0 || undefined}
          value={values[one.locationId]}
          onChange={(value) => setValues((before) => ({ ...before, [one.locationId]: value }))}
        />
      ))}
      {problem && (
        <p role="alert" className={textStyles.up}>
          {problem}
        </p>
      )}
    </FormModal>
  )
}

const lagChoices = [
  { value: '', label: 'Default' },
  { value: '0', label: 'Same month' },
  { value: '1', label: '1 month later' },
  { value: '2', label: '2 months later' },
  { value: '3', label: '3 months later' },
]

/** Edits the time in months between a code's cost and its payment, and the cash level below which the organisation is warned. */
function SettingsDialog({ onClose }: { onClose: () => void }) {
  const settings = trpc.monitoring.cash.settings.useQuery()
  const { mutateAsync: chooseLag } = trpc.monitoring.cash.chooseLag.useMutation()
  const { mutateAsync: saveFloor } = trpc.monitoring.cash.saveFloor.useMutation()
  // Undefined if not edited; null if the user cleared the field.
  const [floor, setFloor] = useState<number | null | undefined>(undefined)
  const [codeId, setCodeId] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setProblem(null)
    try {
      await work()
      notifySuccess(notices.saved)
    } catch (error) {
      setProblem(toPublicError(error).message)
    }
  }
  if (settings.isLoadingError)
    return (
      <Dialog onClose={onClose} title="Timing of receipts and payments">
        <LoadFailed query={settings} />
      </Dialog>
    )
  const choose = (id: number, lag: number | null): Promise<void> =>
    run(() =>
      updateOptimistically(
        { query: answerCache.monitoring.cash.settings, input: undefined },
        (now) => ({ ...now, codes: now.codes.map((one) => (one.budgetCodeId === id ? { ...one, lag } : one)) }),
        () => chooseLag({ budgetCodeIds: [id], lag }),
      ),
    )
  const codes = settings.data?.codes ?? []
  const chosen = codes.filter((one) => one.lag !== null || String(one.budgetCodeId) === codeId)
  const shownFloor = floor === undefined ? (settings.data?.floor ?? null) : floor
  return (
    <Dialog onClose={onClose} title="Timing of receipts and payments" size="lg">
      {!settings.data ? (
        <Skeleton height={240} />
      ) : (
        <>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void run(() => saveFloor({ value: shownFloor }))
            }}
          >
            <Group align="end">
              <NumberField
                label="Floor"
                description="Closing cash below this shows a warning. Leave empty for no warning."
                prefix="£"
                decimalScale={2}
                thousandSeparator=","
                data-autofocus
                value={shownFloor}
                onChange={setFloor}
              />
              <Button type="submit" variant="default">
                Save floor
              </Button>
            </Group>
          </form>
          <p className={textStyles.dim}>
            Amounts are received and paid in their own month, except employer’s national insurance and pension, which are paid a month
            later. Choose a code to change this.
          </p>
          <Choice
            aria-label="Code"
            placeholder="Code"
            nothingFoundMessage="Code not found"
            data={codes.map((one) => ({ value: String(one.budgetCodeId), label: one.name }))}
            value={codeId}
            onChange={setCodeId}
          />
          {chosen.map((one) => (
            <Choice
              key={one.budgetCodeId}
              label={one.name}
              mt="sm"
              data={lagChoices}
              value={one.lag === null ? '' : String(one.lag)}
              onChange={(value) => void choose(one.budgetCodeId, value ? Number(value) : null)}
            />
          ))}
          {problem && (
            <p role="alert" className={textStyles.up}>
              {problem}
            </p>
          )}
          <p className={textStyles.dim}>
            {settings.data.floor === null ? 'No floor is set.' : `The floor is ${displayMoney(toPennies(settings.data.floor))}.`}
          </p>
        </>
      )}
    </Dialog>
  )
}
