import { Tabs } from '@mantine/core'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayFigure, toPennies } from '../../../domain/values/format.ts'
import { type EffectiveTableColumn, EffectiveTables } from '../../budget/EffectiveTables.tsx'
import { useSelectedLocationId } from '../../budget/useBudget.ts'
import { getResourceHooks } from '../../resources/resourceApi.ts'
import { type api, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { PageHead } from '../../ui/layout/PageHead.tsx'

type Point = Awaited<ReturnType<typeof api.budgetSummaries.teacherPayScales.query>>[number]['rows'][number]

const kinds = [
  { value: 'teacherPayScales', label: 'Teachers' },
  { value: 'supportPayScales', label: 'Support staff' },
  { value: 'customTeacherPayScales', label: 'Custom teachers' },
  { value: 'customSupportPayScales', label: 'Custom support' },
] as const

const areas = [
  { region: 1, heading: 'Main (rest of England)', rate: 'mainRate' },
  { region: 2, heading: 'Inner London', rate: 'innerRate' },
  { region: 3, heading: 'Outer London', rate: 'outerRate' },
  { region: 4, heading: 'London fringe', rate: 'fringeRate' },
] as const

/** The budget's pay tables: when each applies, and what each point pays in the four pay areas. */
export function PayScalesPage() {
  const term = useTerm()('PayScalePoint')
  const location = getResourceHooks(resources.location).get.useQuery({ id: useSelectedLocationId() })
  const region = Number(location.data?.payScaleRegion ?? 1)
  const ownArea = assertDefined(areas.find((area) => area.region === region))
  const columns: EffectiveTableColumn<Point>[] = [
    { heading: 'Scale', cell: (point) => point.scale },
    { heading: 'Point', cell: (point) => point.point },
    { heading: 'Increment', cell: (point) => point.increment, isFigure: true },
    ...areas.map(
      ({ heading, rate, region: area }): EffectiveTableColumn<Point> => ({
        heading,
        cell: (point) => (point[rate] === null ? '–' : displayFigure(toPennies(point[rate]))),
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
        facts={`Full-time annual salaries · ${location.data ? `this school pays ${ownArea.heading}` : ' '}`}
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
              tables={trpc.budgetSummaries[value]}
              kind={`${label.toLowerCase()} pay`}
              columns={columns}
              searched={(point) => `${point.scale} ${point.point}`}
              empty="Contracts on this type of scale cannot be calculated until the budget has one."
            />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}
