import { Link } from 'react-router'
import type { FileSelection } from '../../../domain/integrations/files/connections.ts'
import { presets } from '../../../domain/integrations/files/presets.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { toLocationId } from '../../../domain/values/ids.ts'
import { MultiRecordPicker } from '../../resources/inputs/RecordPicker.tsx'
import { trpc } from '../../shell/api.ts'
import { useOrganisationWideCheck } from '../../shell/core.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import classes from '../Integrations.module.css'
import { integrationsPath } from '../linkStatus.tsx'

/** Initial choices; `useFileYear` fills in the year. */
export const initialFileSelection: FileSelection = {
  preset: assertDefined(presets[0]).name,
  layoutId: null,
  yearName: '',
  locationIds: null,
  from: 1,
  to: 12,
}

const monthsOf = (startMonth: number) =>
  Array.from({ length: 12 }, (_unused, index) => ({ value: String(index + 1), label: formatPeriodMonth(startMonth, index + 1) }))

/** Returns the years available for the locations of a file, and the chosen year, which is the first by default. */
export function useFileYear({ locationIds, yearName }: Pick<FileSelection, 'locationIds' | 'yearName'>) {
  const { data } = trpc.reports.budgetYears.useQuery({ locationIds })
  const names = data?.map(({ name }) => name) ?? []
  const startMonth = data?.[0] ? Number(data[0].start.slice(5, 7)) : 9
  return { names, year: names.includes(yearName) || !names.length ? yearName : assertDefined(names[0]), startMonth }
}

/** Chooses the layout, locations, year and months of a ledger file. */
export function LedgerFileFields({
  file,
  set,
  layoutError,
}: {
  file: FileSelection
  set: (part: Partial<FileSelection>) => void
  layoutError?: React.ReactNode
}) {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const { data: layouts } = trpc.filesOut.layouts.useQuery()
  const { names, year, startMonth } = useFileYear(file)
  const { preset, layoutId, locationIds, from, to } = file
  const about = presets.find(({ name }) => name === preset)?.about
  return (
    <>
      <Choice
        label="Layout"
        description={about ?? 'One of your organisation’s own layouts.'}
        data={[
          { group: 'Built in', items: presets.map(({ name }) => ({ value: name, label: name })) },
          ...(layouts?.length
            ? [{ group: 'Your organisation’s', items: layouts.map(({ id, name }) => ({ value: `own ${id}`, label: name })) }]
            : []),
        ]}
        value={layoutId ? `own ${layoutId}` : (preset ?? '')}
        onChange={(value) => {
          if (value === null) return
          const isPreset = presets.some(({ name }) => name === value)
          set(isPreset ? { preset: value, layoutId: null } : { preset: null, layoutId: Number(value.slice('own '.length)) })
        }}
        error={layoutError}
      />
      {mayEdit && (
        <div>
          <Link
            to={
              layoutId
                ? `${integrationsPath}/files/layouts/${layoutId}`
                : `${integrationsPath}/files/layouts/add?from=${encodeURIComponent(preset ?? '')}`
            }
          >
            {layoutId ? 'Change this layout' : 'Copy this layout and change it'}
          </Link>
        </div>
      )}
      <MultiRecordPicker
        to="location"
        label="Locations"
        emptyText="All locations"
        value={locationIds ?? []}
        onChange={(ids) => set({ locationIds: ids.length ? ids.map(toLocationId) : null })}
      />
      <div className={classes.triple}>
        <Choice label="Year" data={names} value={year} onChange={(yearName) => yearName && set({ yearName })} />
        <Choice label="From" data={monthsOf(startMonth)} value={String(from)} onChange={(value) => set({ from: Number(value) })} />
        <Choice label="To" data={monthsOf(startMonth)} value={String(to)} onChange={(value) => set({ to: Number(value) })} />
      </div>
    </>
  )
}
