import { Text } from '@mantine/core'
import { getLookupName } from '../../../domain/lookups/lookups.ts'
import { type CalendarMonth, formatMonth } from '../../../domain/monitoring/monitoring.ts'
import { displayCount, displayFigure, displayMoney } from '../../../domain/values/format.ts'
import type { RouterOutputs } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import type { LedgerSetup } from './ledgerFile.ts'

const words = { added: 'Added', gone: 'Removed', changed: 'Changed' } as const
const shown = 200

/** The lines of a month that an import adds, removes or changes, largest first. */
export function ImportChangesTable({
  comparison: { changes, added, gone, changed, same },
  month,
  open,
}: {
  comparison: RouterOutputs['ledgers']['compare']
  month: CalendarMonth
  open: LedgerSetup
}) {
  const term = useTerm()
  const name = (kind: 'account' | 'location', id: number): string => {
    const target = open.targets[kind].find((one) => one.id === id)
    return target ? (kind === 'account' ? `${target.codes[0]} ${target.name}` : target.name) : ''
  }
  const count = added.lines + gone.lines + changed.lines
  const sums = [
    ['Added', added],
    ['Removed', gone],
    ['Changed', changed],
  ] as const
  return (
    <>
      <Text mb="xs" role="status">
        {count === 0
          ? `Nothing changes in ${formatMonth(month)}: ${displayCount(same.lines, 'line')} ${same.lines === 1 ? 'is' : 'are'} unchanged.`
          : `${formatMonth(month)}: ${sums
              .filter(([, sum]) => sum.lines)
              .map(([word, sum]) => `${word.toLowerCase()} ${displayCount(sum.lines, 'line')} (${displayMoney(sum.value)})`)
              .join(', ')}; ${displayCount(same.lines, 'line')} unchanged.`}
      </Text>
      {count > 0 && (
        <DataTable
          isWrapped
          minWidth={620}
          maxHeight={380}
          columns={[
            { id: 'kind', label: 'Change', cell: ({ kind }) => words[kind] },
            { id: 'location', label: term('Location').singular, cell: ({ locationId }) => name('location', locationId) },
            {
              id: 'budgetCode',
              label: term('BudgetCode').singular,
              cell: ({ budgetCodeId, type }) => (
                <>
                  {name('account', budgetCodeId)}
                  <Text span size="xs" c="dimmed" display="block">
                    {getLookupName('actualTypes', type)}
                  </Text>
                </>
              ),
            },
            { id: 'description', label: 'Description' },
            { id: 'before', label: 'Before', isFigure: true, cell: ({ before }) => (before === null ? '' : displayFigure(before)) },
            { id: 'after', label: 'After', isFigure: true, cell: ({ after }) => (after === null ? '' : displayFigure(after)) },
          ]}
          rows={changes.slice(0, shown)}
        />
      )}
      {count > shown && (
        <Text size="sm" mt="xs">
          The {shown} largest of {displayCount(count, 'change')} are shown; all of them are counted above.
        </Text>
      )}
    </>
  )
}
