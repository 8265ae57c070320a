import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { getLookupName, lookups } from '../../domain/lookups/lookups.ts'
import { displayDate, displayFigure, displayMoney, toPennies } from '../../domain/values/format.ts'
import { useBudgetUndo } from '../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../budget/useChangeObstacle.ts'
import { confirmDelete } from '../resources/confirmDelete.tsx'
import { deleteOptimistically } from '../resources/list/deleteOptimistically.ts'
import { countSelected } from '../resources/list/listState.ts'
import { ServerList } from '../resources/list/ServerList.tsx'
import { useListState } from '../resources/list/useList.ts'
import { answerCache, type api, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck, useTerm } from '../shell/core.ts'
import { useSelection } from '../shell/selection.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { ShortcutHint } from '../ui/labels/ShortcutHint.tsx'
import textStyles from '../ui/labels/text.module.css'
import { PageHead } from '../ui/layout/PageHead.tsx'

type Row = Awaited<ReturnType<typeof api.openingBalances.list.query>>['rows'][number]
const path = '/overview/opening-balances'

/** The budget's opening balances, by type. */
export function OpeningBalancesPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('OpeningBalance')
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingOverviewReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const view = useListState(`balances ${budgetId}`)
  const list = trpc.openingBalances.list.useQuery(view.request, { placeholderData: (before) => before })
  const all = trpc.openingBalances.list.useQuery({ pageSize: 5000 })
  const total = list.data?.total ?? 0
  const add = mayEdit ? (): void => void navigate(`${path}/add`) : undefined
  const sums = lookups.openingBalanceTypes.map((type) => ({
    name: type.name,
    rows: (all.data?.rows ?? []).filter((row) => row.type === type.id),
  }))
  const createUndo = useBudgetUndo()
  const { mutateAsync: bulkDelete } = trpc.openingBalances.bulkDelete.useMutation()
  const remove = (): void =>
    confirmDelete({
      term,
      count: countSelected(view.state, total),
      hint: 'You can undo this in the history.',
      run: () =>
        deleteOptimistically(
          { query: answerCache.openingBalances.list, input: view.request, state: view.state },
          (row) => row.id,
          () => bulkDelete(view.chosen),
        ),
      undo: ({ versions }) => createUndo(versions),
      after: view.unselect,
    })
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Overview`}
        pills={
          <>
            {list.data && <Pill>{total}</Pill>}
            {isLocked && <Pill tone="warn">Locked</Pill>}
          </>
        }
        facts={
          all.data?.rows.length
            ? sums
                .filter((sum) => sum.rows.length)
                .map((sum) => `${sum.name} ${displayMoney(sum.rows.reduce((pennies, row) => pennies + toPennies(row.value), 0))}`)
                .join(' · ')
            : 'Balances brought forward into the first year'
        }
      >
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add opening balance
          </Button>
        )}
      </PageHead>
      <ServerList<Row>
        label={term.plural}
        rows={list.data?.rows}
        isEarlier={list.isPlaceholderData}
        total={total}
        columns={[
          { id: 'description', label: 'Description', minWidth: 200, flex: 2 },
          {
            id: 'type',
            label: 'Type',
            width: 150,
            flex: 0,
            cell: (row) => getLookupName('openingBalanceTypes', row.type),
          },
          {
            id: 'value',
            label: 'Value',
            isFigure: true,
            width: 150,
            flex: 0,
            pennies: (row) => toPennies(row.value),
            cell: (row) => <span className={row.value < 0 ? textStyles.up : undefined}>{displayFigure(toPennies(row.value))}</span>,
          },
          {
            id: 'created',
            label: 'Created',
            width: 140,
            flex: 0,
            cell: (row) => displayDate(row.created),
          },
        ]}
        filterable={[
          { name: 'description', label: 'Description', field: { kind: 'text', label: 'Description', max: 200 } },
          { name: 'type', label: 'Type', field: { kind: 'set', items: [...lookups.openingBalanceTypes] } },
          { name: 'value', label: 'Value', field: { kind: 'money', label: 'Value' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search description"
        bulk={
          mayEdit ? (
            <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
              Delete
            </Button>
          ) : undefined
        }
        onOpen={mayEdit ? (row) => void navigate(`${path}/${row.id}`) : undefined}
        onNew={add}
        error={list.isError ? toPublicError(list.error).message : null}
        empty={
          <>
            <h2>No opening balances yet</h2>
            <p>Closing balances are worked out from the opening balances: enter the school’s reserves.</p>
            {add && <Button onClick={add}>Add opening balance</Button>}
          </>
        }
      />
    </>
  )
}
