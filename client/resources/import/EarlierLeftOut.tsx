import { Text } from '@mantine/core'
import { displayCount, displayDateTime, displayList } from '../../../domain/values/format.ts'
import { trpc } from '../../shell/api.ts'

/** Up to this many rows of an import are listed by number. */
const maximumNumbered = 20

const listNumbers = (rows: readonly number[]): string =>
  rows.length > maximumNumbered
    ? `${rows.slice(0, maximumNumbered).join(', ')} and ${rows.length - maximumNumbered} more`
    : displayList(rows.map(String))

/** Lists the rows that users left out of earlier imports of the same records. */
export function RowsLeftOutEarlier({ entity }: { entity: string }) {
  const { data } = trpc.importColumns.chosen.useQuery({ entity }, { staleTime: 0 })
  if (!data?.leftOut.length) return null
  return (
    <section aria-label="Rows left out of earlier imports">
      <Text fw={600} size="sm" mt="md" component="h3">
        Rows left out of earlier imports
      </Text>
      {data.leftOut.map(({ at, actor, fileName, rows }) => (
        <Text key={at} size="sm">
          {displayDateTime(at)}, {actor}: {displayCount(rows.length, 'row')} of {fileName} ({listNumbers(rows)})
        </Text>
      ))}
    </section>
  )
}
