import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { figure, penniesOf } from '../../../domain/format.ts'
import { api } from '../../api/api.ts'
import { PageHead } from '../../shell/PageHead.tsx'
import { useTerm } from '../../state/core.ts'
import { useSelection } from '../../state/selection.ts'
import { EffectiveTables, type TableColumn } from './EffectiveTables.tsx'

type Point = Awaited<ReturnType<typeof api.budgetSummaries.teacherPayScales.query>>[number]['rows'][number]

const kinds = [
  { value: 'teacherPayScales', label: 'Teachers' },
  { value: 'supportPayScales', label: 'Support staff' },
  { value: 'customTeacherPayScales', label: 'Custom teachers' },
  { value: 'customSupportPayScales', label: 'Custom support' },
] as const

const areas = [
  { region: 1, heading: 'Rest of England', rate: 'mainRate' },
  { region: 2, heading: 'Inner London', rate: 'innerRate' },
  { region: 3, heading: 'Outer London', rate: 'outerRate' },
  { region: 4, heading: 'London fringe', rate: 'fringeRate' },
] as const

/** The pay tables of the budget: which applies when, and what each point pays in the four areas. */
export function PayScalesPage() {
  const term = useTerm()('PayScalePoint')
  const { locationId } = useSelection()
  const location = useQuery({ queryKey: ['location', locationId], queryFn: () => api.resources.location!.get.query({ id: locationId! }) })
  const region = Number(location.data?.payScaleRegion ?? 1)
  const own = areas.find((area) => area.region === region)!
  const columns: TableColumn<Point>[] = [
    { heading: 'Scale', cell: (point) => point.scale },
    { heading: 'Point', cell: (point) => point.point },
    { heading: 'Increment', cell: (point) => point.increment, isFigure: true },
    ...areas.map(
      ({ heading, rate, region: area }): TableColumn<Point> => ({
        heading,
        cell: (point) => (point[rate] === null ? '–' : figure(penniesOf(point[rate]))),
        isFigure: true,
        isOwn: area === region,
      }),
    ),
  ]
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Staffing`}
        facts={`Full-time salaries of a year · ${location.data ? `this school pays ${own.heading}` : ' '}`}
      />
      <Tabs defaultValue="teacherPayScales" keepMounted={false}>
        <Tabs.List mb="md">
          {kinds.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {kinds.map(({ value, label }) => (
          <Tabs.Panel key={value} value={value}>
            <EffectiveTables<Point>
              name={label}
              load={() => api.budgetSummaries[value].query()}
              columns={columns}
              searched={(point) => `${point.scale} ${point.point}`}
              empty="Contracts on this kind of scale cannot be calculated until the budget names one."
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
