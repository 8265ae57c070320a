import { Alert, Button, Skeleton, Text, Textarea, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router'
import { formatIsoMonth, formatMonth, fromMonthIndex, toMonthIndex } from '../../domain/monitoring/monitoring.ts'
import { findPackContentProblems, findUnreadChapters } from '../../domain/packs/decide.ts'
import { packContentInput } from '../../domain/packs/input.ts'
import { type Chapter, chapterNames, chapterTitles, formatPackCode, type PackContentInput, parsePackCode } from '../../domain/packs/pack.ts'
import { areReasonsBesideLines } from '../../domain/packs/pages.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayDateTime, displayList } from '../../domain/values/format.ts'
import { EditorHeader } from '../resources/editor/EditorHead.tsx'
import { useEditor } from '../resources/editor/useEditor.ts'
import { validateWith } from '../resources/editor/validateWith.ts'
import { api, type RouterOutputs, toPublicError, trpc } from '../shell/api.ts'
import { useOpenBudgetScreen } from '../shell/BudgetLink.tsx'
import { downloadReply } from '../shell/files/downloadReply.ts'
import { RequestFileButton } from '../shell/files/RequestFileButton.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { NotFound } from '../shell/screens/ScreenGuard.tsx'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { PackChapterContent } from './PackBlocks.tsx'
import classes from './Packs.module.css'
import { packsPath } from './packsPath.ts'

type Pack = RouterOutputs['packs']['get']

const term = { singular: 'Pack', plural: 'Packs' }
const labels = {
  chapters: 'Chapters',
  title: 'Title',
  texts: 'Texts',
  decisions: 'Decisions',
  signatories: 'Signatories',
  read: 'Text kept',
}
const listLink = { to: packsPath, label: 'Governors’ packs' }

/** A governors' pack. A draft can be edited; a finished pack is read-only. The URL contains the code that is printed on each page. */
export function PackPage() {
  const { id = '' } = useParams()
  const code = parsePackCode(id)
  const pack = trpc.packs.get.useQuery({ code: code ?? '' }, { enabled: code !== undefined, retry: false })
  if (!code || (pack.isLoadingError && toPublicError(pack.error).kind === 'notFound')) return <NotFound back={listLink} />
  if (pack.isLoadingError) return <LoadFailed query={pack} />
  if (!pack.data) return <Skeleton height={420} />
  return pack.data.finished ? <Finished key={code} pack={pack.data} /> : <Draft key={code} pack={pack.data} />
}

const titleOf = (pack: Pack): string => `${pack.words.title || 'Governors’ pack'}, ${formatMonth(pack)}`

function Facts({ pack }: { pack: Pack }) {
  return (
    <>
      {pack.place} · code <b>{formatPackCode(pack.code)}</b> ·{' '}
      {pack.finished
        ? `finished by ${pack.finished.by}, ${displayDateTime(pack.finished.at)}`
        : `started by ${pack.started.by}, ${displayDateTime(pack.started.at)}`}
    </>
  )
}

/** Requests the PDF, or downloads it once it is stored. */
function PdfButton({ pack, isDisabled = false }: { pack: Pack; isDisabled?: boolean }) {
  const { mutateAsync: print } = trpc.packs.print.useMutation()
  // After the user has requested a PDF that was not stored yet, keep the request button, because it shows the result of the request.
  const [isRequested, setRequested] = useState(false)
  if (!pack.hasPaper || isRequested)
    return (
      <RequestFileButton
        title={titleOf(pack)}
        label={pack.finished ? 'PDF' : 'PDF of the draft'}
        isDisabled={isDisabled}
        ask={() => {
          setRequested(true)
          return print({ code: pack.code })
        }}
      />
    )
  return (
    <Button variant="default" onClick={() => void downloadReply(`/api/Packs/${pack.code}/Paper`).catch(notifyFailure)}>
      PDF
    </Button>
  )
}

function Finished({ pack }: { pack: Pack }) {
  const navigate = useNavigate()
  const { since } = pack
  const next = fromMonthIndex(toMonthIndex(pack) + 1)
  const nextPackPath = `${packsPath}?start=1&month=${formatIsoMonth(next)}${pack.locationId ? `&location=${pack.locationId}` : ''}`
  return (
    <>
      <PageHead
        title={titleOf(pack)}
        documentTitle={`${titleOf(pack)} - Governors’ packs - Console`}
        pills={<Pill tone="good">Finished</Pill>}
        facts={<Facts pack={pack} />}
      >
        {pack.mayMake && (
          <Button variant="default" onClick={() => void navigate(nextPackPath)}>
            Start {formatMonth(next)}
          </Button>
        )}
        <PdfButton pack={pack} />
      </PageHead>
      <SectionStack>
        {since && <ChangedFiguresCard since={since} />}
        {pack.pages.map((page) => (
          <Card key={page.chapter} aria-label={page.title}>
            <CardHead>
              <h2 className={classes.heading}>{page.title}</h2>
            </CardHead>
            <CardBody className={classes.chapter}>
              <PackChapterContent blocks={page.blocks} />
            </CardBody>
          </Card>
        ))}
      </SectionStack>
    </>
  )
}

/** Says which figures have changed since the pack was finished, or that none have. */
function ChangedFiguresCard({ since }: { since: NonNullable<Pack['since']> }) {
  const { budgets, monitoring, figures } = since
  const changedParts = [...(budgets.length > 3 ? [displayCount(budgets.length, 'budget')] : budgets), ...(monitoring ? ['monitoring'] : [])]
  if (!changedParts.length && !figures?.length)
    return (
      <p className={textStyles.since} role="status">
        {figures
          ? 'Nothing has changed since this pack was finished: its figures are current.'
          : 'Neither its budgets nor its monitoring have changed since this pack was finished.'}
      </p>
    )
  return (
    <Card aria-label="Changed since">
      <CardHead>
        <h2 className={classes.heading}>Changed since this pack was finished</h2>
      </CardHead>
      <CardBody className={classes.chapter}>
        <p className={classes.text}>
          The pages below show the figures as they were.
          {changedParts.length > 0 && ` These have changed since: ${changedParts.join(', ')}.`}
          {figures && figures.length === 0 && ' None of the totals in this pack have changed.'}
        </p>
        {figures && figures.length > 0 && (
          <div className={scrollStyles.scroll}>
            <DataTable
              isTight
              columns={[
                { id: 'label', label: 'Figure' },
                { id: 'was', label: 'In this pack', isFigure: true },
                { id: 'now', label: 'Now', isFigure: true },
              ]}
              rows={figures}
            />
          </div>
        )}
      </CardBody>
    </Card>
  )
}

const valuesOf = ({ chapters, words }: Pack): PackContentInput => ({ chapters, ...words })

function checked(draft: PackContentInput) {
  const { input, problems } = validateWith(packContentInput, draft)
  if (input === null) return { input: null, problems: [...problems] }
  const unknown = findPackContentProblems(input)
  return unknown.length ? { input: null, problems: unknown } : { input, problems: [] as const }
}

function Draft({ pack }: { pack: Pack }) {
  const { mutateAsync: save } = trpc.packs.save.useMutation()
  const { mutateAsync: discard } = trpc.packs.discard.useMutation()
  const finish = trpc.packs.finish.useMutation()
  const editor = useEditor<PackContentInput, PackContentInput, Pack>({
    term,
    loaded: pack,
    valuesOf,
    blank: valuesOf(pack),
    labels,
    check: checked,
    save: (content, before) => save({ code: pack.code, version: (before ?? pack).version, content }),
    reload: () => api.packs.get.query({ code: pack.code }),
    remove: { run: () => discard({ code: pack.code }), lost: 'Its text is deleted; the budgets and reports behind it are kept.' },
    list: packsPath,
    isReadOnly: !pack.mayMake,
  })
  const { values, set, error, busy } = editor
  const end = async (): Promise<void> => {
    try {
      await finish.mutateAsync({ code: pack.code, version: (editor.saved ?? pack).version })
      notifySuccess('Finished. Its PDF is being created and is kept with it.')
    } catch (problem) {
      notifyFailure(problem)
    }
  }
  const askEnd = (): void =>
    void modals.openConfirmModal({
      title: 'Finish this pack',
      children: <Text size="sm">Its figures and text are then fixed: a finished pack can no longer be changed or discarded.</Text>,
      labels: { cancel: 'Cancel', confirm: 'Finish pack' },
      onConfirm: () => void end(),
    })
  const unread = findUnreadChapters(values, pack.earlier)
  const unused = chapterNames.filter((one) => !values.chapters.includes(one))
  const move = (from: number, to: number): void => {
    const next = [...values.chapters]
    const [one] = next.splice(from, 1)
    next.splice(to, 0, assertDefined(one))
    set({ chapters: next })
  }
  return (
    <>
      <EditorHeader
        editor={editor}
        title={titleOf(pack)}
        documentTitle={`${titleOf(pack)} - Governors’ packs - Console`}
        pills={<Pill tone="warn">Draft</Pill>}
        facts={<Facts pack={pack} />}
        after={
          <Button loading={finish.isPending} disabled={busy || editor.isUnsaved} onClick={askEnd}>
            Finish
          </Button>
        }
      >
        <PdfButton pack={pack} isDisabled={editor.isUnsaved} />
      </EditorHeader>
      <SectionStack>
        {pack.olderCosts && (
          <Alert color="orange" role="status" title="Costs are out of date">
            {pack.olderCosts}
          </Alert>
        )}
        {pack.earlier && unread.length > 0 && (
          <Alert color="orange" role="status" title={`Check or rewrite the text from ${formatMonth(pack.earlier)}`}>
            {`It is in ${displayList(unread.map((one) => chapterTitles[one]))}. Linked figures are now those of ${formatMonth(pack)}; the rest of the text has not changed.`}
          </Alert>
        )}
        {pack.due.length > 0 && <UnexplainedLines pack={pack} />}
        <Card>
          <CardBody>
            <div data-field="title">
              <TextInput
                label="Title"
                maw={480}
                maxLength={100}
                value={values.title}
                error={error('title')}
                onChange={(event) => set({ title: event.currentTarget.value })}
              />
            </div>
            {error('chapters') && <p className={textStyles.missing}>{error('chapters')}</p>}
          </CardBody>
        </Card>
        {values.chapters.map((chapter, index) => (
          <ChapterCard
            key={chapter}
            chapter={chapter}
            pack={pack}
            values={values}
            set={set}
            error={error}
            isUnread={unread.includes(chapter)}
            onUp={index > 0 ? () => move(index, index - 1) : null}
            onDown={index < values.chapters.length - 1 ? () => move(index, index + 1) : null}
            onRemove={() => set({ chapters: values.chapters.filter((one) => one !== chapter) })}
          />
        ))}
        {unused.length > 0 && (
          <Choice
            aria-label="Add a chapter"
            placeholder="Add a chapter"
            w={260}
            data={unused.map((one) => ({ value: one, label: chapterTitles[one] }))}
            value={null}
            onChange={(value) => value && set({ chapters: [...values.chapters, value] })}
          />
        )}
        <p className={textStyles.since}>
          Finishing fixes every figure permanently and creates the PDF. <Link to={packsPath}>All packs</Link>
        </p>
      </SectionStack>
    </>
  )
}

/** Lines that must be explained before the pack can be finished, with links. */
function UnexplainedLines({ pack }: { pack: Pack }) {
  const navigate = useNavigate()
  const openBudgetScreen = useOpenBudgetScreen()
  const { due, budgetId, locationId } = pack
  const explain = async (): Promise<void> => {
    const at = `budget-actuals?month=${formatIsoMonth(pack)}&explain=1`
    if (budgetId === null) return void navigate(`/console/monitoring/${at}`)
    await openBudgetScreen({ locationId, budgetId }, `/monitoring/${at}`)
  }
  return (
    <Alert
      color="orange"
      role="status"
      title={`${displayCount(due.length, 'line')} over the threshold ${due.length === 1 ? 'prevents' : 'prevent'} this pack from being finished`}
    >
      <ul className={classes.due}>
        {due.slice(0, 12).map((one) => (
          <li key={one.budgetCodeId}>
            {one.code} {one.description}: no {one.needs} yet
          </li>
        ))}
        {due.length > 12 && <li>and {displayCount(due.length - 12, 'other line')}</li>}
      </ul>
      <Button variant="default" size="compact-md" mt="sm" onClick={() => void explain()}>
        Explain them
      </Button>
    </Alert>
  )
}

interface ChapterProps {
  chapter: Chapter
  pack: Pack
  values: PackContentInput
  set: (part: Partial<PackContentInput>) => void
  error: (field: string) => string | undefined
  /** Whether the chapter's text is still that of an earlier month, and the user has neither read nor changed it. */
  isUnread: boolean
  onUp: (() => void) | null
  onDown: (() => void) | null
  onRemove: () => void
}

function ChapterCard({ chapter, pack, values, set, error, isUnread, onUp, onDown, onRemove }: ChapterProps) {
  const title = chapterTitles[chapter]
  const page = pack.pages.find((one) => one.chapter === chapter)
  // The editors of these two chapters show their text, so they need no preview. The other chapters have a preview of the saved data.
  const hasOwnEditor = chapter === 'decisions' || chapter === 'signature'
  const typed = (pack.words.texts[chapter] ?? '').trim()
  const blocks = hasOwnEditor ? [] : (page?.blocks ?? []).slice(typed ? 1 : 0)
  const buttons = [
    ['up', onUp, IconArrowUp],
    ['down', onDown, IconArrowDown],
  ] as const
  return (
    <Card aria-label={title}>
      <CardHead>
        <h2 className={classes.heading}>{title}</h2>
        {buttons.map(([name, run, Icon]) => (
          <Button
            key={name}
            size="compact-sm"
            variant="subtle"
            aria-label={`Move ${title} ${name}`}
            disabled={!run}
            onClick={() => run?.()}
          >
            <Icon size={16} stroke={1.6} aria-hidden />
          </Button>
        ))}
        <Button size="compact-sm" variant="subtle" aria-label={`Remove ${title}`} onClick={onRemove}>
          <IconX size={16} stroke={1.6} aria-hidden />
        </Button>
      </CardHead>
      <CardBody className={classes.chapter}>
        {pack.earlier && isUnread && (
          <Alert color="orange" role="note" aria-label={`Unchecked text in ${title}`}>
            <div className={classes.unread}>
              <span>This text is from {formatMonth(pack.earlier)}. Rewrite it, or keep it if it is still true.</span>
              <Button variant="default" size="compact-md" onClick={() => set({ read: [...(values.read ?? []), chapter] })}>
                Keep the text of {title}
              </Button>
            </div>
          </Alert>
        )}
        <TextWithFigures
          label={`Text of ${title}`}
          field={`texts.${chapter}`}
          pack={pack}
          value={values.texts[chapter] ?? ''}
          most={4000}
          error={error(`texts.${chapter}`)}
          onChange={(text) => set({ texts: { ...values.texts, [chapter]: text } })}
        />
        {chapter === 'decisions' && <Decisions pack={pack} values={values} set={set} error={error} />}
        {chapter === 'signature' && <Signatories values={values} set={set} error={error} />}
        {chapter === 'explanations' && areReasonsBesideLines(values.chapters) ? (
          <p className={textStyles.dim}>Reasons and actions are below their lines in Monitoring.</p>
        ) : (
          !page && !hasOwnEditor && <p className={textStyles.dim}>Save to see its figures.</p>
        )}
        <PackChapterContent blocks={blocks} />
      </CardBody>
    </Card>
  )
}

/** A text field with a list of figures that can be inserted, and a preview below it. */
function TextWithFigures({
  label,
  field,
  pack,
  value,
  most,
  error,
  onChange,
}: {
  label: string
  field: string
  pack: Pack
  value: string
  most: number
  error: string | undefined
  onChange: (text: string) => void
}) {
  const area = useRef<HTMLTextAreaElement>(null)
  const insert = (key: string): void => {
    const at = area.current?.selectionStart ?? value.length
    onChange(`${value.slice(0, at)}{${key}}${value.slice(at)}`)
    area.current?.focus()
  }
  const known = new Map(pack.references.map((one) => [one.key, one.text]))
  const previewText = value.replace(/\{([^{}]*)\}/g, (typed: string, key: string) => known.get(key.trim()) ?? typed)
  return (
    <div data-field={field}>
      <div className={classes.line}>
        <Textarea
          ref={area}
          label={label}
          autosize
          minRows={1}
          maxLength={most}
          value={value}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <Choice
          label="Insert a figure"
          aria-label={`Insert a figure into: ${label}`}
          placeholder="Figure"
          w={220}
          nothingFoundMessage="Figure not found"
          data={pack.references.map(({ key, label: name, text }) => ({ value: key, label: `${name}: ${text}` }))}
          value={null}
          isWide
          onChange={(key) => key && insert(key)}
        />
      </div>
      {previewText !== value && (
        <p className={classes.text} style={{ marginTop: 8 }}>
          <span className={textStyles.dim}>Reads: </span>
          {previewText}
        </p>
      )}
    </div>
  )
}

type Part = Pick<ChapterProps, 'values' | 'set' | 'error'>

function Decisions({ pack, values, set, error }: Part & { pack: Pack }) {
  const { decisions } = values
  const setDecision = (at: number, text: string): void => set({ decisions: decisions.map((one, index) => (index === at ? text : one)) })
  return (
    <>
      {decisions.map((text, index) => (
        <div key={index} className={classes.line}>
          <TextWithFigures
            label={`Decision ${index + 1}`}
            field={`decisions.${index}`}
            pack={pack}
            value={text}
            most={1000}
            error={error(`decisions.${index}`)}
            onChange={(next) => setDecision(index, next)}
          />
          <RemoveButton
            mt={26}
            label={`Remove decision ${index + 1}`}
            onRemove={() => set({ decisions: decisions.filter((_one, at) => at !== index) })}
          />
        </div>
      ))}
      <div>
        <Button variant="default" size="compact-md" onClick={() => set({ decisions: [...decisions, ''] })}>
          Add a decision
        </Button>
      </div>
    </>
  )
}

function Signatories({ values, set, error }: Part) {
  const { signatories } = values
  const setSignatory = (at: number, part: Partial<(typeof signatories)[number]>): void =>
    set({ signatories: signatories.map((one, index) => (index === at ? { ...one, ...part } : one)) })
  return (
    <>
      {signatories.map(({ role, name }, index) => (
        <div key={index} className={classes.line} data-field={`signatories.${index}`}>
          <TextInput
            label="Role"
            maxLength={100}
            value={role}
            error={error(`signatories.${index}.role`)}
            onChange={(event) => setSignatory(index, { role: event.currentTarget.value })}
          />
          <TextInput
            label="Name"
            style={{ flex: 1 }}
            maxLength={100}
            value={name}
            error={error(`signatories.${index}.name`)}
            onChange={(event) => setSignatory(index, { name: event.currentTarget.value })}
          />
          <RemoveButton
            mt={26}
            label={`Remove ${role || 'this line'}`}
            onRemove={() => set({ signatories: signatories.filter((_one, at) => at !== index) })}
          />
        </div>
      ))}
      <div>
        <Button variant="default" size="compact-md" onClick={() => set({ signatories: [...signatories, { role: '', name: '' }] })}>
          Add a signatory
        </Button>
      </div>
    </>
  )
}
