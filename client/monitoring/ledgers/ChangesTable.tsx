import { Table, Text } from '@mantine/core'
import { lookupName } from '../../../domain/lookups/lookups.ts'
import { type CalendarMonth, formatMonth } from '../../../domain/monitoring/monitoring.ts'
import { displayCount, displayFigure, displayMoney } from '../../../domain/values/format.ts'
import type { Answers } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import type { Open } from './reading.ts'

const words = { added: 'Added', gone: 'Gone', changed: 'Changed' } as const
const shown = 200

/** What an import changes in a month, line by line, largest first. */
export function ChangesTable({
  comparison: { changes, added, gone, changed, same },
  month,
  open,
}: {
  comparison: Answers['ledgers']['compare']
  month: CalendarMonth
  open: Open
}) {
  const term = useTerm()
  const name = (kind: 'account' | 'location', id: number): string => {
    const target = open.targets[kind].find((one) => one.id === id)
    return target ? (kind === 'account' ? `${target.codes[0]} ${target.name}` : target.name) : ''
  }
  const count = added.lines + gone.lines + changed.lines
  const sums = [
    ['Added', added],
    ['Gone', gone],
    ['Changed', changed],
  ] as const
  return (
    <>
      <Text mb="xs" role="status">
        {count === 0
          ? `Nothing of ${formatMonth(month)} changes: ${displayCount(same.lines, 'line')} ${same.lines === 1 ? 'is' : 'are'} as before.`
          : `${formatMonth(month)}: ${sums
              .filter(([, sum]) => sum.lines)
              .map(([word, sum]) => `${word.toLowerCase()} ${displayCount(sum.lines, 'line')} (${displayMoney(sum.value)})`)
              .join(', ')}; ${displayCount(same.lines, 'line')} as before.`}
      </Text>
      {count > 0 && (
        <Table.ScrollContainer minWidth={620} mah={380}>
          <Table stickyHeader striped>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Change</Table.Th>
                <Table.Th>{term('Location').singular}</Table.Th>
                <Table.Th>{term('BudgetCode').singular}</Table.Th>
                <Table.Th>Description</Table.Th>
                <Table.Th ta="right">Before</Table.Th>
                <Table.Th ta="right">After</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {changes.slice(0, shown).map((one, index) => (
                <Table.Tr key={index}>
                  <Table.Td>{words[one.kind]}</Table.Td>
                  <Table.Td>{name('location', one.locationId)}</Table.Td>
                  <Table.Td>
                    {name('account', one.budgetCodeId)}
                    <Text span size="xs" c="dimmed" display="block">
                      {lookupName('actualTypes', one.type)}
                    </Text>
                  </Table.Td>
                  <Table.Td>{one.description}</Table.Td>
                  <Table.Td ta="right">{one.before === null ? '' : displayFigure(one.before)}</Table.Td>
                  <Table.Td ta="right">{one.after === null ? '' : displayFigure(one.after)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {count > shown && (
        <Text size="sm" mt="xs">
          The {shown} largest of {displayCount(count, 'change')} are shown; all of them are counted above.
        </Text>
      )}
    </>
  )
}
