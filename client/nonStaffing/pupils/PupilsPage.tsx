import { Button, Menu, Skeleton } from '@mantine/core'
import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { createPupilLayouts, pupilFile } from '../../../domain/budget/items/pupilFile.ts'
import { countPupils, findPhase, type PupilRow, rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { lastYearGroup as yearGroups } from '../../../domain/lookups/lookupIds.ts'
import { getLookupName, lookups } from '../../../domain/lookups/lookups.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { ItemHistory } from '../../budget/history/ItemHistory.tsx'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { useBudgetYearNames } from '../../budget/useYearNames.ts'
import { EditorHeader } from '../../resources/editor/EditorHead.tsx'
import { useEditor } from '../../resources/editor/useEditor.ts'
import { answerCache, api, trpc } from '../../shell/api.ts'
import { usePermissionCheck, useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { getSelection, useSelection } from '../../shell/selection.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { DateField } from '../../ui/fields/DateField.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { Pill } from '../../ui/labels/Pill.tsx'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import type { TableColumn } from '../../ui/table/columns.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { parseCopiedBlock } from '../entries/paste.ts'
import { LessonsTable } from './LessonsTable.tsx'
import classes from './PupilsPage.module.css'
import { ReportedPupilCounts } from './ReportedPupilCounts.tsx'

const ImportDialog = lazyComponent(() => import('../../resources/import/ImportDialog.tsx'), 'ImportDialog')
const PhaseChart = lazyComponent(() => import('./PhaseChart.tsx'), 'PhaseChart')

/** A row of pupil numbers: a year group or a total. */
interface PupilLine {
  key: string
  name: string
  isTotal?: boolean
  cell: (column: number) => ReactNode
}

const sumLine = (name: string, counts: readonly (number | null)[]): PupilLine => ({
  key: name,
  name,
  isTotal: true,
  cell: (column) => counts[column] ?? <span className={textStyles.dim}>not known</span>,
})

type LoadedPupilNumbers = Awaited<ReturnType<typeof api.pupils.get.query>>

/** Common sets of year groups. */
const sets: [string, number[]][] = [
  ['Primary: Reception to Year 6', [2, 3, 4, 5, 6, 7, 8]],
  ['Infant: Reception to Year 2', [2, 3, 4]],
  ['Junior: Year 3 to Year 6', [5, 6, 7, 8]],
  ['Secondary: Year 7 to Year 11', [9, 10, 11, 12, 13]],
  ['Secondary with sixth form: Year 7 to Year 13', [9, 10, 11, 12, 13, 14, 15]],
  ['All-through: Reception to Year 11', [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]],
]

const blank = (yearGroup: number): PupilRow => ({
  kind: yearGroup === yearGroups.highNeedsPlaces ? 'HighNeeds' : 'Phase',
  phase: null,
  yearGroup,
  description: null,
  before: null,
  years: [],
})

/** Returns the rows that the user entered, without rolled-up counts and totals. */
function typedRows({ rows }: LoadedPupilNumbers): PupilRow[] {
  return rows
    .filter((row) => row.kind !== 'Total')
    .map(({ kind, phase, yearGroup, description, before, years, typed }) => ({
      kind,
      phase,
      yearGroup,
      description,
      before: typed[0] === false ? null : before,
      years: years.map((count, year) => (typed[year + 1] === false ? null : count)),
    }))
}

/** Uploads a pupil count from a school's management information system (MIS), in the file format that connections use. */
function UploadCountDialog({ onClose }: { onClose: () => void }) {
  const { mutateAsync: importFile } = trpc.pupilFiles.import.useMutation()
  const [day, setDay] = useState<string | null>(dayInLondon(new Date()))
  return (
    <PageSection height={0}>
      <ImportDialog
        resource={pupilFile}
        calls={{
          import: async ({ rows, leftOut }) => (await importFile({ rows, leftOut, day: day ?? dayInLondon(new Date()) })).message,
          template: api.pupilFiles.template,
        }}
        layouts={createPupilLayouts(useSelectedBudget())}
        isHidden={() => false}
        options={
          <div className={classes.day}>
            <DateField label="Date for rows without an October" value={day} onChange={setDay} />
            <p className={textStyles.dim}>
              The file is added to every open budget of the location. Numbers that someone entered, or restored by undoing an import, are
              kept.
            </p>
          </div>
        }
        onClose={onClose}
      />
    </PageSection>
  )
}

function prepare(): void {
  // Never refetch these numbers, because that would replace figures that the user is typing.
  void answerCache.pupils.get.prefetch(undefined, { staleTime: Number.POSITIVE_INFINITY })
}

/** The pupils of each year group each October, entered by the user or rolled up from the year group below (rules.md §13). */
export function PupilsPage() {
  const { budgetId } = useSelection()
  const query = trpc.pupils.get.useQuery(undefined, { staleTime: Number.POSITIVE_INFINITY })
  if (query.isLoadingError) return <LoadFailed query={query} />
  return query.data ? <Editor key={budgetId} loaded={query.data} /> : <Skeleton height={360} />
}
PupilsPage.prepare = prepare

function Editor({ loaded }: { loaded: LoadedPupilNumbers }) {
  const { budgetId } = useSelection()
  const term = useTerm()('PupilNumbers')
  const { firstYear } = useSelectedBudget()
  const years = useBudgetYearNames()
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingNonStaffingReadUpdate']) && !isLocked
  const { mutateAsync: save } = trpc.pupils.save.useMutation()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  const editor = useEditor({
    term,
    loaded,
    valuesOf: (shown) => ({ rows: typedRows(shown), lessons: shown.lessons }),
    blank: { rows: [], lessons: [] },
    labels: { rows: term.plural, lessons: 'Lessons' },
    shapes: { rows: { rowsBy: 'yearGroup', within: { years: 'places' } }, lessons: 'places' },
    check: (values) => ({ input: values, problems: [] }),
    save: (input, before) => save({ id: before?.id, version: before?.version, ...input }),
    notice: notices.saved,
    reload: () => api.pupils.get.query(),
    createUndo: ({ version }) =>
      version === null
        ? null
        : async () => {
            await undo({ versions: [version] })
            return api.pupils.get.query()
          },
    // Another budget may have been selected when the reply arrives.
    onSaved: (next) => void (getSelection().budgetId === budgetId && answerCache.pupils.get.setData(undefined, next)),
    isReadOnly: !mayEdit,
    list: '/non-staffing/pupil-numbers',
  })
  const [isTaking, setTaking] = useState(false)
  const { rows, lessons } = editor.values
  const setRows = (next: PupilRow[]): void => editor.set({ rows: next })
  const counted = rollUpPupilCounts(rows, years.length)
  /** Returns the October of a column; the first October precedes the budget. */
  const october = (column: number): number => firstYear + column - 1
  const columns = ['before', ...years]
  const withCount = (
    all: readonly PupilRow[],
    { index, column, count }: { index: number; column: number; count: number | null },
  ): PupilRow[] =>
    all.map((row, at) => {
      if (at !== index) return row
      if (column === 0) return { ...row, before: count }
      const next = Array.from({ length: years.length }, (_unused, year) => row.years[year] ?? null)
      next[column - 1] = count
      return { ...row, years: next }
    })
  const set = (index: number, column: number, count: number | null): void => setRows(withCount(rows, { index, column, count }))
  const addGroups = (groups: readonly number[]): void =>
    setRows(
      [...rows, ...groups.filter((group) => !rows.some((row) => row.yearGroup === group)).map(blank)].sort(
        (a, b) => (a.yearGroup ?? 99) - (b.yearGroup ?? 99),
      ),
    )
  const paste = (event: ClipboardEvent, index: number, column: number): void => {
    const block = parseCopiedBlock(event.clipboardData.getData('text/plain'))
    if (block.length === 1 && assertDefined(block[0]).length === 1) return
    event.preventDefault()
    let next = rows
    for (const [down, cells] of block.entries())
      for (const [right, text] of cells.entries()) {
        const count = text.trim() === '' ? null : Number(text.replace(/[,\s]/g, ''))
        const row = next[index + down]
        if (!row || column + right > years.length || (count !== null && !(count >= 0))) continue
        const at = column + right
        const values = Array.from({ length: years.length }, (_unused, year) => row.years[year] ?? null)
        if (at > 0) values[at - 1] = count
        next = next.map((one, position) =>
          position === index + down ? { ...one, before: at === 0 ? count : one.before, years: values } : one,
        )
      }
    setRows(next)
  }
  const missing = lookups.pupilYearGroups.filter((group) => !rows.some((row) => row.yearGroup === group.id))
  const phases = [...new Set(counted.map((row) => row.phase))].sort((a, b) => a - b)
  const all = countPupils(counted, null)
  const groupLine = (row: (typeof counted)[number]): PupilLine => {
    const name = getLookupName('pupilYearGroups', row.yearGroup ?? 0) ?? getLookupName('pupilPhases', row.phase) ?? ''
    return {
      key: `group ${row.index}`,
      name: assertDefined(rows[row.index]).description ?? name,
      cell: (column) => {
        const count = assertDefined(row.counts[column])
        return mayEdit ? (
          <NumberField
            size="xs"
            aria-label={`${name}, October ${october(column)}`}
            value={count.isTyped ? count.count : null}
            placeholder={count.count === null ? '' : String(count.count)}
            onChange={(value) => set(row.index, column, value)}
            onPaste={(event) => paste(event, row.index, column)}
            min={0}
            decimalScale={2}
            hideControls
            styles={{ input: { textAlign: 'right', width: 86, marginLeft: 'auto' } }}
          />
        ) : (
          <span className={count.isTyped ? undefined : textStyles.dim}>{count.count ?? ''}</span>
        )
      },
    }
  }
  return (
    <>
      <EditorHeader
        editor={editor}
        title={term.plural}
        documentTitle={`${term.plural} - Non-staffing`}
        pills={isLocked && <Pill tone="warn">Locked</Pill>}
        facts={
          <>
            The October {october(0)} count funds {years[0]}, and so on. Grey numbers roll up from the year group below.
          </>
        }
      >
        {mayEdit && (
          <Button variant="default" onClick={() => setTaking(true)} disabled={editor.isUnsaved}>
            Import
          </Button>
        )}
      </EditorHeader>
      {isTaking && <UploadCountDialog onClose={() => setTaking(false)} />}
      <ReportedPupilCounts
        reported={(editor.saved ?? loaded).said}
        counted={counted}
        columnOf={(year) => year - october(0)}
        onTakeOver={
          mayEdit
            ? (cells) => setRows(cells.reduce((all, { index, column, count }) => withCount(all, { index, column, count }), rows))
            : null
        }
      />
      {rows.length === 0 ? (
        <Card>
          <EmptyState>
            <h2>No pupil numbers yet</h2>
            <p>Funding depends on them: choose the year groups, then enter or paste the October census.</p>
            {mayEdit &&
              sets.map(([name, groups]) => (
                <Button key={name} variant="default" m={4} onClick={() => addGroups(groups)}>
                  {name}
                </Button>
              ))}
          </EmptyState>
        </Card>
      ) : (
        <div className={classes.pupils}>
          <Card className={scrollStyles.scroll} aria-label={term.plural}>
            <DataTable
              isTight
              columns={[
                {
                  id: 'group',
                  label: 'Year group',
                  cell: ({ name }) => name,
                },
                ...columns.map(
                  (name, column): TableColumn<PupilLine> => ({
                    id: name,
                    label: name,
                    head: (
                      <>
                        October {october(column)}
                        <div className={textStyles.dim}>{column < years.length ? `funds ${years[column]}` : `in ${years[column - 1]}`}</div>
                      </>
                    ),
                    isFigure: true,
                    cell: ({ cell }) => cell(column),
                  }),
                ),
              ]}
              rows={[
                ...phases.flatMap((phase) => [
                  ...counted.filter((row) => row.phase === phase).map(groupLine),
                  // With only one phase, its total equals that of all pupils.
                  ...(phases.length > 1 ? [sumLine(getLookupName('pupilPhases', phase) ?? '', countPupils(counted, [phase]))] : []),
                ]),
                sumLine('All pupils', all),
              ]}
              keyOf={({ key }) => key}
              look={({ isTotal }) => (isTotal ? 'total' : undefined)}
            />
            {mayEdit && (
              <div className={cardStyles.foot}>
                <Menu position="top-start">
                  <Menu.Target>
                    <Button variant="subtle" size="compact-sm">
                      Add year group
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
                    {missing.map((group) => (
                      <Menu.Item key={group.id} onClick={() => addGroups([group.id])}>
                        {group.name} <span className={textStyles.dim}>{getLookupName('pupilPhases', findPhase(group.id))}</span>
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
                <Menu position="top-start">
                  <Menu.Target>
                    <Button variant="subtle" color="gray" size="compact-sm">
                      Remove year group
                    </Button>
                  </Menu.Target>
                  <Menu.Dropdown mah={320} style={{ overflow: 'auto' }}>
                    {rows.map((row, index) => (
                      <Menu.Item key={row.yearGroup ?? index} onClick={() => setRows(rows.filter((_row, at) => at !== index))}>
                        {getLookupName('pupilYearGroups', row.yearGroup ?? 0) ?? row.description}
                      </Menu.Item>
                    ))}
                  </Menu.Dropdown>
                </Menu>
              </div>
            )}
          </Card>
          <PageSection height={310}>
            <PhaseChart counted={counted} october={october} columns={columns.length} />
          </PageSection>
        </div>
      )}
      <SectionStack style={{ marginTop: 16 }}>
        {rows.length > 0 && (
          <LessonsTable years={years} lessons={lessons} isReadOnly={!mayEdit} onChange={(next) => editor.set({ lessons: next })} />
        )}
        {editor.saved?.id && <ItemHistory id={editor.saved.id} />}
      </SectionStack>
    </>
  )
}
