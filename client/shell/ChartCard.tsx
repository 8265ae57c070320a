import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useDeferredValue, useRef, useState } from 'react'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { CopyChartButton } from './images/CopyChartButton.tsx'
import { PageSection } from './PageSection.tsx'

/** The figures of a chart as a table. */
export interface ChartTable {
  /** Heading of the column with the names of the rows. */
  corner: string
  columns: readonly string[]
  rows: readonly { key: string; name: ReactNode; values: readonly string[]; isTotal?: boolean }[]
}

interface ChartCardProps {
  label: string
  heading: ReactNode
  /** Title of the copied image. */
  title: string
  /** Height of the chart in pixels. */
  height: number
  /** The figures as a table; leave out if the page already has a table of them. */
  table?: ChartTable
  children: ReactNode
}

/** A chart that users can copy as an image or view as a table. */
export function ChartCard({ label, heading, title, height, table, children }: ChartCardProps) {
  const card = useRef<HTMLElement>(null)
  const [shown, setShown] = useState('chart')
  // Charts are slow to draw, so the other parts of the page render first.
  const drawn = useDeferredValue(children, null)
  const isTable = table !== undefined && shown === 'table'
  return (
    <Card ref={card} aria-label={label}>
      <CardHead>
        {heading}
        <span style={{ flex: 1 }} />
        {!isTable && <CopyChartButton part={card} title={title} />}
        {table && (
          <SegmentedControl
            size="xs"
            aria-label={`${title}: show as`}
            value={shown}
            onChange={setShown}
            data={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Table' },
            ]}
          />
        )}
      </CardHead>
      {isTable ? (
        <div className={scrollStyles.scroll}>
          <DataTable
            isTight
            columns={[
              { id: 'name', label: table.corner, cell: ({ name }) => name },
              ...createFigureColumns<ChartTable['rows'][number]>(table.columns, ({ values }, at) => values[at]),
            ]}
            rows={table.rows}
            keyOf={({ key }) => key}
            look={({ isTotal }) => (isTotal ? 'total' : undefined)}
          />
        </div>
      ) : (
        <CardBody>
          <div style={{ minHeight: height }}>
            <PageSection height={height}>{drawn}</PageSection>
          </div>
        </CardBody>
      )}
    </Card>
  )
}
