import { assertDefined } from '../../../domain/values/assertDefined.ts'
import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { type CountedRow, countPupils } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { getLookupName } from '../../../domain/lookups/lookups.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { ChartCard } from '../../shell/ChartCard.tsx'
import { CardNote } from '../../ui/layout/Card.tsx'

const colours = ['teal.7', 'teal.4', 'blue.5', 'violet.4', 'orange.4', 'gray.5']

/** A bar chart of the pupils each October, stacked by phase. */
export function PhaseChart({ counted, october, columns }: { counted: CountedRow[]; october: (column: number) => number; columns: number }) {
  const phases = [...new Set(counted.map((row) => row.phase))].sort((a, b) => a - b)
  const name = (phase: number): string => assertDefined(getLookupName('pupilPhases', phase))
  const octobers = Array.from({ length: columns }, (_unused, column) => String(october(column)))
  const pupils = (phase: number, column: number): number => countPupils(counted, [phase])[column] ?? 0
  return (
    <ChartCard
      label="Pupils by phase"
      heading={
        <>
          By phase <CardNote>{displayCount(phases.length, 'phase')}</CardNote>
        </>
      }
      title="Pupils by phase"
      height={250}
      table={{
        corner: 'October',
        columns: octobers,
        rows: phases.map((phase) => ({
          key: String(phase),
          name: name(phase),
          values: octobers.map((_october, column) => String(pupils(phase, column))),
        })),
      }}
    >
      <BarChart
        h={250}
        data={octobers.map((one, column) => ({
          october: one,
          ...Object.fromEntries(phases.map((phase) => [name(phase), pupils(phase, column)])),
        }))}
        dataKey="october"
        type="stacked"
        withLegend
        series={phases.map((phase) => ({ name: name(phase), color: assertDefined(colours[(phase + 4) % colours.length]) }))}
        tickLine="none"
      />
    </ChartCard>
  )
}
