import { Tabs } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { communicationState } from '../../../domain/lookups/lookupIds.ts'
import { getLookupName } from '../../../domain/lookups/lookups.ts'
import { getCommunicationState } from '../../../domain/resources/entities/shown.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { checkRecord, findMissingBySettings, isSameValue, type RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { useTerm } from '../../shell/core.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { createSubPageTitle, hasSubPage, type Screen } from '../../shell/screens/screen.ts'
import { confirmDiscard } from '../../shell/unsavedChanges.ts'
import { Pill } from '../../ui/labels/Pill.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import splitStyles from '../../ui/layout/Split.module.css'
import { TwoColumns } from '../../ui/layout/TwoColumns.tsx'
import { EditorHeader } from '../editor/EditorHead.tsx'
import { useEditor } from '../editor/useEditor.ts'
import { useEntityExtras } from '../entityExtras.ts'
import { getCachedAnswers } from '../resourceApi.ts'
import { useResourceUndo } from '../useResourceUndo.ts'
import { useScreenResource } from '../useScreenResource.ts'
import { listFormSections, RecordForm } from './RecordForm.tsx'
import { RecordHistory } from './RecordHistory.tsx'
import { RecordValue } from './RecordValue.tsx'
import { UsesTab } from './UsesTab.tsx'

/** Returns the text of the first naming field that has one. */
function nameOf(namingFields: readonly string[], record: AnyRecord): string {
  return String(namingFields.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '') ?? '')
}

/** The form and the tabs of a record: details, related records, uses, history. */
export function RecordEditor({
  screen,
  saved: loaded,
  start,
  onMade,
}: {
  screen: Screen
  saved: AnyRecord | null
  start: RecordValues
  /** Puts the id of a new record into the URL. */
  onMade: (created: AnyRecord) => Promise<void>
}) {
  const { resource, calls, hooks, saves, isHidden, offers, flags, ...rights } = useScreenResource(screen)
  const term = useTerm()(resource.key)
  const navigate = useNavigate()
  const extras = useEntityExtras(resource.name)
  const undo = useResourceUndo(resource, screen.own)
  const mayEdit = rights.mayEdit && !(loaded && (rights.isShared(loaded) || extras.isFixed?.(loaded)))
  const tabs = extras.tabs?.filter((one) => !one.onlyIn || one.onlyIn === screen.needs)
  const fixed = [
    ...Object.keys(screen.fixed ?? {}),
    ...(screen.area === 'Administrator' ? [] : ['organisationId']),
    ...(extras.below?.fields ?? []),
  ]
  const sections = listFormSections(resource, isHidden, fixed)
  const labels = Object.fromEntries(Object.entries(resource.fields).map(([name, field]) => [name, field.label]))
  // The URL may name a tab.
  const { hash } = useLocation()
  const [tab, setTab] = useState(tabs?.find(({ value }) => `#${value}` === hash)?.value ?? 'details')
  const sectionTab = (section: string): string => (extras.tabbed && section !== sections[0]?.name ? section : 'details')
  const isFormTab = tab === 'details' || sections.some((section) => section.name === tab)
  // Cache the record, so that other screens show it at once.
  const show = (record: AnyRecord): AnyRecord => {
    getCachedAnswers(resource, screen.own).get.setData({ id: record.id }, record)
    return record
  }
  const editor = useEditor<RecordValues, RecordValues, AnyRecord>({
    term,
    loaded,
    valuesOf: (record) => record,
    blank: start,
    labels,
    show: (name, values) => <RecordValue field={assertDefined(resource.fields[name])} value={values[name]} />,
    isSame: (name, a, b) => isSameValue(resource.fields[name], a, b),
    check: (values) => {
      const problems = [...checkRecord(resource, { ...values }).problems, ...findMissingBySettings(resource, values, flags)]
      return problems.length ? { input: null, problems } : { input: values, problems: [] }
    },
    save: (values, before) => (before ? saves.update({ ...values, id: before.id, version: before.version }) : saves.create(values)),
    reload: ({ id }) => calls.get.query({ id }),
    createUndo: ({ id, version }, before) =>
      before
        ? async () => show(await saves.update({ ...before, id, version }))
        : undo.may && offers('delete')
          ? () => undo.takeBack({ id, version })
          : null,
    onSaved: async (record, isNew) => {
      show(record)
      if (isNew) await (hasSubPage(screen, ':id') ? onMade(record) : navigate(screen.path, { replace: true }))
    },
    onProblem: (field) => {
      const section = sections.find((one) => one.fields.some(([name]) => name === field.split('.')[0]))
      if (section) setTab(sectionTab(section.name))
    },
    isReadOnly: !mayEdit,
    // The other tabs save their content themselves.
    isInBackground: !isFormTab,
    remove:
      mayEdit && offers('delete')
        ? {
            run: ({ id }) => saves.delete({ id }),
            undo: ({ id }) => undo.of({ id, version: null }),
            hint: undo.hint,
            lost: undo.lost,
            // Show what uses the record, with links.
            onRefused: () => setTab('uses'),
          }
        : undefined,
    list: screen.path,
  })
  const { saved, values, set, problems, isUnsaved } = editor
  /** Switches tabs. The main form keeps unsaved changes; a tab that saves its own content asks first. */
  const open = async (next: string): Promise<void> => {
    if (isFormTab || isUnsaved || (await confirmDiscard())) setTab(next)
  }
  const formOf = (section?: string): ReactNode => {
    const whole = (
      <RecordForm
        resource={resource}
        values={values}
        onChange={set}
        problems={problems}
        isHidden={isHidden}
        fixed={fixed}
        only={section}
        flags={flags}
        disabled={!mayEdit}
      />
    )
    const isFirst = section === undefined || section === sections[0]?.name
    const Below = extras.below?.part
    const SidePart = extras.beside
    const part = { values, onChange: set, problems, screen }
    const body = (
      <SectionStack>
        {whole}
        {isFirst && Below && (
          <PageSection>
            <Below {...part} />
          </PageSection>
        )}
      </SectionStack>
    )
    return isFirst && SidePart ? (
      <TwoColumns>
        {body}
        <div className={splitStyles.sticky}>
          <PageSection>
            <SidePart {...part} />
          </PageSection>
        </div>
      </TwoColumns>
    ) : (
      body
    )
  }
  const [name, facts] = saved
    ? (extras.title?.(saved) ?? [nameOf(resource.naming, saved), resource.naming[1] ? String(saved[resource.naming[1]] ?? '') : undefined])
    : [`Add ${toMidSentence(term.singular)}`, resource.purpose]
  const Actions = extras.actions
  const currentState = saved && resource.shown?.enabled ? getCommunicationState(saved, new Date().toISOString()) : null
  return (
    <>
      <EditorHeader
        editor={editor}
        title={name || term.singular}
        documentTitle={createSubPageTitle(saved ? 'Edit' : 'Add', screen, term)}
        pills={
          currentState !== null && (
            <Pill tone={currentState === communicationState.showing ? 'good' : undefined}>
              {getLookupName('communicationStates', currentState)}
            </Pill>
          )
        }
        facts={facts}
        canSave={isFormTab || isUnsaved}
      >
        {saved && Actions && (
          <PageSection height={0}>
            <Actions record={saved} screen={screen} mayEdit={mayEdit} />
          </PageSection>
        )}
      </EditorHeader>
      {/* New and saved records use the same tab, so that the first save does not remount the fields. */}
      <Tabs value={tab} onChange={(value) => void open(value ?? 'details')} keepMounted={false}>
        <Tabs.List mb="md" display={saved || extras.tabbed ? undefined : 'none'}>
          <Tabs.Tab value="details">Details</Tabs.Tab>
          {extras.tabbed &&
            sections.slice(1).map((section) => (
              <Tabs.Tab key={section.name} value={section.name}>
                {section.name}
              </Tabs.Tab>
            ))}
          {saved &&
            tabs?.map(({ value, label }) => (
              <Tabs.Tab key={value} value={value}>
                {label}
              </Tabs.Tab>
            ))}
          {saved && !screen.own && <Tabs.Tab value="uses">In use by</Tabs.Tab>}
          {saved && <Tabs.Tab value="history">History</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="details">{formOf(extras.tabbed ? sections[0]?.name : undefined)}</Tabs.Panel>
        {extras.tabbed &&
          sections.slice(1).map((section) => (
            <Tabs.Panel key={section.name} value={section.name}>
              {formOf(section.name)}
            </Tabs.Panel>
          ))}
        {saved &&
          tabs?.map(({ value, part: Tab }) => (
            <Tabs.Panel key={value} value={value}>
              <PageSection>
                <Tab record={saved} screen={screen} mayEdit={mayEdit} />
              </PageSection>
            </Tabs.Panel>
          ))}
        {saved && (
          <>
            <Tabs.Panel value="uses">
              <UsesTab resource={resource} record={saved} mayEdit={mayEdit} />
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <RecordHistory
                resource={resource}
                hooks={hooks}
                restore={saves.restore}
                undo={undo.may && mayEdit ? undo.takeBack : undefined}
                record={saved}
                isHidden={isHidden}
                onRestored={(record) => (record ? editor.take(show(record)) : void navigate(screen.path))}
              />
            </Tabs.Panel>
          </>
        )}
      </Tabs>
    </>
  )
}
