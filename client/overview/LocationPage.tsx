import { resources } from '../../domain/resources/all.ts'
import type { AnyResource } from '../../domain/resources/resource.ts'
import { useSelectedLocationId } from '../budget/useBudget.ts'
import { RecordValue } from '../resources/record/RecordValue.tsx'
import { getResourceHooks } from '../resources/resourceApi.ts'
import { useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { Spinner } from '../ui/Spinner.tsx'
import { FactsTable } from '../ui/table/FactsTable.tsx'

const location: AnyResource = resources.location
const isFilled = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The selected location, read-only: it is edited on the console (behaviour B-165). */
export function LocationPage() {
  const term = useTerm()('Location')
  const query = getResourceHooks(location).get.useQuery({ id: useSelectedLocationId() })
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Spinner />
  const record = query.data
  const fields = Object.entries(location.fields).filter(
    ([name, field]) => field.kind !== 'image' && name !== 'organisationId' && isFilled(record[name]),
  )
  const sections = [...new Set(fields.map(([, field]) => field.section ?? term.singular))]
  return (
    <>
      <PageHead
        title={String(record.name)}
        documentTitle="Location - Overview"
        facts="The details of this location, which are set in the console"
      />
      <div style={{ display: 'grid', gap: 14, maxWidth: 900 }}>
        {sections.map((section) => (
          <Card key={section}>
            <CardHead>{section}</CardHead>
            <FactsTable
              facts={fields
                .filter(([, field]) => (field.section ?? term.singular) === section)
                .map(([name, field]) => [field.label, <RecordValue key={name} field={field} value={record[name]} />])}
            />
          </Card>
        ))}
      </div>
    </>
  )
}
