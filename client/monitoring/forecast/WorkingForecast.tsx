import { Button, Group, Skeleton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import clsx from 'clsx'
import { useState } from 'react'
import { budgetState } from '../../../domain/lookups/lookupIds.ts'
import { calculateForecastOutturn } from '../../../domain/monitoring/forecastOutturn.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { displayFigure, toPennies, toPounds } from '../../../domain/values/format.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { type RouterOutputs, trpc } from '../../shell/api.ts'
import { useCoreData, useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { useSelection } from '../../shell/selection.ts'
import { useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import type { TableColumn } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from '../MonitoringTable.module.css'
import { handleMonthKeys } from './handleMonthKeys.ts'
import type { ForecastYear } from './useForecastYear.ts'
import { YearEndPosition } from './YearEndPosition.tsx'

type Entry = RouterOutputs['monitoring']['entriesByYear'][number]
/** The twelve months that the user typed for each entry, by entry id, in pounds. */
type Typed = Readonly<Record<string, readonly (number | null)[]>>

/** Returns the months of an entry in one year, in pounds; null if they cannot be calculated. */
function calculateMonths(entry: Entry, yearLabel: string): number[] | null {
  const months = entry.years.find((one) => one.yearName === yearLabel)?.worked.periods ?? []
  return months.length === 12 && months.every((month) => month !== null) ? months : null
}

/** The budget entries that forecast a code's open months. They can be edited here if the organisation allows a working forecast. */
export function WorkingForecastEntries({
  codeId,
  budgetId,
  isOwnBudget,
  year,
  shown,
  adjustment,
  isIncome,
  isReadOnly,
  reread,
  onTyped,
}: {
  codeId: number
  /** The budget whose lines forecast the open months. */
  budgetId: BudgetId
  /** Whether this is the monitored budget itself and not a separate working forecast. */
  isOwnBudget: boolean
  /** The calendar year in which the budget year starts. */
  year: number
  shown: ForecastYear
  /** In whole pennies. */
  adjustment: number
  isIncome: boolean
  isReadOnly: boolean
  /** Loads the year on the screen again. */
  reread: () => Promise<unknown>
  /** Reports the months in pounds while the user types; null if there are no unsaved changes. */
  onTyped: (months: number[] | null) => void
}) {
  const term = useTerm()('BudgetEntry')
  const { organisationId } = useSelection()
  const { organisations, budgets } = useCoreData()
  const isAllowed = Boolean(organisations.find((one) => one.id === organisationId)?.flags.allowWorkingForecast)
  const budget = budgets.find((one) => one.mongoId === budgetId)
  const isLocked = budget?.state === budgetState.locked
  const entries = trpc.monitoring.entriesByYear.useQuery({ year, budgetId, budgetCodeId: codeId }, { enabled: isAllowed })
  const { mutateAsync: saveEntries } = trpc.monitoring.saveForecastEntries.useMutation()
  const [typed, keepTyped] = useState<Typed>({})
  const [isSaving, setSaving] = useState(false)
  const isTyped = Object.keys(typed).length > 0
  useUnsavedChanges(isTyped)
  const yearLabel = formatBudgetYear(year, 0)
  const before = (entry: Entry): number[] => calculateMonths(entry, yearLabel) ?? []
  const valuesOf = (entry: Entry): readonly (number | null)[] => typed[entry.id] ?? before(entry)
  const moreWith = (next: Typed, period: number): number =>
    (entries.data ?? []).reduce(
      (sum, entry) => sum + toPennies((next[entry.id] ?? before(entry))[period] ?? 0) - toPennies(before(entry)[period] ?? 0),
      0,
    )
  const setTyped = (next: Typed): void => {
    keepTyped(next)
    const hasTyped = Object.keys(next).length > 0
    onTyped(hasTyped ? shown.months.map(({ value }, period) => toPounds(value + moreWith(next, period))) : null)
  }
  const savePeriods = async (changed: { id: string; periods: number[] }[]): Promise<void> => {
    await saveEntries({ year, budgetId, budgetCodeId: codeId, entries: changed })
    // Keep the values that the user typed until the refetch returns, so that the old values do not appear in between.
    await Promise.all([entries.refetch(), reread()])
    setTyped({})
  }
  const save = async (): Promise<void> => {
    const typedEntries = (entries.data ?? []).filter((entry) => typed[entry.id])
    if (!typedEntries.length || isSaving) return
    setSaving(true)
    try {
      await savePeriods(typedEntries.map((entry) => ({ id: entry.id, periods: valuesOf(entry).map((value) => value ?? 0) })))
      notifySuccess(
        notices.saved,
        createDeletionUndo(() => savePeriods(typedEntries.map((entry) => ({ id: entry.id, periods: before(entry) })))),
      )
    } catch (error) {
      notifyFailure(error)
    }
    setSaving(false)
  }
  useHotkeys([['mod+S', () => void save()]], [])
  if (!isAllowed) return null
  if (entries.isLoadingError) return <LoadFailed query={entries} />
  if (!entries.data) return <Skeleton height={120} />
  if (!entries.data.length) return null
  const { months, nameOf } = shown
  const more = months.map((_unused, period) => moreWith(typed, period))
  const total = shown.budget + (isOwnBudget ? more.reduce((sum, value) => sum + value, 0) : 0)
  const open = months.map(({ value }, period) => value + assertDefined(more[period]))
  const outcome = calculateForecastOutturn(months, open, { budget: total, adjustment, isIncome })
  const mayType = (entry: Entry): boolean => !isReadOnly && !isLocked && entry.source === null && calculateMonths(entry, yearLabel) !== null
  return (
    <Card aria-label="Working forecast">
      <CardHead>
        Working forecast{' '}
        <CardNote>{`the open months come from these ${toMidSentence(term.plural)} in ${budget?.name ?? 'the budget'}`}</CardNote>
      </CardHead>
      <CardBody>
        <YearEndPosition outcome={outcome} budget={total} isTyped={isTyped} />
        {isLocked ? (
          <p className={textStyles.since} style={{ margin: '6px 0 0' }}>
            The budget is locked. Duplicate it and choose the copy under “Open months” to enter a forecast.
          </p>
        ) : (
          isOwnBudget && (
            <p className={textStyles.since} style={{ margin: '6px 0 0' }}>
              Changes here alter the budget itself. To keep it unchanged, duplicate it and choose the copy under “Open months”.
            </p>
          )
        )}
      </CardBody>
      <div className={scrollStyles.scroll} onKeyDown={handleMonthKeys}>
        <DataTable
          isTight
          columns={[
            {
              id: 'month',
              label: 'Month',
              cell: (month, period) =>
                month ? (
                  <>
                    {nameOf(period)} {month.isActual && <span className={textStyles.dim}>actual</span>}
                  </>
                ) : (
                  'Year'
                ),
            },
            ...entries.data.map(
              (entry): TableColumn<(typeof months)[number] | null> => ({
                id: entry.id,
                label: entry.description,
                isFigure: true,
                cell: (month, period) => {
                  if (!month) return displayFigure(valuesOf(entry).reduce<number>((sum, value) => sum + toPennies(value ?? 0), 0))
                  if (mayType(entry) && !month.isActual)
                    return (
                      <NumberField
                        className={classes.amount}
                        fixedDecimalScale
                        aria-label={`${entry.description}, ${nameOf(period)}`}
                        data-column={entry.id}
                        data-month={period}
                        size="xs"
                        w={110}
                        ml="auto"
                        decimalScale={2}
                        thousandSeparator=","
                        hideControls
                        withKeyboardEvents={false}
                        value={valuesOf(entry)[period]}
                        onChange={(next) =>
                          setTyped({ ...typed, [entry.id]: valuesOf(entry).map((one, index) => (index === period ? next : one)) })
                        }
                      />
                    )
                  if (calculateMonths(entry, yearLabel) === null) return <span className={textStyles.missing}>not calculated</span>
                  return displayFigure(toPennies(valuesOf(entry)[period] ?? 0))
                },
              }),
            ),
          ]}
          rows={[...months, null]}
          look={(month) => (month ? undefined : 'total')}
          rowProps={(month) => ({ className: clsx(month?.isActual && classes.closedMonth) })}
        />
      </div>
      {isTyped && (
        <Group p="sm" gap="xs">
          <Button size="xs" loading={isSaving} onClick={() => void save()} rightSection={<ShortcutHint>Ctrl S</ShortcutHint>}>
            Save {toMidSentence(term.plural)}
          </Button>
          <Button size="xs" variant="default" onClick={() => setTyped({})}>
            Discard changes
          </Button>
        </Group>
      )}
    </Card>
  )
}
