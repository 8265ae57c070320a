import { Button, Tabs } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import type { AnyRecord } from '../../domain/resources/resource.ts'
import { changedFields, type Values } from '../../domain/resources/schema.ts'
import { inSentence } from '../../domain/terms.ts'
import { extrasOf } from '../extras/registry.ts'
import { PageHead } from '../shell/PageHead.tsx'
import type { Screen } from '../shell/screens.ts'
import { useTerm } from '../state/core.ts'
import { forgetUnsaved, mayDiscard, useUnsaved } from '../state/unsaved.ts'
import { confirmDelete } from './confirmDelete.tsx'
import { RecordForm, sectionsOf } from './RecordForm.tsx'
import { RecordHistory } from './RecordHistory.tsx'
import { StaleNotice } from './StaleNotice.tsx'
import { UsesTab } from './UsesTab.tsx'
import { useRecord } from './useRecord.ts'
import { useScreenResource } from './useScreenResource.ts'

/** The first of the naming fields that is not empty and no id. */
function nameOf(naming: readonly string[], record: AnyRecord): string {
  return String(naming.map((name) => record[name]).find((value) => typeof value === 'string' && value !== '') ?? '')
}

/** The form of a record with its tabs: details, what belongs to it, what uses it, its history. */
export function RecordEditor({ screen, saved: loaded, start }: { screen: Screen; saved: AnyRecord | null; start: Values }) {
  const { resource, calls, isHidden, offers, mayEdit, flags } = useScreenResource(screen)
  const term = useTerm()(resource.key)
  const navigate = useNavigate()
  const extras = extrasOf(resource.name)
  const tabs = extras.tabs?.filter((one) => !one.onlyIn || one.onlyIn === screen.needs)
  const fixed = [
    ...Object.keys(screen.fixed ?? {}),
    ...(screen.area === 'Administrator' ? [] : ['organisationId']),
    ...(extras.below?.fields ?? []),
  ]
  const sections = sectionsOf(resource, isHidden, fixed)
  const [tab, setTab] = useState('details')
  const sectionTab = (section: string): string => (extras.tabbed && section !== sections[0]?.name ? section : 'details')
  const form = useRecord({
    screen,
    loaded,
    start,
    onProblem: (field) => {
      const section = sections.find((one) => one.fields.some(([name]) => name === field))
      if (section) setTab(sectionTab(section.name))
    },
  })
  const { saved, values, setValues, problems, newer, busy, save } = form
  const unsaved = changedFields(resource, saved ?? start, values).length > 0
  useUnsaved(unsaved)
  // The other tabs save what they hold themselves.
  const onForm = tab === 'details' || sections.some((section) => section.name === tab)
  useHotkeys([['mod+S', () => onForm && void save()]], [], true)
  /** Another tab; what was typed in one that saves by itself is not lost unasked, while the form keeps its own. */
  const open = async (next: string): Promise<void> => {
    if (onForm || unsaved || (await mayDiscard())) setTab(next)
  }
  const remove = (): void =>
    confirmDelete({
      term,
      count: 1,
      one: true,
      run: () => calls.delete.mutate({ id: saved!.id }),
      after: () => {
        forgetUnsaved()
        form.refresh()
        return navigate(screen.path)
      },
      // What is in the way is shown, with a way to each.
      onRefused: () => setTab('uses'),
    })
  const formOf = (section?: string): ReactNode => {
    const whole = (
      <RecordForm
        resource={resource}
        values={values}
        onChange={setValues}
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
    const Beside = extras.beside
    const part = { values, onChange: setValues, problems, screen }
    const body = (
      <div className="stack">
        {whole}
        {isFirst && Below && <Below {...part} />}
      </div>
    )
    return isFirst && Beside ? (
      <div className="split">
        {body}
        <div className="sticky">
          <Beside {...part} />
        </div>
      </div>
    ) : (
      body
    )
  }
  const [name, facts] = saved
    ? (extras.title?.(saved) ?? [nameOf(resource.naming, saved), resource.naming[1] ? String(saved[resource.naming[1]] ?? '') : undefined])
    : [`Add ${inSentence(term.singular)}`, resource.purpose]
  const Actions = extras.actions
  const area = screen.area
  return (
    <>
      <PageHead
        title={name || term.singular}
        documentTitle={`${saved ? 'Edit' : 'Add'} - ${term.singular} - ${area}`}
        pills={unsaved && <span className="pill warn">Unsaved</span>}
        facts={facts}
      >
        {saved && Actions && <Actions record={saved} screen={screen} mayEdit={mayEdit} />}
        {saved && offers('delete') && (
          <Button variant="default" c="var(--bad)" onClick={remove}>
            Delete
          </Button>
        )}
        {unsaved && (
          <Button variant="default" onClick={form.discard}>
            Discard
          </Button>
        )}
        {(onForm || unsaved) && (
          <Button onClick={() => void save()} loading={busy} rightSection={<span className="hint">Ctrl S</span>}>
            Save
          </Button>
        )}
      </PageHead>
      {newer && (
        <StaleNotice
          resource={resource}
          saved={saved ?? {}}
          newer={newer}
          onKeep={() =>
            form.take(
              { ...newer, ...Object.fromEntries(changedFields(resource, saved ?? {}, values).map((one) => [one, values[one]])) },
              newer,
            )
          }
          onTake={() => form.take(newer, newer)}
        />
      )}
      {saved || extras.tabbed ? (
        <Tabs value={tab} onChange={(value) => void open(value ?? 'details')} keepMounted={false}>
          <Tabs.List mb="md">
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
            tabs?.map(({ value, part: Part }) => (
              <Tabs.Panel key={value} value={value}>
                <Part record={saved} screen={screen} mayEdit={mayEdit} />
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
                  calls={calls}
                  record={saved}
                  isHidden={isHidden}
                  onRestored={(record) => {
                    form.take(record, record)
                    form.refresh()
                  }}
                />
              </Tabs.Panel>
            </>
          )}
        </Tabs>
      ) : (
        formOf()
      )}
    </>
  )
}
