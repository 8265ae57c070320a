import { Alert, Button, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { displayCount } from '../../../domain/values/format.ts'
import { keysOf, recordFromKeys } from '../../../domain/values/keysOf.ts'
import { notices } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { toPublicError } from '../../shell/api.ts'
import { notifySuccess } from '../../shell/notify.tsx'
import { confirmDiscard, useUnsavedChanges } from '../../shell/unsavedChanges.ts'
import { useUrlParameters } from '../../shell/useAddressParameters.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Choice } from '../../ui/fields/Choice.tsx'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { Toolbar } from '../../ui/layout/Toolbar.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { confirmForgetSource } from './confirmForgetSource.tsx'

const leftOut = 'leftOut'
const pageOf = 50

type Texts = readonly { text: string; id: number | null }[]

/** A source of files, such as a ledger, with what has been learned from its files. */
interface Source<Meaning extends string, Kind extends string> {
  id: number
  name: string
  version: number
  columns: { heading: string; meaning: Meaning }[]
  texts: Record<Kind, Texts>
}

/** A kind of text in files, and the records to which such texts can be mapped. */
interface TextKind<Kind extends string> {
  kind: Kind
  /** A heading for these texts. */
  label: string
  targets: readonly { id: number; label: string }[]
  /** Label of the choice that leaves a text unmapped. */
  leftOutName: string
}

/** Changed mappings by text; undefined means that the text is forgotten. */
type TextDraft<Kind extends string> = Partial<Record<Kind, ReadonlyMap<string, number | null | undefined>>>

/** The changed mappings to save. */
interface ChangedTexts<Kind extends string> {
  mapping: Record<Kind, { text: string; id: number | null }[]>
  forgotten: { kind: Kind; text: string }[]
}

interface Shown<Meaning extends string, Kind extends string, S extends Source<Meaning, Kind>> {
  /** Labels of the meanings that a column can have. */
  meanings: Readonly<Record<Meaning, string>>
  /** Meanings that several columns can share. */
  many?: readonly Meaning[]
  kinds: readonly TextKind<Kind>[]
  /** Fields for further settings of a source. */
  settings?: (source: S, change: (some: Partial<S>) => void) => ReactNode
  /**
   * Saves a source.
   * @returns the new version; the same version if there was no change
   */
  save: (source: S, texts: ChangedTexts<Kind>) => Promise<{ version: number }>
  forget: (id: number) => Promise<unknown>
  /** Shows the history of a source. */
  history: (id: number) => ReactNode
}

/** Edits what Bursar has learned from the organisation's files, without importing a file. */
export function LearnedMappingsPage<Meaning extends string, Kind extends string, S extends Source<Meaning, Kind>>({
  title,
  documentTitle,
  noun,
  begins,
  sources,
  ...shown
}: Shown<Meaning, Kind, S> & {
  title: string
  documentTitle: string
  /** The noun for a source, such as "ledger". */
  noun: string
  /** The screen on which the user imports the first file. */
  begins: { title: string; path: string }
  sources: readonly S[]
}) {
  const [search, setParameters] = useUrlParameters()
  const source = sources.find((one) => String(one.id) === search.get('id')) ?? sources[0]
  const choose = async (id: string | null): Promise<void> => {
    if (id && (await confirmDiscard())) setParameters({ id })
  }
  if (!source)
    return (
      <>
        <PageHead title={title} documentTitle={documentTitle} />
        <Card>
          <EmptyState>
            <h2>No {noun} yet</h2>
            <p>Its layout and codes are learned when the first file is imported.</p>
            <Button component={Link} to={begins.path}>
              {begins.title}
            </Button>
          </EmptyState>
        </Card>
      </>
    )
  return (
    <Known
      key={source.id}
      {...shown}
      title={title}
      documentTitle={documentTitle}
      source={source}
      chooser={
        <Toolbar>
          <Choice
            aria-label={noun}
            w={260}
            data={sources.map((one) => ({ value: String(one.id), label: one.name }))}
            value={String(source.id)}
            onChange={(id) => void choose(id)}
          />
        </Toolbar>
      }
    />
  )
}

function Known<Meaning extends string, Kind extends string, S extends Source<Meaning, Kind>>({
  title,
  documentTitle,
  source,
  chooser,
  meanings,
  many = [],
  kinds,
  settings,
  save,
  forget,
  history,
}: Shown<Meaning, Kind, S> & { title: string; documentTitle: string; source: S; chooser: ReactNode }) {
  /** The source as it was when the user began to edit it. */
  const [seen, setSeen] = useState(source)
  const [draft, setDraft] = useState<Partial<S>>({})
  const [texts, setTexts] = useState<TextDraft<Kind>>({})
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const changed = kinds.reduce((sum, { kind }) => sum + (texts[kind]?.size ?? 0), 0)
  const isChanged = changed > 0 || Object.keys(draft).length > 0
  useUnsavedChanges(isChanged)
  const start = (from: S): void => {
    setSeen(from)
    setDraft({})
    setTexts({})
    setProblem(null)
  }
  // If the user is not editing here, show at once what another user has saved.
  if (!isChanged && source.version > seen.version) start(source)
  const edited: S = { ...seen, ...draft }
  const change = (some: Partial<S>): void => setDraft({ ...draft, ...some })
  const setMapping = (kind: Kind, text: string, id: number | null | undefined): void => {
    const savedId = seen.texts[kind].find((one) => one.text === text)?.id
    const kindTexts = new Map(texts[kind])
    if (id === savedId) kindTexts.delete(text)
    else kindTexts.set(text, id)
    setTexts({ ...texts, [kind]: kindTexts })
  }
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
    } catch (error) {
      setProblem(toPublicError(error).message)
    }
    setBusy(false)
  }
  const saveAll = (): Promise<void> =>
    run(async () => {
      const entries = kinds.map(({ kind }) => [kind, [...(texts[kind] ?? [])]] as const)
      const mapping = recordFromKeys(
        kinds.map(({ kind }) => kind),
        (kind) => [...(texts[kind] ?? [])].flatMap(([text, id]) => (id === undefined ? [] : [{ text, id }])),
      )
      const forgotten = entries.flatMap(([kind, changes]) => changes.flatMap(([text, id]) => (id === undefined ? [{ kind, text }] : [])))
      const { version } = await save(edited, { mapping, forgotten })
      notifySuccess(notices.saved)
      const updatedTexts: Record<Kind, Texts> = { ...seen.texts }
      for (const { kind } of kinds)
        updatedTexts[kind] = seen.texts[kind].flatMap(({ text, id }) => {
          const kindTexts = texts[kind]
          const target = kindTexts?.has(text) ? kindTexts.get(text) : id
          return target === undefined ? [] : [{ text, id: target }]
        })
      start({ ...edited, version, texts: updatedTexts })
    })
  const forgetAll = (): void =>
    confirmForgetSource(seen.name, async () => {
      setBusy(true)
      try {
        await forget(seen.id)
        start(seen)
      } finally {
        setBusy(false)
      }
    })
  return (
    <>
      <PageHead
        title={title}
        documentTitle={documentTitle}
        facts={
          <>
            {displayCount(
              kinds.reduce((sum, { kind }) => sum + seen.texts[kind].length, 0),
              'text',
            )}{' '}
            of {seen.name} mapped
            {isChanged && ' · not saved yet'}
          </>
        }
      >
        <Button variant="default" disabled={isBusy} onClick={forgetAll}>
          Forget {seen.name}
        </Button>
        <Button variant="default" disabled={!isChanged || isBusy} onClick={() => start(source)}>
          Discard changes
        </Button>
        <Button disabled={!isChanged} loading={isBusy} onClick={() => void saveAll()}>
          Save
        </Button>
      </PageHead>
      {chooser}
      {problem && (
        <Alert color="red" mb="md" role="alert">
          {problem}
        </Alert>
      )}
      <SectionStack>
        <Card aria-label="How its files are read">
          <CardHead>How its files are read</CardHead>
          <CardBody>
            {settings?.(edited, change)}
            <Columns
              seen={seen.columns}
              now={edited.columns}
              meanings={meanings}
              many={many}
              onChange={(columns) =>
                // The spread keeps every other property of S.
                change({ columns } as Partial<S>)
              }
            />
          </CardBody>
        </Card>
        {kinds
          .filter(({ kind }) => seen.texts[kind].length > 0)
          .map((one) => (
            <TextsCard
              key={one.kind}
              of={one}
              texts={seen.texts[one.kind]}
              draft={texts[one.kind]}
              onPut={(text, id) => setMapping(one.kind, text, id)}
            />
          ))}
        <section aria-label="History">
          <h2>History</h2>
          {history(seen.id)}
        </section>
      </SectionStack>
    </>
  )
}

/** Edits the meaning of each column, by heading. */
function Columns<Meaning extends string>({
  seen,
  now,
  meanings,
  many,
  onChange,
}: {
  seen: readonly { heading: string; meaning: Meaning }[]
  now: readonly { heading: string; meaning: Meaning }[]
  meanings: Readonly<Record<Meaning, string>>
  many: readonly Meaning[]
  onChange: (columns: { heading: string; meaning: Meaning }[]) => void
}) {
  const setMeaning = (heading: string, meaning: Meaning | null): void => {
    const meaningByHeading = new Map(now.map((one) => [one.heading, one.meaning]))
    // Any other meaning belongs to a single column, so choosing it for one column clears it for another.
    if (meaning && !many.includes(meaning))
      for (const [other, otherMeaning] of meaningByHeading) if (otherMeaning === meaning) meaningByHeading.delete(other)
    if (meaning) meaningByHeading.set(heading, meaning)
    else meaningByHeading.delete(heading)
    onChange(
      seen.flatMap((one) =>
        meaningByHeading.has(one.heading) ? [{ heading: one.heading, meaning: meaningByHeading.get(one.heading) ?? one.meaning }] : [],
      ),
    )
  }
  const data = Object.entries<string>(meanings).map(([value, label]) => ({ value, label }))
  return (
    <div className={scrollStyles.scroll}>
      <DataTable
        isTight
        label="Columns"
        columns={[
          { id: 'heading', label: 'Heading' },
          {
            id: 'meaning',
            label: 'Contains',
            cell: ({ heading }) => (
              <Choice
                aria-label={`What ${heading} contains`}
                placeholder="Not used"
                size="xs"
                w={220}
                clearable
                data={data}
                value={now.find((one) => one.heading === heading)?.meaning ?? null}
                onChange={(value) => setMeaning(heading, keysOf(meanings).find((one) => one === value) ?? null)}
              />
            ),
          },
        ]}
        rows={seen}
        keyOf={({ heading }) => heading}
      />
    </div>
  )
}

/** Edits the known texts of one kind and the record to which each is mapped. */
function TextsCard<Kind extends string>({
  of: { label, targets, leftOutName },
  texts,
  draft,
  onPut,
}: {
  of: TextKind<Kind>
  texts: Texts
  draft: ReadonlyMap<string, number | null | undefined> | undefined
  onPut: (text: string, id: number | null | undefined) => void
}) {
  const [searchText, setSearchText] = useState('')
  const [shown, setShown] = useState(pageOf)
  const names = new Map(targets.map((one) => [one.id, one.label]))
  const nameOf = (id: number | null): string => (id === null ? leftOutName : (names.get(id) ?? 'An archived or deleted record'))
  const data = [{ value: leftOut, label: leftOutName }, ...targets.map((one) => ({ value: String(one.id), label: one.label }))]
  const isForgotten = (text: string): boolean => draft?.has(text) === true && draft.get(text) === undefined
  const search = searchText.trim().toLowerCase()
  const found = texts.filter(({ text, id }) => !search || text.includes(search) || nameOf(id).toLowerCase().includes(search))
  return (
    <Card className={scrollStyles.scroll} aria-label={label}>
      <CardHead>
        {label} <CardNote>{displayCount(texts.length, 'item')}</CardNote>
      </CardHead>
      {texts.length > pageOf && (
        <CardBody>
          <TextInput
            aria-label={`Search ${toMidSentence(label)}`}
            placeholder="Search for an item or what it is mapped to"
            maw={360}
            value={searchText}
            onChange={(event) => setSearchText(event.currentTarget.value)}
          />
        </CardBody>
      )}
      <DataTable
        isTight
        columns={[
          { id: 'text', label: 'In the files' },
          {
            id: 'target',
            label: 'Mapped to',
            cell: ({ text, id }) => {
              const target = draft?.has(text) ? (draft.get(text) ?? null) : id
              const isGone = target !== null && !names.has(target)
              return isForgotten(text) ? (
                'You will be asked when a file contains it'
              ) : (
                <Choice
                  aria-label={`What ${text} is mapped to`}
                  size="xs"
                  miw={220}
                  placeholder={isGone ? nameOf(target) : undefined}
                  data={data}
                  value={isGone ? null : target === null ? leftOut : String(target)}
                  onChange={(value) => value && onPut(text, value === leftOut ? null : Number(value))}
                />
              )
            },
          },
          {
            id: 'forget',
            label: '',
            isFigure: true,
            cell: ({ text, id }) => (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={isForgotten(text) ? `Keep ${text}` : `Forget ${text}`}
                onClick={() => onPut(text, isForgotten(text) ? id : undefined)}
              >
                {isForgotten(text) ? 'Keep' : 'Forget'}
              </Button>
            ),
          },
        ]}
        rows={found.slice(0, shown)}
        keyOf={({ text }) => text}
      />
      {found.length === 0 && <EmptyState>No items match.</EmptyState>}
      {found.length > shown && (
        <CardBody>
          <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + pageOf)}>
            Show {Math.min(pageOf, found.length - shown)} more of {found.length}
          </Button>
        </CardBody>
      )}
    </Card>
  )
}
