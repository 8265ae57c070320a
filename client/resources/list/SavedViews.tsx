import { ActionIcon, Button, Group, Popover, TextInput } from '@mantine/core'
import { IconBookmark, IconPencil } from '@tabler/icons-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import {
  hasViewName,
  type ListName,
  type ListView,
  type ListViewSettings,
  maxViewNameLength,
  maxViewsPerList,
} from '../../../domain/lists/listViews.ts'
import { notices } from '../../../domain/words/notices.ts'
import { answerCache, toPublicError, trpc } from '../../shell/api.ts'
import { updateOptimistically } from '../../shell/calls/updateOptimistically.ts'
import { useCoreData } from '../../shell/core.ts'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { useSelection } from '../../shell/selection.ts'
import { useDialogSave } from '../../shell/useSave.ts'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import { markViewMigrated, readBrowserViews, toSavedView } from './browserViews.ts'
import type { ListState } from './listState.ts'
import classes from './SavedViews.module.css'

interface ViewsProps {
  list: ListName
  state: ListState
  onView: (look: ListViewSettings) => void
}

/**
 * The user's saved views of a list: search, filters, sorting and columns. They are stored on the server, so that they are available in
 * every browser.
 */
export function SavedViews(props: ViewsProps) {
  const { organisationId } = useSelection()
  const [opened, setOpened] = useState(false)
  // Views belong to an organisation.
  if (organisationId === null) return null
  const prepare = (): void => void answerCache.listViews.list.prefetch({ list: props.list })
  return (
    <Popover opened={opened} onChange={setOpened} width={300} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button
          variant="default"
          ml="auto"
          leftSection={<IconBookmark size={15} />}
          onPointerEnter={prepare}
          onFocus={prepare}
          onClick={() => setOpened((open) => !open)}
        >
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ViewsMenu {...props} onClose={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Copies to the server the views that an older version stored in this browser, once for each user and without a notice. */
function useMigrateBrowserViews(list: ListName): void {
  const { organisationId } = useSelection()
  const { user } = useCoreData()
  const { mutateAsync: sendViews } = trpc.listViews.takeOver.useMutation()
  useEffect(() => {
    if (organisationId === null) return
    const owner = { list, organisationId, userId: user.id }
    const migrateAll = async (): Promise<void> => {
      // One after another, so that a view that the server refuses does not prevent the others.
      for (const view of readBrowserViews(owner))
        await sendViews({ list, views: [view] }).then((taken) => taken.length && markViewMigrated(owner, view.name), console.warn)
    }
    void migrateAll()
  }, [list, organisationId, user.id, sendViews])
}

function ViewsMenu({ list, state, onView, onClose }: ViewsProps & { onClose: () => void }) {
  useMigrateBrowserViews(list)
  // The views are loaded again whenever the menu opens, because the user may have saved a view in another browser.
  const nameInput = useRef<HTMLInputElement>(null)
  const { data: views, error } = trpc.listViews.list.useQuery({ list }, { refetchOnMount: 'always' })
  return (
    <SectionStack>
      {error && <p className={textStyles.missing}>{toPublicError(error).message}</p>}
      {views?.length === 0 && <p className={textStyles.dim}>Search, filter and sort the list, then save it as a view.</p>}
      {views !== undefined && views.length > 0 && (
        <div className={classes.views}>
          {views.map((view) => (
            <ViewRow
              key={view.id}
              view={view}
              list={list}
              onChoose={() => {
                onView(view.look)
                onClose()
              }}
              onRemoved={() => nameInput.current?.focus()}
            />
          ))}
        </div>
      )}
      <SaveViewForm list={list} state={state} views={views} nameInput={nameInput} onKept={onClose} />
    </SectionStack>
  )
}

interface SaveViewFormProps extends Omit<ViewsProps, 'onView'> {
  views: ListView[] | undefined
  nameInput: RefObject<HTMLInputElement | null>
  onKept: () => void
}

function SaveViewForm({ list, state, views, nameInput, onKept }: SaveViewFormProps) {
  const [name, setName] = useState('')
  const { mutateAsync: keep } = trpc.listViews.keep.useMutation()
  const { problem, isSaving, save } = useDialogSave(() => keep({ list, name, look: toSavedView(state) }), notices.saved, onKept)
  const nameExists = views?.some((one) => hasViewName(one, name)) ?? false
  const isFull = !nameExists && (views?.length ?? 0) >= maxViewsPerList
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() && !isFull) void save()
      }}
    >
      <TextInput
        ref={nameInput}
        label="Name"
        data-autofocus={!views?.length || undefined}
        maxLength={maxViewNameLength}
        value={name}
        error={problem ?? (isFull && `You can save at most ${maxViewsPerList} views of a list. Remove one that you no longer need.`)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" mt="xs" fullWidth loading={isSaving} disabled={!name.trim() || isFull}>
        {nameExists ? 'Replace this view' : 'Save this view'}
      </Button>
    </form>
  )
}

interface ViewRowProps {
  view: ListView
  list: ListName
  onChoose: () => void
  onRemoved: () => void
}

function ViewRow({ view, list, onChoose, onRemoved }: ViewRowProps) {
  const { id, name, look } = view
  const [renaming, setRenaming] = useState<'now' | 'done' | null>(null)
  const { mutateAsync: sendViews } = trpc.listViews.takeOver.useMutation()
  const { mutateAsync: remove } = trpc.listViews.delete.useMutation()
  const onRemove = async (): Promise<void> => {
    onRemoved()
    try {
      const cachedViews = { query: answerCache.listViews.list, input: { list } }
      await updateOptimistically(
        cachedViews,
        (now) => now.filter((one) => one.id !== id),
        () => remove({ id }),
      )
      notifySuccess(
        notices.deleted('view'),
        createDeletionUndo(async () => {
          // Restore a deleted view, and keep any view that has since been saved under its name.
          const [back] = await sendViews({ list, views: [{ name, look }] })
          if (back === undefined) throw new Error('There is no room for this view any more.')
        }),
      )
    } catch (error) {
      notifyFailure(error)
    }
  }
  if (renaming === 'now') return <RenameForm view={view} onDone={() => setRenaming('done')} />
  return (
    <Group gap={4} wrap="nowrap">
      <Button
        variant="subtle"
        size="compact-md"
        justify="start"
        flex={1}
        miw={0}
        h="auto"
        py={4}
        classNames={{ label: classes.name }}
        onClick={onChoose}
      >
        {name}
      </Button>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Rename the view ${name}`}
        autoFocus={renaming === 'done'}
        onClick={() => setRenaming('now')}
      >
        <IconPencil size={16} />
      </ActionIcon>
      <RemoveButton label={`Remove the view ${name}`} onRemove={() => void onRemove()} />
    </Group>
  )
}

function RenameForm({ view: { id, name }, onDone }: { view: ListView; onDone: () => void }) {
  const [newName, setNewName] = useState(name)
  const { mutateAsync: rename } = trpc.listViews.rename.useMutation()
  const { problem, isSaving, save } = useDialogSave(() => rename({ id, name: newName }), notices.saved, onDone)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (newName.trim()) void save()
      }}
    >
      <Group gap={4} wrap="nowrap" align="start">
        <TextInput
          aria-label={`New name of the view ${name}`}
          flex={1}
          miw={0}
          autoFocus
          maxLength={maxViewNameLength}
          value={newName}
          error={problem}
          onChange={(event) => setNewName(event.currentTarget.value)}
        />
        <Button type="submit" loading={isSaving} disabled={!newName.trim()}>
          Rename
        </Button>
      </Group>
    </form>
  )
}
