import { Button, SegmentedControl, Skeleton, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { entryFile } from '../../../domain/budget/items/entryFile.ts'
import { createEntryFile, createMonthsLayout, createYearsLayout } from '../../../domain/budget/items/entryYears.ts'
import { type FilterItem, filterRows } from '../../../domain/lists/lists.ts'
import { findNumberColumns } from '../../../domain/resources/columns.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { confirmDelete } from '../../resources/confirmDelete.tsx'
import { type FilterableColumn, ListFilters } from '../../resources/list/Filters.tsx'
import { api, trpc } from '../../shell/api.ts'
import { usePermissionCheck, useTerm } from '../../shell/core.ts'
import { ExportButton } from '../../shell/files/ExportButton.tsx'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { notifyFailure } from '../../shell/notify.tsx'
import { PageSection } from '../../shell/PageSection.tsx'
import { useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pill } from '../../ui/labels/Pill.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { Toolbar } from '../../ui/layout/Toolbar.tsx'
import { BulkEditEntries } from './BulkEditEntries.tsx'
import type { PastedBlock } from './PastePreview.tsx'
import { findPasteColumns, type PastedRow } from './paste.ts'
import type { SheetFromFocus } from './SheetGrid.tsx'
import { createEmptyLine, type EntryChoices, isEmptyLine, type SheetLine } from './sheetModel.ts'
import { sumSheet } from './sumSheet.ts'
import { prefetchSheet, useEntrySheet } from './useEntrySheet.ts'

const ImportDialog = lazyComponent(() => import('../../resources/import/ImportDialog.tsx'), 'ImportDialog')

/** Loaded lazily, because the grid is a large part of the page and is used only here. */
const PastePreview = lazyComponent(() => import('./PastePreview.tsx'), 'PastePreview')
const SheetGrid = lazyComponent(() => import('./SheetGrid.tsx'), 'SheetGrid')

/** Prefetches the sheet and loads the grid's code. */
function prepare(): void {
  prefetchSheet()
  void import('./SheetGrid.tsx').catch(() => undefined)
}

type Side = 'all' | 'income' | 'expenditure'

/** Returns the text of a row that the search and the filters use. */
const searchable = (row: SheetLine, codes: ReadonlyMap<number, EntryChoices['budgetCodes'][number]>) => {
  const code = codes.get(row.budgetCodeId ?? -1)
  return {
    ...row,
    code: code ? `${code.code} ${code.description}` : '',
    side: code?.isIncome ? 1 : 2,
    fundIds: row.fundCodes.map((share) => share.fundCodeId),
    amount: (row.amounts[0] ?? 0) / 100,
    isOutOfDate: Boolean(row.entry?.isOutOfDate),
    isMade: row.kind === 'linked' || Boolean(row.entry?.source),
  }
}

function listFilterableColumns(choices: EntryChoices): FilterableColumn[] {
  const items = (list: readonly { id: number; code: string; description: string }[]) =>
    list.map((one) => ({ id: one.id, name: `${one.code} ${one.description}`.trim() }))
  return [
    { name: 'budgetCodeId', label: 'Budget code', field: { kind: 'set', items: items(choices.budgetCodes) } },
    { name: 'costCentreId', label: 'Cost centre', field: { kind: 'set', items: items(choices.costCentres) } },
    { name: 'fundIds', label: 'Fund code', field: { kind: 'set', items: items(choices.fundCodes) } },
    { name: 'analysisTags', label: 'Analysis tag', field: { kind: 'set', items: items(choices.analysisTags) } },
    { name: 'amount', label: 'First year', field: { kind: 'money', label: 'First year' } },
    { name: 'isMade', label: 'Linked', field: { kind: 'flag', label: 'Linked' } },
    { name: 'isOutOfDate', label: 'Out of date', field: { kind: 'flag', label: 'Out of date' } },
  ]
}

/** Income and non-staff expenditure in a sheet for fast typing. */
export function EntriesPage() {
  const term = useTerm()('BudgetEntry')
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingNonStaffingReadUpdate']) && !isLocked
  const navigate = useNavigate()
  const { mutateAsync: importRows } = trpc.entryFiles.import.useMutation()
  const model = useEntrySheet()
  const { sheet, choices } = model
  const [search, setSearch] = useState('')
  const [side, setSide] = useState<Side>('all')
  const [filters, setFilters] = useState<FilterItem[]>([])
  const [chosen, setChosen] = useState<SheetLine[]>([])
  const [preview, setPreview] = useState<PastedBlock | null>(null)
  const [open, setOpen] = useState<'import' | 'edit' | null>(null)
  const budget = useSelectedBudget()
  const years = useBudgetYearNames()
  const searchInput = useRef<HTMLInputElement>(null)
  useUnsavedChanges(model.hasDrafts)
  const add = mayEdit ? (): void => void navigate('/non-staffing/budget-entries/add') : undefined
  useHotkeys([
    ['N', () => add?.()],
    ['/', () => searchInput.current?.focus()],
  ])
  const shown = useMemo(() => {
    if (!choices) return []
    const codes = new Map(choices.budgetCodes.map((code) => [code.id, code]))
    const visibleRows = model.rows
      .map((row) => searchable(row, codes))
      .filter((row) => side === 'all' || (row.side === 1) === (side === 'income'))
    return filterRows(visibleRows, { search, filters }, ['description', 'identifier', 'code', 'note'])
  }, [model.rows, choices, search, side, filters])
  const totals = useMemo(() => sumSheet(shown, choices ?? emptyChoices, sheet.data?.yearNames.length ?? 0), [shown, choices, sheet.data])
  if (model.error) return <LoadFailed query={sheet} />
  const isFiltered = Boolean(search.trim() || side !== 'all' || filters.length)
  const count = shown.length
  const paste = (block: string[][], focus: SheetFromFocus): void => {
    // Rows pasted below the last row become new entries, so the last row must have loaded.
    if (!assertDefined(sheet.data).isWhole)
      notifyFailure(new Error('The sheet is still loading. Paste again when all its lines are there.'))
    else {
      const years = assertDefined(sheet.data).yearNames.length
      setPreview({
        block,
        rows: block.map((_cells, index) => focus.below[index] ?? createEmptyLine(crypto.randomUUID(), years)),
        columns: findPasteColumns(block, focus.fields, assertDefined(choices)),
      })
    }
  }
  const apply = async (rows: PastedRow[]): Promise<Map<string, string>> => {
    const problems = await model.save(
      rows.filter((one) => !one.isNew).map((one) => ({ id: one.row.id, changes: one.changes })),
      rows.filter((one) => one.isNew).map((one) => ({ ...one.row, draft: one.changes })),
    )
    if (!problems.size) for (const one of rows) if (one.isNew) model.dropDraft(one.row.id)
    return problems
  }
  const remove = (): void =>
    confirmDelete({
      term,
      count: chosen.length,
      hint: 'You can undo this with Ctrl Z or in the history.',
      run: () => model.remove(chosen.map((row) => row.id)),
      undo: () => () => void model.undo(),
      after: () => setChosen([]),
    })
  return (
    <>
      <PageHead
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        pills={
          <>
            {sheet.data && <Pill>{`${displayCount(count, 'line')}${isFiltered ? ' match' : ''}`}</Pill>}
            {sheet.data && !sheet.data.isWhole && <Pill>{`loading, ${displayCount(sheet.data.total, 'entry', 'entries')} in all`}</Pill>}
            {isLocked && <Pill tone="warn">Locked</Pill>}
            {model.isSaving && <Pill>Saving…</Pill>}
            {model.hasDrafts && <Pill tone="warn">A new row is incomplete</Pill>}
          </>
        }
        facts={
          mayEdit ? (
            <>
              <span className={textStyles.unprinted}>
                Type in a cell, Enter goes down · paste a block from a spreadsheet · <kbd>Ctrl D</kbd> fills down · <kbd>Ctrl Z</kbd> undoes
                · <kbd>Alt Enter</kbd> opens the entry
              </span>
              {totals.missing > 0 && (
                <span className={textStyles.up}> · {displayCount(totals.missing, 'line')} not calculated and left out of the totals</span>
              )}
            </>
          ) : (
            'Income and non-staff expenditure'
          )
        }
      >
        {mayEdit && (
          <Button variant="default" onClick={() => setOpen('import')}>
            Import
          </Button>
        )}
        <ExportButton
          file={() => api.entryFiles.export.query({ sort: 'description' })}
          kinds={findNumberColumns(entryFile)}
          disabled={!sheet.data?.rows.length}
        />
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add entry
          </Button>
        )}
      </PageHead>
      {sheet.data?.problems.map((problem) => (
        <p className={textStyles.since} role="status" key={problem}>
          <span className={textStyles.up}>{problem}</span>
        </p>
      ))}
      <Toolbar>
        <TextInput
          ref={searchInput}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder="Search description or code"
          aria-label={`Search ${toMidSentence(term.plural)}`}
          leftSection={<IconSearch size={15} />}
          w={260}
          maw="100%"
        />
        <SegmentedControl
          aria-label="Income or expenditure"
          value={side}
          onChange={setSide}
          data={[
            { value: 'all', label: 'All' },
            { value: 'income', label: 'Income' },
            { value: 'expenditure', label: 'Expenditure' },
          ]}
        />
        {choices && <ListFilters columns={listFilterableColumns(choices)} filters={filters} onChange={setFilters} />}
        {chosen.length > 0 && (
          <>
            <Pill tone="good">{displayCount(chosen.length, 'entry', 'entries')} selected</Pill>
            <Button variant="subtle" size="compact-sm" onClick={() => setOpen('edit')}>
              Bulk edit
            </Button>
            <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
              Delete
            </Button>
          </>
        )}
      </Toolbar>
      {!sheet.data || !choices ? (
        <Skeleton height={420} />
      ) : model.rows.length === 0 && !mayEdit ? (
        <Card>
          <EmptyState>
            <h2>No budget entries yet</h2>
            <p>No income or spending has been budgeted here.</p>
          </EmptyState>
        </Card>
      ) : (
        <PageSection height={420}>
          <SheetGrid
            rows={mayEdit && !isFiltered ? [...shown, ...model.drafts] : [...shown, ...model.drafts.filter((row) => !isEmptyLine(row))]}
            choices={choices}
            sheet={sheet.data}
            totals={totals}
            mayEdit={mayEdit}
            onChange={(row, changes) => void (row.kind === 'draft' ? model.type(row, changes, choices) : model.change(row, changes))}
            onPaste={paste}
            onOpen={(row) => void navigate(`/non-staffing/budget-entries/${row.id}`)}
            onUndo={() => void model.undo()}
            onSelect={setChosen}
          />
        </PageSection>
      )}
      {preview && sheet.data && choices && (
        <PageSection height={0}>
          <PastePreview pasted={preview} sheet={sheet.data} choices={choices} onApply={apply} onClose={() => setPreview(null)} />
        </PageSection>
      )}
      {open === 'import' && (
        <PageSection height={0}>
          <ImportDialog
            resource={createEntryFile(budget)}
            calls={{ import: importRows, template: api.entryFiles.template }}
            layouts={[createYearsLayout(years), createMonthsLayout(budget)]}
            usual={{ BudgetYearName: years[0] ?? '' }}
            isHidden={() => false}
            onClose={() => setOpen(null)}
          />
        </PageSection>
      )}
      {open === 'edit' && choices && (
        <BulkEditEntries
          ids={chosen.map((row) => row.id)}
          choices={choices}
          onClose={() => setOpen(null)}
          onSave={(changes) => model.save(chosen.map((row) => ({ id: row.id, changes })))}
        />
      )}
    </>
  )
}
EntriesPage.prepare = prepare

const emptyChoices: EntryChoices = {
  budgetCodes: [],
  costCentres: [],
  fundCodes: [],
  analysisTags: [],
  profiles: [],
  costCentresMandatory: false,
}
