import { Checkbox, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type FileBalance, isBalanced, listMoneyToConfirm, type UnimportedMoney } from '../../../domain/files/proof.ts'
import { displayCount, displayFigure, displayMoney } from '../../../domain/values/format.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from './FileProof.module.css'

/** Up to this many entries are listed. The other entries are counted and summed. */
const maximumListed = 100

/** Builds a text of all amounts that the user confirms. If columns or rows change, so does the text, and the user must confirm again. */
const toConfirmation = (balance: FileBalance): string => JSON.stringify(listMoneyToConfirm(balance))

/** Whether all money in a file is accounted for, including what the user has agreed to leave out. */
export const isAccountedFor = (balance: FileBalance, confirmed: string): boolean =>
  isBalanced(balance, confirmed === toConfirmation(balance))

/**
 * Shows where a file's money goes. A file cannot be saved until every amount is imported, left out on purpose, or one of the file's own
 * totals. Amounts that are not imported are listed with their row or column, sum and reason.
 */
export function MoneyReconciliation({
  balance,
  confirmed,
  onConfirm,
  all,
  unmapped,
  agrees,
  children,
}: {
  balance: FileBalance
  confirmed: string
  onConfirm: (confirmed: string) => void
  /** The label for all rows together, such as `All 5 rows`. */
  all: string
  /** A sentence on how many rows are not mapped; empty if there are none. */
  unmapped: string
  agrees: { row: number; value: string } | null
  /** Further totals. */
  children?: ReactNode
}) {
  const itemsToConfirm = listMoneyToConfirm(balance)
  const isConfirmed = confirmed === toConfirmation(balance)
  const isAccounted = isBalanced(balance, isConfirmed)
  const { notImported } = balance
  const missing = balance.file - balance.imported - balance.leftOut - balance.totals - balance.unmapped
  const sum = itemsToConfirm.reduce((total, one) => total + one.value, 0)
  const unconfirmed = isConfirmed ? 0 : sum
  return (
    <>
      {notImported.length > 0 && (
        <section aria-label="Amounts not imported">
          <Text fw={600} mt="sm">
            Amounts not imported
          </Text>
          <DataTable
            isWrapped
            minWidth={420}
            maxHeight={240}
            columns={[
              { id: 'where', label: 'Where', cell: describePosition },
              { id: 'sum', label: 'Amount', isFigure: true, cell: ({ value }) => displayFigure(value) },
              { id: 'reason', label: 'Reason' },
            ]}
            rows={notImported.slice(0, maximumListed)}
          />
          {notImported.length > maximumListed && (
            <Text size="sm">
              The first {maximumListed} of {displayCount(notImported.length, 'entry', 'entries')} are listed; all of them are in the total
              below.
            </Text>
          )}
          {itemsToConfirm.length > 0 && (
            <Checkbox
              my="xs"
              label={`Leave ${displayMoney(sum)} out on purpose: ${itemsToConfirm.slice(0, 3).map(describePosition).join('; ')}${itemsToConfirm.length > 3 ? ` and ${itemsToConfirm.length - 3} more` : ''}`}
              checked={isConfirmed}
              onChange={(event) => onConfirm(event.currentTarget.checked ? toConfirmation(balance) : '')}
            />
          )}
        </section>
      )}
      <div className={classes.proof} data-holds={isAccounted} role="status" aria-label="Reconciliation to the file total">
        <div className={classes.line}>
          <span>
            File total <b>{displayMoney(balance.file - balance.totals)}</b>
          </span>
          <span>
            = imported <b>{displayMoney(balance.imported)}</b>
          </span>
          <span>
            + left out on purpose <b>{displayMoney(balance.leftOut - unconfirmed)}</b>
          </span>
          {!isConfirmed && itemsToConfirm.length > 0 && (
            <span className={classes.open}>
              + to be confirmed <b>{displayMoney(unconfirmed)}</b>
            </span>
          )}
          {unmapped !== '' && (
            <span className={classes.open}>
              + not mapped <b>{displayMoney(balance.unmapped)}</b>
            </span>
          )}
          {missing !== 0 && (
            <span className={classes.open}>
              + missing <b>{displayMoney(missing)}</b>
            </span>
          )}
        </div>
        {children}
        <p className={classes.words}>
          {isAccounted && unmapped === ''
            ? `${all} accounted for, to the penny.`
            : unmapped ||
              (missing !== 0
                ? `${displayMoney(missing)} of the file was not read. Check which columns are used.`
                : 'Confirm above what is left out, or choose the columns that hold it.')}
          {balance.totals !== 0 && ` The file’s own totals come to ${displayMoney(balance.totals)} and are not counted again.`}
          {agrees && ` The file’s own total in row ${agrees.row} agrees: ${agrees.value}.`}
        </p>
      </div>
    </>
  )
}

/** Describes the position of an amount: a column, a cell or rows. */
function describePosition({ row, column, words, cells }: UnimportedMoney): string {
  if (row === null) return `${column}, ${displayCount(cells, 'cell')}`
  const description = `Row ${row}${column === null ? '' : `, ${column}`}${words ? `: ${words}` : ''}`
  return cells > 1 ? `${description} and ${displayCount(cells - 1, 'amount')} below` : description
}
