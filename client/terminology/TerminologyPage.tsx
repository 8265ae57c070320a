import { Button, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { notices } from '../../domain/words/notices.ts'
import { defaultTerms } from '../../domain/words/terms.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { useOrganisationWideCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useUnsavedChanges } from '../shell/unsavedChanges.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { FieldTable } from '../ui/table/FieldTable.tsx'

type Row = Awaited<ReturnType<typeof api.terms.list.query>>['rows'][number]

/** One term, edited in place: saved with Enter or its button, and reset with one button. */
function TermLine({ row, mayEdit }: { row: Row; mayEdit: boolean }) {
  const [singular, setSingular] = useState(row.singular)
  const [plural, setPlural] = useState(row.plural)
  const [problem, setProblem] = useState<Record<string, string>>({})
  const changed = singular.trim() !== row.singular || plural.trim() !== row.plural
  useUnsavedChanges(changed)
  const run = async (work: () => Promise<unknown>, notice: string, undo?: () => () => void): Promise<void> => {
    try {
      await work()
      setProblem({})
      notifySuccess(notice, undo?.())
    } catch (error) {
      setProblem(Object.fromEntries(toPublicError(error).fields.map(({ field, message }) => [field, message])))
      notifyFailure(error)
    }
  }
  const { mutateAsync: update } = trpc.terms.update.useMutation()
  const { mutateAsync: resetTerm } = trpc.terms.delete.useMutation()
  const save = (): void => {
    if (changed) void run(() => update({ term: row.term, singular, plural, version: row.version }), notices.updatedTerm)
  }
  const putDefaultBack = (): Promise<void> => {
    const { term, singular: savedSingular, plural: savedPlural } = row
    return run(
      () => resetTerm({ id: row.id }),
      notices.deletedTerm,
      () => createDeletionUndo(() => update({ term, singular: savedSingular, plural: savedPlural })),
    )
  }
  const name = defaultTerms[row.term].singular
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.key === 'Enter') save()
  }
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        {mayEdit ? (
          <TextInput
            size="xs"
            aria-label={`Singular of ${name}`}
            value={singular}
            maxLength={50}
            error={problem.singular}
            onChange={(event) => setSingular(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        ) : (
          row.singular
        )}
      </td>
      <td>
        {mayEdit ? (
          <TextInput
            size="xs"
            aria-label={`Plural of ${name}`}
            value={plural}
            maxLength={50}
            error={problem.plural}
            onChange={(event) => setPlural(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        ) : (
          row.plural
        )}
      </td>
      <td style={{ width: 150 }}>
        {changed && (
          <Button size="compact-sm" onClick={save}>
            Save
          </Button>
        )}
        {!changed && !row.isDefault && mayEdit && (
          <Button size="compact-sm" variant="default" onClick={() => void putDefaultBack()}>
            Restore default
          </Button>
        )}
      </td>
    </tr>
  )
}

/** The organisation's own terms. A changed term applies everywhere as soon as it is saved. */
export function TerminologyPage() {
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const [search, setSearch] = useState('')
  const list = trpc.terms.list.useQuery({ pageNumber: 1, pageSize: 500 })
  const searchText = search.trim().toLowerCase()
  const rows = (list.data?.rows ?? []).filter((row) =>
    [row.singular, row.plural, defaultTerms[row.term].singular].some((text) => text.toLowerCase().includes(searchText)),
  )
  return (
    <>
      <PageHead
        title="Terminology"
        documentTitle="Terminology - Console"
        facts={
          mayEdit
            ? 'Rename terms, such as campus for location: every title, menu, notice and export changes straight away.'
            : 'The terms used here. Someone who can change the organisation can change them.'
        }
      />
      <Toolbar>
        <TextInput
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder="Search terms"
          aria-label="Search terms"
          w={300}
          maw="100%"
        />
      </Toolbar>
      {list.isError && <LoadFailed query={list} />}
      {!list.data && !list.isError && <Skeleton height={300} />}
      {list.data && (
        <Card className={scrollStyles.scroll} style={{ maxWidth: 900 }}>
          {rows.length ? (
            <FieldTable
              minWidth={560}
              headings={[{ label: 'Term' }, { label: 'Singular' }, { label: 'Plural' }, { label: '', name: 'Change' }]}
            >
              {rows.map((row) => (
                <TermLine key={`${row.term} ${row.version} ${row.isDefault}`} row={row} mayEdit={mayEdit} />
              ))}
            </FieldTable>
          ) : (
            <EmptyState>Nothing matches.</EmptyState>
          )}
        </Card>
      )}
    </>
  )
}
