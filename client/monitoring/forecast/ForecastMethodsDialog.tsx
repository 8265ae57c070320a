import { Button, Checkbox, Group, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type ForecastMethod, forecastMethods } from '../../../domain/monitoring/monitoring.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayFigure, toPennies } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { type RouterOutputs, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { useDialogSave } from '../../shell/useSave.ts'
import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import type { MonitoringRow } from '../scope.ts'
import { forecastMethodNames } from './forecastMethodNames.ts'

/** A location, and the budget year that the screen shows for it. */
export interface LocationBudgetYear {
  locationId: LocationId
  /** The calendar year in which the location's budget year starts. */
  year: number
}

/** Methods that can apply to several codes at once. Months that a user enters belong to a single code. */
const bulkMethods = forecastMethods.filter((method) => method !== 'typed')

/** Changes the forecast method of several codes, at all locations shown (rules.md §17). */
export function ForecastMethodsDialog({
  rows,
  locations,
  isReadOnly,
  onClose,
}: {
  rows: readonly MonitoringRow[]
  locations: readonly LocationBudgetYear[]
  isReadOnly: boolean
  onClose: () => void
}) {
  const years = [...new Set(locations.map((location) => location.year))]
  const first = trpc.monitoring.forecastMethods.useQuery({
    year: years[0] ?? 2000,
    locationIds: locations.map((location) => location.locationId),
  })
  // Of two budget years that contain the month, one starting in April and one in September, the start years differ by at most one.
  const second = trpc.monitoring.forecastMethods.useQuery(
    { year: years[1] ?? 2000, locationIds: locations.map((location) => location.locationId) },
    { enabled: years.length > 1 },
  )
  const savedMethods = [first.data, years.length > 1 ? second.data : []].every(Boolean)
    ? [
        ...(first.data ?? []).map((one) => ({ ...one, year: assertDefined(years[0]) })),
        ...(second.data ?? []).map((one) => ({ ...one, year: assertDefined(years[1]) })),
      ]
    : null
  return (
    <Dialog onClose={onClose} title="Forecast methods" size="xl">
      {first.isLoadingError || second.isLoadingError ? (
        <LoadFailed query={first.isLoadingError ? first : second} />
      ) : !savedMethods ? (
        <Skeleton height={320} />
      ) : (
        <Methods
          rows={rows}
          locations={locations}
          savedMethods={savedMethods.filter((one) =>
            locations.some((location) => location.locationId === one.locationId && location.year === one.year),
          )}
          isReadOnly={isReadOnly}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type SavedMethod = RouterOutputs['monitoring']['forecastMethods'][number] & { year: number }

function Methods({
  rows,
  locations,
  savedMethods: kept,
  isReadOnly,
  onClose,
}: {
  rows: readonly MonitoringRow[]
  locations: readonly LocationBudgetYear[]
  savedMethods: readonly SavedMethod[]
  isReadOnly: boolean
  onClose: () => void
}) {
  const term = useTerm()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [method, setMethod] = useState<ForecastMethod>('whatIsLeft')
  const { mutateAsync: chooseForecast } = trpc.monitoring.chooseForecast.useMutation()
  const codes = rows.flatMap((row) => (row.kind === 'Data' && row.budgetCodeId !== null ? [{ ...row, id: row.budgetCodeId }] : []))
  const describeRow = (row: MonitoringRow): string => `${row.code ?? ''} ${row.description}`.trim()
  const shown = codes.filter((row) => describeRow(row).toLowerCase().includes(search.trim().toLowerCase()))
  const isAll = shown.length > 0 && shown.every((row) => chosen.has(row.id))
  const toggle = (ids: readonly number[], isOn: boolean): void =>
    setChosen((before) => new Set(isOn ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))))
  const methodOf = (id: number): string => {
    const ownMethods = new Set(
      locations.map(
        (location) => kept.find((one) => one.locationId === location.locationId && one.budgetCodeId === id)?.method ?? 'budget',
      ),
    )
    const [only] = ownMethods
    return ownMethods.size === 1 && only ? forecastMethodNames[only] : 'Differs by location'
  }
  const budgetCodeIds = [...chosen]
  const undoChange = async (): Promise<void> => {
    for (const { locationId, year } of locations) {
      const had = kept.filter((one) => one.locationId === locationId && chosen.has(one.budgetCodeId))
      const without = budgetCodeIds.filter((id) => !had.some((one) => one.budgetCodeId === id))
      if (without.length) await chooseForecast({ locationId, year, budgetCodeIds: without, method: 'budget' })
      for (const one of had)
        await chooseForecast({ locationId, year, budgetCodeIds: [one.budgetCodeId], method: one.method, values: one.values })
    }
    notifySuccess(notices.saved)
  }
  const { problem, isSaving, save } = useDialogSave(
    async () => {
      for (const { locationId, year } of locations) await chooseForecast({ locationId, year, budgetCodeIds, method })
    },
    null,
    () => {
      notifySuccess(notices.saved, () => void undoChange().catch(notifyFailure))
      onClose()
    },
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReadOnly && chosen.size) void save()
      }}
    >
      <Group align="end" mb="sm">
        <TextInput
          label={`Find ${toMidSentence(term('BudgetCode').plural)}`}
          data-autofocus
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {!isReadOnly && (
          <Choice
            label="Forecast open months"
            w={230}
            data={bulkMethods.map((value) => ({ value, label: forecastMethodNames[value] }))}
            value={method}
            onChange={(value) => value && setMethod(value)}
          />
        )}
      </Group>
      <Card className={scrollStyles.scroll} style={{ maxHeight: '48vh', overflow: 'auto' }} aria-label="Codes">
        <DataTable
          isTight
          columns={[
            {
              id: 'code',
              label: term('BudgetCode').singular,
              head: isReadOnly ? undefined : (
                <Checkbox
                  label={`All ${displayCount(shown.length, 'code')}`}
                  checked={isAll}
                  indeterminate={!isAll && shown.some((row) => chosen.has(row.id))}
                  onChange={() =>
                    toggle(
                      shown.map((row) => row.id),
                      !isAll,
                    )
                  }
                />
              ),
              cell: (row) =>
                isReadOnly ? (
                  describeRow(row)
                ) : (
                  <Checkbox
                    label={describeRow(row)}
                    checked={chosen.has(row.id)}
                    onChange={(event) => toggle([row.id], event.currentTarget.checked)}
                  />
                ),
            },
            { id: 'method', label: 'Forecast now', cell: ({ id }) => methodOf(id) },
            { id: 'budget', label: 'Full-year budget', isFigure: true, cell: (row) => displayFigure(toPennies(row.fullYearBudget)) },
            { id: 'forecast', label: 'Forecast', isFigure: true, cell: (row) => displayFigure(toPennies(row.forecast ?? 0)) },
          ]}
          rows={shown}
          keyOf={({ id }) => id}
        />
      </Card>
      <p className={textStyles.since} style={{ marginTop: 10 }}>
        {locations.length > 1 ? `Applies to all ${displayCount(locations.length, 'location')} shown. ` : ''}Monthly forecasts are entered
        code by code: open the code in the table.
      </p>
      {problem && (
        <p role="alert" className={textStyles.up}>
          {problem}
        </p>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {isReadOnly ? 'Close' : 'Cancel'}
        </Button>
        {!isReadOnly && (
          <Button type="submit" loading={isSaving} disabled={!chosen.size}>
            {chosen.size ? `Change ${displayCount(chosen.size, 'code')}` : 'Change'}
          </Button>
        )}
      </Group>
    </form>
  )
}
