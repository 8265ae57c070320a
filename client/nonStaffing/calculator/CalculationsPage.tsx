import { Button, Menu } from '@mantine/core'
import clsx from 'clsx'
import { useNavigate } from 'react-router'
import { displayDate, displayFigure, toPennies } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { useBudgetUndo } from '../../budget/useBudgetUndo.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { confirmDelete } from '../../resources/confirmDelete.tsx'
import { deleteOptimistically } from '../../resources/list/deleteOptimistically.ts'
import { countSelected } from '../../resources/list/listState.ts'
import { ServerList } from '../../resources/list/ServerList.tsx'
import { useListState } from '../../resources/list/useList.ts'
import { useRecordNames } from '../../resources/resourceApi.ts'
import { answerCache, type api, toPublicError, trpc } from '../../shell/api.ts'
import { usePermissionCheck, useTerm } from '../../shell/core.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { useSelection } from '../../shell/selection.ts'
import pillStyles from '../../ui/labels/Pill.module.css'
import { Pill } from '../../ui/labels/Pill.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import type { TableColumn } from '../../ui/table/columns.ts'
import { calculationTemplates } from './calculationTemplates.ts'

type Row = Awaited<ReturnType<typeof api.calculations.list.query>>['rows'][number]
const path = '/non-staffing/ie-calculator'

/** Whether a calculation is in the budget and up to date. */
function State({ row }: { row: Row }) {
  if (row.total === null) return <Pill tone="warn">Not complete</Pill>
  if (!row.entryId) return <Pill>Not in the budget</Pill>
  return row.isOutOfDate ? <Pill tone="warn">Out of date</Pill> : <Pill tone="good">In the budget</Pill>
}

/** The income and expenditure calculations of the budget. */
export function CalculationsPage() {
  const { budgetId } = useSelection()
  const term = useTerm()('IncomeExpenditureCalculator')
  const things = { singular: term.singular, plural: 'Income and expenditure calculations' }
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingNonStaffingReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const view = useListState(`calculations ${budgetId}`)
  const list = trpc.calculations.list.useQuery(view.request, { placeholderData: (before) => before })
  const rows = list.data?.rows
  const codes = useRecordNames('budgetCode', rows?.map((row) => row.budgetCodeId) ?? [])
  const total = list.data?.total ?? 0
  const add = mayEdit ? (): void => void navigate(`${path}/add`) : undefined
  const { mutateAsync: processOne } = trpc.calculations.process.useMutation()
  const createUndo = useBudgetUndo()
  const { mutateAsync: bulkDelete } = trpc.calculations.bulkDelete.useMutation()
  const process = async (row: Row): Promise<void> => {
    try {
      await processOne({ id: row.id })
      notifySuccess(notices.saved)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const remove = (): void =>
    confirmDelete({
      term: things,
      count: countSelected(view.state, total),
      hint: 'Their budget entries are deleted too. You can undo this in the history.',
      run: () =>
        deleteOptimistically(
          { query: answerCache.calculations.list, input: view.request, state: view.state },
          (row) => row.id,
          () => bulkDelete(view.chosen),
        ),
      undo: ({ versions }) => createUndo(versions),
      after: view.unselect,
    })
  const columns: TableColumn<Row>[] = [
    { id: 'name', label: 'Name', minWidth: 180, flex: 1.6 },
    { id: 'description', label: 'Description', minWidth: 160, flex: 1.4 },
    {
      id: 'budgetCodeId',
      label: 'Budget code',
      minWidth: 150,
      cell: (row) => {
        const code = codes.get(row.budgetCodeId)
        return code ? `${code.name} ${code.description ?? ''}` : '…'
      },
    },
    {
      id: 'total',
      label: 'First year',
      isFigure: true,
      width: 130,
      flex: 0,
      cell: (row) =>
        row.total === null ? <span className={textStyles.missing}>not calculated</span> : displayFigure(toPennies(row.total)),
    },
    {
      id: 'created',
      label: 'Created',
      width: 120,
      flex: 0,
      cell: (row) => displayDate(row.created),
    },
    {
      id: 'state',
      label: 'Budget',
      width: 230,
      flex: 0,
      isSortable: false,
      cell: (row) => (
        <span style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}>
          <State row={row} />
          {mayEdit && row.total !== null && (!row.entryId || row.isOutOfDate) && (
            <button
              type="button"
              tabIndex={-1}
              className={clsx(pillStyles.pill, pillStyles.good)}
              onClick={(event) => {
                event.stopPropagation()
                void process(row)
              }}
            >
              Add to the budget
            </button>
          )}
        </span>
      ),
    },
  ]
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        pills={
          <>
            {list.data && <Pill>{total}</Pill>}
            {isLocked && <Pill tone="warn">Locked</Pill>}
          </>
        }
        facts="Quantities multiplied by rates, which make one linked budget entry"
      >
        {mayEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default">From a template</Button>
            </Menu.Target>
            <Menu.Dropdown>
              {calculationTemplates.map((one) => (
                <Menu.Item key={one.key} onClick={() => void navigate(`${path}/add?template=${one.key}`)}>
                  {one.name} <span className={textStyles.dim}>{one.description}</span>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add calculation
          </Button>
        )}
      </PageHead>
      <ServerList<Row>
        label={term.plural}
        rows={rows}
        isEarlier={list.isPlaceholderData}
        total={total}
        columns={columns}
        filterable={[
          { name: 'name', label: 'Name', field: { kind: 'text', label: 'Name', max: 100 } },
          { name: 'budgetCodeId', label: 'Budget code', field: { kind: 'reference', label: 'Budget code', to: 'budgetCode' } },
          { name: 'isOutOfDate', label: 'Out of date', field: { kind: 'flag', label: 'Out of date' } },
        ]}
        {...view.grid}
        searchPlaceholder="Search by name"
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
            <h2>No calculations yet</h2>
            <p>Catering, exam fees, a trip: work them out from quantities and rates, then add the result to the budget.</p>
            {add && <Button onClick={add}>Add calculation</Button>}
          </>
        }
      />
    </>
  )
}
