import clsx from 'clsx'
import { type MouseEvent, useRef } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import type { RouterOutputs } from '../shell/api.ts'
import { findClosestElement } from '../ui/closestElement.ts'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { useTopOffset } from '../ui/layout/useTopOffset.ts'
import type { TableColumn } from '../ui/table/columns.ts'
import { WindowedTable } from '../ui/table/WindowedTable.tsx'
import classes from './MonitoringTable.module.css'
import { getMonitoringRowStyle, MonitoringAmount, maximumFullyRenderedRows, rowHeightPixels, VarianceAmount } from './MonitoringTable.tsx'

type Table = RouterOutputs['monitoring']['actualsByLocation']
type Row = Table['rows'][number]

/** The code whose lines to open, at one location or at all locations of the table. */
export interface LinesToOpen {
  codeId: number
  name: string
  locationId: LocationId | null
}

const nameOf = ({ code, description }: Row): string => `${code ?? ''} ${description}`.trim()

/**
 * One figure for each code, with a column for each location and a total. Selecting a code opens its lines at all locations; double-clicking
 * a figure opens those at its location.
 */
export function LocationsTable({
  table,
  name,
  isVariance,
  hasPence,
  onOpen,
}: {
  table: Table
  name: string
  isVariance: boolean
  hasPence: boolean
  onOpen: (request: LinesToOpen) => void
}) {
  const frame = useRef<HTMLElement>(null)
  useTopOffset(frame)
  const body = table.rows.filter((row) => row.kind !== 'Total')
  const totals = table.rows.filter((row) => row.kind === 'Total')
  const isLong = body.length > maximumFullyRenderedRows
  const openCell = ({ target }: MouseEvent): void => {
    const cell = findClosestElement<HTMLTableCellElement>(target, 'td')
    const row = body[Number(cell?.closest('tr')?.dataset.index ?? -1)]
    if (!cell || row?.kind !== 'Data' || row.budgetCodeId === null) return
    onOpen({ codeId: row.budgetCodeId, name: nameOf(row), locationId: table.locations[cell.cellIndex - 1]?.locationId ?? null })
  }
  const Cell = isVariance ? VarianceAmount : MonitoringAmount
  const columns: TableColumn<Row>[] = [
    {
      id: 'name',
      label: name,
      cellProps: (row) => ({ title: nameOf(row) }),
      cell: (row) => (
        <>
          {row.kind === 'Data' && row.budgetCodeId !== null ? (
            <button
              type="button"
              className={classes.name}
              onClick={() => onOpen({ codeId: assertDefined(row.budgetCodeId), name: nameOf(row), locationId: null })}
            >
              {nameOf(row)}
            </button>
          ) : (
            nameOf(row)
          )}
          <IncompleteSumNote count={row.missing} />
        </>
      ),
    },
    ...table.locations.map(
      (location, at): TableColumn<Row> => ({
        id: String(location.locationId),
        label: location.location,
        isFigure: true,
        cell: ({ values }) => {
          const pounds = values[at] ?? null
          return pounds !== null && <Cell pounds={pounds} hasPence={hasPence} />
        },
      }),
    ),
    {
      id: 'total',
      label: 'Total',
      isFigure: true,
      cellProps: () => ({ className: classes.sum }),
      cell: (row) => row.values.some((pounds) => pounds !== null) && <Cell pounds={row.total} hasPence={hasPence} />,
    },
  ]
  return (
    <>
      <Card ref={frame} className={clsx(scrollStyles.scroll, classes.frame)} aria-label={`${name} by location`} tabIndex={0}>
        <WindowedTable
          isTight
          isHeadSticky
          isFirstPinned
          onDoubleClick={openCell}
          className={clsx(classes.table, isLong && classes.long)}
          style={isLong ? { minWidth: 300 + 110 * (table.locations.length + 1) } : undefined}
          windowed={isLong ? { frame, rowHeight: rowHeightPixels } : undefined}
          columns={columns}
          rows={body}
          foot={totals}
          rowProps={(_row, index) => ({ 'data-index': index })}
          look={getMonitoringRowStyle}
          spanOf={(row) => (row.kind === 'SectionHeader' ? row.description : undefined)}
        />
      </Card>
      <p className={textStyles.since}>
        Before adjustments, which apply to a group or the whole organisation rather than to a location. Open a code, or double-click a
        figure, to see the lines behind it.
      </p>
    </>
  )
}
