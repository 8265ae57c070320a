import { Button, Checkbox, Menu, Stack, TextInput } from '@mantine/core'
import { modals } from '@mantine/modals'
import { IconBookmark, IconCheck } from '@tabler/icons-react'
import { Fragment, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ReportLayout } from '../../domain/reports/layouts.ts'
import { addSelection, formatSelection } from '../../domain/values/selectionAddress.ts'
import { notices } from '../../domain/words/notices.ts'
import { trpc } from '../shell/api.ts'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import type { SetUrlParameters } from '../shell/useAddressParameters.ts'
import { useDialogSave } from '../shell/useSave.ts'
import { FormModal } from '../ui/dialogs/FormModal.tsx'
import { buildLayoutUrl, differsFromLayout, toLayoutRequest } from './layouts.ts'
import classes from './Reports.module.css'
import type { ReportParameters, ReportScope } from './reportParameters.ts'

interface LayoutMenuProps {
  parameters: ReportParameters
  /** The selected budgets, for layouts that do not name budgets. */
  open: ReportScope
  put: SetUrlParameters
}

/** A menu of saved report layouts: choose, save, rename, share, copy a link, and delete. */
export function LayoutMenu({ parameters, open, put }: LayoutMenuProps) {
  const { data: layouts = [] } = trpc.reportLayouts.list.useQuery()
  const [nameDialog, setNameDialog] = useState<'new' | 'change' | null>(null)
  const navigate = useNavigate()
  const { organisationId } = useSelection()
  const { mutateAsync: update, isPending } = trpc.reportLayouts.update.useMutation()
  const { mutateAsync: remove } = trpc.reportLayouts.delete.useMutation()
  const { mutateAsync: create } = trpc.reportLayouts.create.useMutation()
  const layout = layouts.find((one) => one.id === parameters.layoutId)
  const changed = layout !== undefined && differsFromLayout(parameters, layout)
  const goTo = (one: ReportLayout): void => void navigate(buildLayoutUrl(one, open), { replace: true })
  const saveChanges = async (one: ReportLayout): Promise<void> => {
    const request = toLayoutRequest(parameters, one.isOverOpen)
    if (!request) return
    try {
      const { id, version, name, isShared, isOverOpen } = one
      await update({ id, version, name, isShared, isOverOpen, request })
      notifySuccess(notices.saved)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const confirmDelete = (one: ReportLayout): void =>
    void modals.openConfirmModal({
      title: `Delete ${one.name}`,
      children: one.isShared
        ? 'No one in the organisation can choose this layout any more, and links to it stop working. The report itself is not changed.'
        : 'Links to this layout stop working. The report itself is not changed.',
      labels: { cancel: 'Cancel', confirm: 'Delete' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await remove({ id: one.id })
          const { name, isShared, isOverOpen, request } = one
          notifySuccess(
            notices.deleted('Layout'),
            createDeletionUndo(() => create({ name, isShared, isOverOpen, request })),
          )
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  const copyLink = async (one: ReportLayout): Promise<void> => {
    const { origin, pathname } = window.location
    // Users who follow the link may see other schools than this user, so it names only the organisation.
    const address = addSelection(`${pathname}?layout=${one.id}`, formatSelection({ organisationId, locationId: null, budgetId: null }))
    try {
      await navigator.clipboard.writeText(`${origin}${address}`)
      notifySuccess('Copied the link')
    } catch (error) {
      notifyFailure(error)
    }
  }
  const parts = [
    { title: 'My layouts', own: layouts.filter((one) => !one.isShared) },
    { title: 'Shared with the organisation', own: layouts.filter((one) => one.isShared) },
  ].filter(({ own }) => own.length)
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            leftSection={<IconBookmark size={16} stroke={1.6} />}
            loading={isPending}
            className={classes.layouts}
            classNames={{ label: classes.layoutLabel }}
          >
            <span className={classes.layoutName}>{layout ? layout.name : 'Layouts'}</span>
            {changed && <span>, changed</span>}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.layoutList}>
          {parts.map(({ title, own }) => (
            <Fragment key={title}>
              <Menu.Label>{title}</Menu.Label>
              {own.map((one) => (
                <Menu.Item
                  key={one.id}
                  aria-current={one.id === layout?.id ? 'true' : undefined}
                  rightSection={one.id === layout?.id && <IconCheck size={14} stroke={2} aria-hidden />}
                  onClick={() => goTo(one)}
                >
                  {one.name}
                </Menu.Item>
              ))}
            </Fragment>
          ))}
          {parts.length > 0 && <Menu.Divider />}
          {layout?.mayChange && changed && <Menu.Item onClick={() => void saveChanges(layout)}>Save changes to {layout.name}</Menu.Item>}
          {layout && changed && <Menu.Item onClick={() => goTo(layout)}>Undo changes to {layout.name}</Menu.Item>}
          <Menu.Item onClick={() => setNameDialog('new')}>Save as a new layout…</Menu.Item>
          {layout && (
            <>
              {layout.mayChange && <Menu.Item onClick={() => setNameDialog('change')}>Rename or share…</Menu.Item>}
              <Menu.Item onClick={() => void copyLink(layout)}>Copy a link to it</Menu.Item>
              {layout.mayChange && (
                <Menu.Item c="var(--bad)" onClick={() => confirmDelete(layout)}>
                  Delete…
                </Menu.Item>
              )}
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {nameDialog && (
        <LayoutDialog
          parameters={parameters}
          layout={nameDialog === 'change' ? layout : undefined}
          onSaved={(saved) => {
            setNameDialog(null)
            // The page already shows what was saved, so only the URL has to change, to name the new layout.
            if (nameDialog === 'new') put({ layout: String(saved.id) })
          }}
          onClose={() => setNameDialog(null)}
        />
      )}
    </>
  )
}

interface LayoutDialogProps {
  parameters: ReportParameters
  /** The layout to change; leave out to add a layout. */
  layout: ReportLayout | undefined
  onSaved: (saved: ReportLayout) => void
  onClose: () => void
}

function LayoutDialog({ parameters, layout, onSaved, onClose }: LayoutDialogProps) {
  const [name, setName] = useState(layout?.name ?? '')
  const [isShared, setShared] = useState(layout?.isShared ?? false)
  const [isOverOpen, setOverOpen] = useState(layout?.isOverOpen ?? false)
  const { mutateAsync: create } = trpc.reportLayouts.create.useMutation()
  const { mutateAsync: update } = trpc.reportLayouts.update.useMutation()
  const { problem, isSaving, save } = useDialogSave(
    async () => {
      // Renaming keeps the saved request, unless the user changed whether the layout names its budgets.
      const request = layout && layout.isOverOpen === isOverOpen ? layout.request : toLayoutRequest(parameters, isOverOpen)
      if (!request) return
      const input = { name, isShared, isOverOpen, request }
      onSaved(layout ? await update({ ...input, id: layout.id, version: layout.version }) : await create(input))
    },
    layout ? notices.updated('Layout') : notices.created('Layout'),
    () => undefined,
  )
  return (
    <FormModal
      title={layout ? `Rename or share ${layout.name}` : 'Save as a new layout'}
      isSaving={isSaving}
      isDisabled={!name.trim()}
      onSave={save}
      onClose={onClose}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          data-autofocus
          maxLength={100}
          value={name}
          error={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          label="Shared with the organisation"
          description="Everyone who can read reports and see its locations can choose it."
          checked={isShared}
          disabled={layout && !layout.isOwn}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        <Checkbox
          label="Use the open budget"
          description="It does not store a budget or year: it shows the budget that is open when it is chosen."
          checked={isOverOpen}
          onChange={(event) => setOverOpen(event.currentTarget.checked)}
        />
      </Stack>
    </FormModal>
  )
}
