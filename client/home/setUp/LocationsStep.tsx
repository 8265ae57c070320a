import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { resources } from '../../../domain/resources/all.ts'
import { locationFile } from '../../../domain/resources/locationFile.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import { numberOrNull, textOrNull } from '../../../domain/values/unknownValues.ts'
import { notices } from '../../../domain/words/notices.ts'
import { createDefaultFills } from '../../resources/import/importFile.ts'
import { getResourceCalls, getResourceHooks, useRecordNames, useResourceMutations } from '../../resources/resourceApi.ts'
import { type SelectableOrganisation, useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { notifySuccess } from '../../shell/notify.tsx'
import { DateField } from '../../ui/fields/DateField.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import { ExistingRecordsCard } from './ExistingRecordsCard.tsx'
import { NewRecordsTable } from './NewRecordsTable.tsx'

const { location: resource } = resources
const headings = ['Name', 'LocalAuthority', 'DfeNumber', 'PayScaleRegion', 'Central']

/** Default values of a new location for the columns that an import requires. */
const defaultValues = { ...createDefaultFills(resource, resource.importRequired ?? []) }

/** Default length of a licence in years; it is the most common length. */
const defaultLicenceYears = 5

/** The step that adds the organisation's schools and central team. */
export function LocationsStep({ organisation, onDone }: { organisation: SelectableOrganisation; onDone: () => void }) {
  const term = useTerm()('Location')
  const [typedUntil, setUntil] = useState<string | null>(null)
  const saves = useResourceMutations(resource)
  const organisationQuery = getResourceHooks(resources.organisation).get.useQuery({ id: organisation.id })
  const template = getResourceHooks(resource).template.useQuery(undefined)
  const list = getResourceHooks(resource).list.useQuery({
    pageNumber: 1,
    pageSize: 5000,
    sort: 'name',
    filters: [{ filter: 'organisationId', filterType: 'set', values: [organisation.id] }],
  })
  const rows = list.data?.rows ?? []
  const authorities = useRecordNames(
    'localAuthority',
    rows.flatMap((row) => numberOrNull(row.localAuthorityId) ?? []),
  )
  if (list.isLoadingError) return <LoadFailed query={list} />
  if (!list.data) return <Skeleton height={240} />
  const today = dayInLondon(new Date())
  const until =
    typedUntil ?? textOrNull(organisationQuery.data?.contractExpiryDate) ?? `${Number(today.slice(0, 4)) + defaultLicenceYears}-08-31`
  const inEach = { ContractExpiryDate: until.split('-').reverse().join('/') }
  const ofOrganisation = (cells: Record<string, string>): Record<string, string> => ({ ...cells, Organisation: organisation.name })
  const existingNames = new Set(rows.map((row) => String(row.name).toLowerCase()))
  return (
    <SectionStack>
      <ExistingRecordsCard
        term={term}
        none="None yet. A budget belongs to a location: a school, or the central team."
        headings={['Name', 'Local authority', 'DfE number']}
        rows={rows.map((row) => ({
          key: row.id,
          cells: [String(row.name), authorities.get(Number(row.localAuthorityId))?.name ?? '', textOrNull(row.dfeNumber) ?? ''],
        }))}
        file={{
          resource: locationFile,
          calls: {
            import: (input) => saves.import({ ...input, rows: input.rows.map(ofOrganisation) }),
            template: getResourceCalls(resource).template,
          },
          usual: inEach,
        }}
        onDone={onDone}
      />
      <NewRecordsTable
        resource={locationFile}
        headings={headings}
        template={template.data}
        placeholders={{ PayScaleRegion: 'Main', Central: 'No', DfeNumber: '1234567' }}
        term={term}
        check={({ Name = '' }) =>
          existingNames.has(Name.toLowerCase())
            ? { column: 'Name', message: `${organisation.name} already has a location with this name.` }
            : null
        }
        save={async (typed) => {
          const { imported } = await saves.import({
            rows: typed.map((cells) =>
              ofOrganisation({ ...defaultValues, ...dropEmptyCells(cells), ...inEach, PayScaleRegion: cells.PayScaleRegion || 'Main' }),
            ),
          })
          notifySuccess(notices.created(imported === 1 ? term.singular : term.plural))
        }}
      >
        <div style={{ maxWidth: 420 }}>
          <DateField
            label="Contract expiry date"
            description={resource.fields.contractExpiryDate.help}
            value={until}
            onChange={setUntil}
            required
          />
        </div>
      </NewRecordsTable>
    </SectionStack>
  )
}

/** Drops empty cells, so that the defaults of a new location apply. */
function dropEmptyCells(cells: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(cells).filter(([heading, text]) => text || heading === 'Name' || heading === 'LocalAuthority'))
}
