import clsx from 'clsx'
import { type MouseEvent, memo, useRef } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import type { Answers } from '../shell/api.ts'
import { around } from '../ui/around.ts'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { useTop } from '../ui/layout/useTop.ts'
import { useRowWindow } from '../ui/rows/useRowWindow.ts'
import { WindowedRows } from '../ui/rows/WindowedRows.tsx'
import classes from './MonitoringTable.module.css'
import { Figure, longTable, rowHeight, Variance } from './MonitoringTable.tsx'

type Table = Answers['monitoring']['actualsByLocation']

/** The lines to open: a code at one location, or at all locations of the table. */
export interface AskedLines {
  codeId: number
  name: string
  locationId: LocationId | null
}

const nameOf = ({ code, description }: Table['rows'][number]): string => `${code ?? ''} ${description}`.trim()

/**
 * One figure per code, with a column for each location and a total. Selecting a code opens the lines of all locations;
 * double-clicking a figure opens those of its location.
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
  onOpen: (asked: AskedLines) => void
}) {
  const frame = useRef<HTMLElement>(null)
  useTop(frame)
  const body = table.rows.filter((row) => row.kind !== 'Total')
  const totals = table.rows.filter((row) => row.kind === 'Total')
  const isLong = body.length > longTable
  const drawn = useRowWindow(frame, body.length, isLong ? rowHeight : null)
  const openCell = ({ target }: MouseEvent): void => {
    const cell = around<HTMLTableCellElement>(target, 'td')
    const row = table.rows[Number(cell?.closest('tr')?.dataset.index ?? -1)]
    if (!cell || row?.kind !== 'Data' || row.budgetCodeId === null) return
    onOpen({ codeId: row.budgetCodeId, name: nameOf(row), locationId: table.locations[cell.cellIndex - 1]?.locationId ?? null })
  }
  return (
    <>
      <Card ref={frame} className={clsx(scrollStyles.scroll, classes.frame)} aria-label={`${name} by location`} tabIndex={0}>
        <Figures
          isTight
          onDoubleClick={openCell}
          className={clsx(classes.table, classes.byLocation, isLong && classes.long)}
          aria-rowcount={isLong ? table.rows.length + 1 : undefined}
          style={isLong ? { minWidth: 300 + 110 * (table.locations.length + 1) } : undefined}
        >
          <thead>
            <tr>
              <th scope="col">{name}</th>
              {table.locations.map((place) => (
                <th key={place.locationId} scope="col">
                  {place.location}
                </th>
              ))}
              <th scope="col">Total</th>
            </tr>
          </thead>
          <tbody>
            <WindowedRows drawn={drawn} count={body.length} rowHeight={rowHeight}>
              {(index) => (
                <Row
                  row={assertDefined(body[index])}
                  index={index}
                  isLong={isLong}
                  isVariance={isVariance}
                  hasPence={hasPence}
                  onOpen={onOpen}
                />
              )}
            </WindowedRows>
          </tbody>
          <tfoot>
            {totals.map((row, index) => (
              <Row
                key={row.description}
                row={row}
                index={body.length + index}
                isLong={isLong}
                isVariance={isVariance}
                hasPence={hasPence}
                onOpen={onOpen}
              />
            ))}
          </tfoot>
        </Figures>
      </Card>
      <p className={textStyles.since}>
        Before adjustments: these stand for groups or the whole organisation, not for a location. Open a code, or double-click a figure, to
        see the lines behind it.
      </p>
    </>
  )
}

const Row = memo(function Row({
  row,
  index,
  isLong,
  isVariance,
  hasPence,
  onOpen,
}: {
  row: Table['rows'][number]
  index: number
  isLong: boolean
  isVariance: boolean
  hasPence: boolean
  onOpen: (asked: AskedLines) => void
}) {
  const place = { 'data-index': index, 'aria-rowindex': isLong ? index + 2 : undefined }
  if (row.kind === 'SectionHeader')
    return (
      <tr {...place} className={classes.section}>
        <th scope="rowgroup" colSpan={row.values.length + 2}>
          {row.description}
        </th>
      </tr>
    )
  const codeId = row.budgetCodeId
  const Cell = isVariance ? Variance : Figure
  const isBlank = row.values.every((pounds) => pounds === null)
  const isTotal = row.kind === 'Total' || row.kind === 'SectionFooter'
  return (
    <tr {...place} className={clsx(isTotal && figuresStyles.total, row.kind === 'Description' && classes.group)}>
      <th scope="row" title={nameOf(row)}>
        {row.kind === 'Data' && codeId !== null ? (
          <button type="button" className={classes.name} onClick={() => onOpen({ codeId, name: nameOf(row), locationId: null })}>
            {nameOf(row)}
          </button>
        ) : (
          nameOf(row)
        )}
        <Gaps count={row.missing} />
      </th>
      {row.values.map((pounds, column) => (
        <td key={column}>{pounds !== null && <Cell pounds={pounds} hasPence={hasPence} />}</td>
      ))}
      <td className={classes.sum}>{!isBlank && <Cell pounds={row.total} hasPence={hasPence} />}</td>
    </tr>
  )
})
