import { SegmentedControl, Skeleton } from '@mantine/core'
import { useDeferredValue, useRef, useState } from 'react'
import { periodName } from '../../domain/calendar.ts'
import { figure, penniesOf } from '../../domain/format.ts'
import { must } from '../../domain/must.ts'
import { trpc } from '../shell/api.ts'
import { CopyImage } from '../shell/CopyImage.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { lazyPart } from '../shell/loadPart.ts'
import { Part } from '../shell/Part.tsx'
import { Card, CardBody, CardHead, Note } from '../ui/Card.tsx'
import figuresStyles from '../ui/Figures.module.css'
import { Figures } from '../ui/Figures.tsx'
import scrollStyles from '../ui/scroll.module.css'
import textStyles from '../ui/text.module.css'
import type { Asked } from './scope.ts'
import type { ChartMonth } from './YearChart.tsx'

const YearChart = lazyPart(() => import('./YearChart.tsx'), 'YearChart')

/**
 * The year of a code, or of all income or expenditure, as a chart or as a table.
 * @param typed what is typed for its months and not saved yet, in pounds
 */
export function YearCard({
  of,
  asked,
  typed = null,
}: {
  of: number | 'income' | 'expenditure'
  asked: Asked
  typed?: readonly number[] | null
}) {
  // Typing goes before drawing.
  const draft = useDeferredValue(typed)
  const card = useRef<HTMLElement>(null)
  const [shown, setShown] = useState<'chart' | 'table'>('chart')
  const year = trpc.monitoring.year.useQuery({ ...asked, of }, { placeholderData: (before) => before })
  if (year.isError) return <LoadFailed query={year} />
  if (!year.data) return <Skeleton height={280} />
  const { months, budget, approved, lastYear } = year.data
  const values = year.data.values.map((one, period) => (draft && !one.isActual ? { ...one, value: draft[period] ?? one.value } : one))
  const beside = approved ?? budget
  const lastActual = values.map((one) => one.isActual).lastIndexOf(true)
  const nameOf = (period: number): string => {
    const month = months?.[period]
    return month ? periodName(month.month, 1).slice(0, 3) : `P${period + 1}`
  }
  const rows: ChartMonth[] = values.map(({ value, isActual }, period) => ({
    month: nameOf(period),
    Actual: isActual ? value : null,
    // The dashes begin where the solid line ends.
    Forecast: isActual && period !== lastActual ? null : value,
    Budget: must(beside[period]),
    'Last year': lastYear?.[period] ?? null,
  }))
  return (
    <Card ref={card} aria-label="The year">
      <CardHead>
        The year <Note>{approved ? 'beside the approved budget' : 'beside the budget'}</Note>
        <span style={{ flex: 1 }} />
        {shown === 'chart' && <CopyImage part={card} title={`The year beside the ${approved ? 'approved ' : ''}budget`} />}
        <SegmentedControl
          size="xs"
          aria-label="Show the year as"
          value={shown}
          onChange={(value) => setShown(value as typeof shown)}
          data={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
        />
      </CardHead>
      {shown === 'chart' ? (
        <CardBody>
          <Part height={230}>
            <YearChart months={rows} hasLastYear={lastYear !== null} />
          </Part>
        </CardBody>
      ) : (
        <div className={scrollStyles.scroll}>
          <Figures isTight>
            <thead>
              <tr>
                <th scope="col">Month</th>
                <th scope="col">Actual or forecast</th>
                <th scope="col">{approved ? 'Approved budget' : 'Budget'}</th>
                {lastYear && <th scope="col">Last year</th>}
              </tr>
            </thead>
            <tbody>
              {values.map(({ value, isActual }, period) => (
                <tr key={period}>
                  <th scope="row">
                    {nameOf(period)} <span className={textStyles.dim}>{isActual ? 'actual' : 'forecast'}</span>
                  </th>
                  <td>{figure(penniesOf(value))}</td>
                  <td>{figure(penniesOf(must(beside[period])))}</td>
                  {lastYear && <td>{lastYear[period] == null ? '' : figure(penniesOf(lastYear[period]))}</td>}
                </tr>
              ))}
              <tr className={figuresStyles.total}>
                <th scope="row">Year</th>
                <td>{figure(values.reduce((sum, one) => sum + penniesOf(one.value), 0))}</td>
                <td>{figure(beside.reduce((sum, one) => sum + penniesOf(one), 0))}</td>
                {lastYear && <td>{figure(lastYear.reduce<number>((sum, one) => sum + penniesOf(one ?? 0), 0))}</td>}
              </tr>
            </tbody>
          </Figures>
        </div>
      )}
    </Card>
  )
}
