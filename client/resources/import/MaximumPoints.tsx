import { Alert, Group } from '@mantine/core'
import type { ScaleWithoutMaximum } from '../../../domain/resources/maximumPoints.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { Choice } from '../../ui/fields/Choice.tsx'

/** Says that contracts of a file have no maximum scale point, and lets the user choose one for each pay scale. */
export function MaximumPoints({
  scales,
  chosen,
  onChange,
}: {
  scales: readonly ScaleWithoutMaximum[]
  /** The point that the user chose, by scale. */
  chosen: Readonly<Record<string, string>>
  onChange: (chosen: Readonly<Record<string, string>>) => void
}) {
  if (!scales.length) return null
  const count = scales.reduce((sum, { rows }) => sum + rows, 0)
  return (
    <Alert role="note" mt="sm" color="orange" title={`${displayCount(count, 'row has', 'rows have')} no maximum scale point`}>
      A contract without one gets no increments. Choose the maximum point of each pay scale, or leave it empty.
      <Group mt="xs" align="flex-start">
        {scales.map(({ scale, rows, points }) => (
          <Choice
            key={scale}
            w={220}
            size="xs"
            label={`Maximum point of ${scale}, ${displayCount(rows, 'row')}`}
            placeholder="No increments"
            clearable
            data={points}
            value={chosen[scale] ?? null}
            onChange={(point) => onChange({ ...chosen, [scale]: point ?? '' })}
          />
        ))}
      </Group>
    </Alert>
  )
}
