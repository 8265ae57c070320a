import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { displayCount } from '../../../domain/format.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import figuresStyles from '../../ui/Figures.module.css'
import { Figures } from '../../ui/Figures.tsx'
import scrollStyles from '../../ui/scroll.module.css'
import textStyles from '../../ui/text.module.css'
import classes from './PastePreview.module.css'
import type { PastedRow } from './paste.ts'
import { isClean } from './paste.ts'
import { type Sheet, yearOfField } from './sheetModel.ts'

const mostShown = 200
const labels: Record<string, string> = {
  description: 'Description',
  identifier: 'Identifier',
  budgetCodeId: 'Budget code',
  costCentreId: 'Cost centre',
  fundCodes: 'Fund codes',
  analysisTags: 'Analysis tags',
  profileTemplateId: 'Profile',
}

/** What a block from a spreadsheet would change, before it does. */
export function PastePreview({
  rows,
  sheet,
  onApply,
  onClose,
}: {
  rows: PastedRow[]
  sheet: Sheet
  /** @returns the problems that the server found, by the id of the row */
  onApply: (rows: PastedRow[]) => Promise<Map<string, string>>
  onClose: () => void
}) {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const touched = rows.filter((row) => row.cells.length)
  const added = touched.filter((row) => row.isNew).length
  const cells = touched.flatMap((row) => row.cells)
  const bad = touched.filter((row) => row.lacks || row.cells.some((cell) => cell.problem)).length
  const apply = async (): Promise<void> => {
    setBusy(true)
    const problems = await onApply(touched)
    setBusy(false)
    if (problems.size) setRefused(problems)
    else onClose()
  }
  return (
    <Dialog onClose={onClose} title="Paste" size="xl">
      <p style={{ marginTop: 0 }} role="status">
        {touched.length === 0
          ? 'Nothing would change: the sheet already has these values.'
          : `${displayCount(touched.length - added, 'entry', 'entries')} would change in ${displayCount(cells.filter((cell) => !cell.problem).length, 'cell')}, ${displayCount(added, 'new entry', 'new entries')} would be added.`}
        {bad > 0 && (
          <b className={textStyles.up}> {displayCount(bad, 'row')} cannot be pasted as they are: nothing is saved until they are mended.</b>
        )}
      </p>
      <div className={scrollStyles.scroll} style={{ maxHeight: 420, overflow: 'auto' }}>
        <Figures className={classes.paste}>
          <thead>
            <tr>
              <th scope="col">Entry</th>
              <th scope="col" className={figuresStyles.text}>
                Column
              </th>
              <th scope="col">Now</th>
              <th scope="col">Then</th>
            </tr>
          </thead>
          <tbody>
            {touched.slice(0, mostShown).flatMap(({ row, isNew, cells: own, lacks, changes }) => [
              ...own.map((cell, index) => (
                <tr key={`${row.id} ${cell.field}`}>
                  <th scope="row">{index === 0 && (isNew ? `New: ${changes.description ?? ''}` : row.description)}</th>
                  <td className={figuresStyles.text}>{labels[cell.field] ?? sheet.yearNames[yearOfField(cell.field)]}</td>
                  <td className={textStyles.dim}>{cell.before || 'nothing'}</td>
                  <td>
                    {cell.after}
                    {cell.problem && <div className={textStyles.up}>{cell.problem}</div>}
                  </td>
                </tr>
              )),
              ...(lacks || refused.get(row.id)
                ? [
                    <tr key={`${row.id} lacks`}>
                      <td />
                      <td colSpan={3} className={textStyles.up}>
                        {refused.get(row.id) ?? `This new entry still needs ${lacks}.`}
                      </td>
                    </tr>,
                  ]
                : []),
            ])}
          </tbody>
        </Figures>
        {touched.length > mostShown && <p className={textStyles.dim}>And {displayCount(touched.length - mostShown, 'row')} more.</p>}
      </div>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button onClick={() => void apply()} loading={busy} disabled={!touched.length || !isClean(rows)} data-autofocus>
          Apply
        </Button>
      </Group>
    </Dialog>
  )
}
