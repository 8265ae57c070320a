import { Button, Group, Skeleton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import clsx from 'clsx'
import { useState } from 'react'
import { calculateForecastOutturn } from '../../../domain/monitoring/forecastOutturn.ts'
import { type ForecastMethod, forecastMethods } from '../../../domain/monitoring/monitoring.ts'
import { displayFigure, toPennies, toPounds } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from '../MonitoringTable.module.css'
import type { MonitoringParameters, MonitoringRow, MonitoringScope } from '../scope.ts'
import { forecastMethodNames } from './forecastMethodNames.ts'
import { handleMonthKeys } from './handleMonthKeys.ts'
import { findBudgetYearOfMonth, toForecastYear, useForecastYear } from './useForecastYear.ts'
import { WorkingForecastEntries } from './WorkingForecast.tsx'
import { YearEndPosition } from './YearEndPosition.tsx'

/** A saved forecast method, which an undo restores. */
interface SavedMethod {
  method: ForecastMethod
  /** Monthly values in pounds. */
  values: number[] | null
}

/** The months of the year: actuals if imported, and the forecast method of the other months (rules.md §17). */
export function ForecastMonths({
  row,
  codeId,
  isIncome,
  parameters,
  scope,
  isReadOnly,
  onTyped,
}: {
  row: MonitoringRow
  codeId: number
  isIncome: boolean
  parameters: MonitoringParameters
  scope: MonitoringScope
  isReadOnly: boolean
  /** Reports the months in pounds while the user types; null if there are no unsaved changes. */
  onTyped: (months: number[] | null) => void
}) {
  const year = useForecastYear(codeId, parameters)
  const budgetScope = scope.kind === 'budget' ? scope : null
  const firstYear = budgetScope ? findBudgetYearOfMonth(parameters, budgetScope) : parameters.year
  const methods = trpc.monitoring.forecastMethods.useQuery(
    { year: firstYear, locationIds: budgetScope && [budgetScope.locationId] },
    { enabled: budgetScope !== null },
  )
  const { mutateAsync: chooseForecast } = trpc.monitoring.chooseForecast.useMutation()
  const found = methods.data?.find((one) => one.budgetCodeId === codeId)
  const savedMethod: SavedMethod = { method: found?.method ?? 'budget', values: found?.values ?? null }
  const [isTyping, setTyping] = useState(false)
  const [typed, keepTyped] = useState<(number | null)[] | null>(null)
  const setTyped = (next: (number | null)[] | null): void => {
    keepTyped(next)
    onTyped(next?.map((value) => value ?? 0) ?? null)
  }
  /** The value being saved. It is shown at once; if the server refuses it, the previous value returns. */
  const [saving, setSaving] = useState<SavedMethod | null>(null)
  const isSaving = saving !== null
  useUnsavedChanges(typed !== null)
  const saveMethod = async ({ method, values }: SavedMethod): Promise<void> => {
    if (budgetScope) await chooseForecast({ locationId: budgetScope.locationId, year: firstYear, budgetCodeIds: [codeId], method, values })
    // Keep the values that the user typed until the refetch returns, so that the old values do not appear in between.
    await Promise.all([year.refetch(), methods.refetch()])
    setTyped(null)
    setTyping(false)
  }
  const save = async (next: SavedMethod): Promise<void> => {
    if (isSaving) return
    setSaving(next)
    const before = savedMethod
    try {
      await saveMethod(next)
      notifySuccess(
        notices.saved,
        createDeletionUndo(() => saveMethod(before)),
      )
    } catch (error) {
      notifyFailure(error)
    }
    setSaving(null)
  }
  const shown = year.data && toForecastYear(year.data)
  const inputs =
    typed ?? (savedMethod.method === 'typed' ? savedMethod.values : null) ?? shown?.months.map(({ value }) => toPounds(value)) ?? []
  const saveTyped = (): Promise<void> => save({ method: 'typed', values: inputs.map((value) => value ?? 0) })
  useHotkeys([['mod+S', () => void (typed && saveTyped())]], [])
  if (year.isLoadingError || methods.isLoadingError) return <LoadFailed query={year.isLoadingError ? year : methods} />
  if (!shown || (budgetScope && !methods.data)) return <Skeleton height={120} />
  const { months, budget, nameOf } = shown
  const method = saving?.method ?? (isTyping || typed ? 'typed' : savedMethod.method)
  const isOpened = method === 'typed' && budgetScope !== null && !isReadOnly
  const open = isOpened ? inputs.map((value) => toPennies(value ?? 0)) : months.map(({ value }) => value)
  const outcome = calculateForecastOutturn(months, open, { budget, adjustment: toPennies(row.adjustment), isIncome })
  return (
    <>
      <Card aria-label="Forecast by month">
        <CardHead>
          Months <CardNote>actuals for imported months, otherwise the forecast</CardNote>
          <span style={{ flex: 1 }} />
          {budgetScope && (
            <Choice
              aria-label="Open months are forecast"
              size="xs"
              w={210}
              disabled={isReadOnly || isSaving}
              data={forecastMethods.map((value) => ({ value, label: forecastMethodNames[value] }))}
              value={method}
              onChange={(value) => {
                if (value === 'typed') setTyping(true)
                else if (value) void save({ method: value, values: null })
              }}
            />
          )}
        </CardHead>
        <CardBody>
          <YearEndPosition outcome={outcome} budget={budget} isTyped={typed !== null} />
        </CardBody>
        <div className={scrollStyles.scroll} onKeyDown={handleMonthKeys}>
          <DataTable
            isTight
            columns={[
              { id: 'month', label: 'Month', cell: ({ name }) => name },
              {
                id: 'budget',
                label: 'Budget',
                isFigure: true,
                cell: ({ budget: pennies }) => (pennies === null ? '' : displayFigure(pennies)),
              },
              { id: 'outcome', label: 'Actual or forecast', isFigure: true, cell: ({ outcome: shown }) => shown },
            ]}
            rows={[
              ...months.map(({ isActual }, period) => ({
                name: (
                  <>
                    {nameOf(period)} {isActual && <span className={textStyles.dim}>actual</span>}
                  </>
                ),
                isActual,
                isTotal: false,
                budget: toPennies(year.data.budget[period] ?? 0),
                outcome:
                  isOpened && !isActual ? (
                    <NumberField
                      className={classes.amount}
                      fixedDecimalScale
                      aria-label={`Forecast for ${nameOf(period)}`}
                      data-column="typed"
                      data-month={period}
                      size="xs"
                      w={130}
                      ml="auto"
                      decimalScale={2}
                      thousandSeparator=","
                      hideControls
                      withKeyboardEvents={false}
                      value={inputs[period]}
                      onChange={(next) => setTyped(inputs.map((one, index) => (index === period ? next : one)))}
                    />
                  ) : (
                    displayFigure(outcome.values[period] ?? 0)
                  ),
              })),
              ...(row.adjustment === 0
                ? []
                : [
                    {
                      name: 'Adjustment',
                      isActual: false,
                      isTotal: false,
                      budget: null,
                      outcome: displayFigure(toPennies(row.adjustment)),
                    },
                  ]),
              { name: 'Year', isActual: false, isTotal: true, budget, outcome: displayFigure(outcome.forecast) },
            ]}
            look={({ isTotal }) => (isTotal ? 'total' : undefined)}
            rowProps={({ isActual }) => ({ className: clsx(isActual && classes.closedMonth) })}
          />
        </div>
        {isOpened && (isTyping || typed) && (
          <Group p="sm" gap="xs">
            <Button size="xs" loading={isSaving} onClick={() => void saveTyped()} rightSection={<ShortcutHint>Ctrl S</ShortcutHint>}>
              Save months
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                setTyped(null)
                setTyping(false)
              }}
            >
              Discard changes
            </Button>
          </Group>
        )}
        {!budgetScope && (
          <p className={textStyles.since} style={{ padding: '0 12px' }}>
            The total for all locations. Open a budget to enter months, or choose “Forecast methods” above the table.
          </p>
        )}
      </Card>
      {budgetScope && savedMethod.method === 'budget' && method === 'budget' && (
        <WorkingForecastEntries
          codeId={codeId}
          budgetId={parameters.forecastBudgetId ?? budgetScope.budgetId}
          isOwnBudget={!parameters.forecastBudgetId}
          year={firstYear}
          shown={shown}
          adjustment={toPennies(row.adjustment)}
          isIncome={isIncome}
          isReadOnly={isReadOnly}
          reread={year.refetch}
          onTyped={onTyped}
        />
      )}
    </>
  )
}
