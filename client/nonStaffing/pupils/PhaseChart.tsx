import { must } from '../../../domain/must.ts'
import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { type CountedRow, pupilsOf } from '../../../domain/calculation/pupils.ts'
import { displayCount } from '../../../domain/format.ts'
import { lookupName } from '../../../domain/lookups.ts'
import { Card, CardBody, CardHead, Note } from '../../ui/Card.tsx'

const colours = ['teal.7', 'teal.4', 'blue.5', 'violet.4', 'orange.4', 'gray.5']

/** Pupils of each October as bars, phase upon phase. */
export function PhaseChart({ counted, october, columns }: { counted: CountedRow[]; october: (column: number) => number; columns: number }) {
  const phases = [...new Set(counted.map((row) => row.phase))].sort((a, b) => a - b)
  const name = (phase: number): string => must(lookupName('pupilPhases', phase))
  return (
    <Card aria-label="Pupils by phase">
      <CardHead>
        By phase <Note>{displayCount(phases.length, 'phase')}</Note>
      </CardHead>
      <CardBody>
        <BarChart
          h={250}
          data={Array.from({ length: columns }, (_unused, column) => ({
            october: String(october(column)),
            ...Object.fromEntries(phases.map((phase) => [name(phase), pupilsOf(counted, [phase])[column] ?? 0])),
          }))}
          dataKey="october"
          type="stacked"
          withLegend
          series={phases.map((phase) => ({ name: name(phase), color: must(colours[(phase + 4) % colours.length]) }))}
          tickLine="none"
        />
      </CardBody>
    </Card>
  )
}
