import { Button, Group, Skeleton, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { dayInLondon, displayCount, displayDate, displayDateTime } from '../../domain/values/format.ts'
import { notices } from '../../domain/words/notices.ts'
import { useIsBudgetLocked } from '../budget/useChangeObstacle.ts'
import { answerCache, toPublicError, trpc } from '../shell/api.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import momentsStyles from '../ui/moments.module.css'

function NameDialog({ version, name, onClose }: { version: number; name: string; onClose: () => void }) {
  const [typed, setTyped] = useState(name)
  const { mutateAsync: renameVersion } = trpc.moments.name.useMutation()
  const save = trpc.moments.name.useMutation({
    onSuccess: () => {
      notifySuccess(
        notices.saved,
        createDeletionUndo(() => renameVersion({ version, name: name || null })),
      )
      onClose()
    },
    onError: notifyFailure,
  })
  const error = save.error ? (toPublicError(save.error).fields[0]?.message ?? toPublicError(save.error).message) : undefined
  return (
    <Dialog onClose={onClose} title={`Name version ${version}`}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ version, name: typed.trim() || null })
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          placeholder="Approved by governors 12 May"
          description="Leave it empty to remove the name."
          error={error}
          maxLength={100}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

function prepare(): void {
  void answerCache.moments.timeline.prefetch()
}

/**
 * The days on which a budget changed, newest first. Each day opens the budget as it was at its end, and can
 * be given a name.
 */
export function VersionsPage() {
  const { budgetId } = useSelection()
  const mayName = usePermissionCheck()(['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'])
  const isLocked = useIsBudgetLocked()
  const [naming, setNaming] = useState<{ version: number; name: string } | null>(null)
  const timeline = trpc.moments.timeline.useQuery()
  const canName = mayName && !isLocked
  const line = (version: number, { at, title, what, name }: { at: string; title: string; what: string; name: string }) => (
    <li key={`${version} ${title}`} className={momentsStyles.moment}>
      <div>
        <b>{title}</b>
        <div className={textStyles.dim}>
          {what} · version {version} · {displayDateTime(at)}
        </div>
      </div>
      <Group gap="xs">
        {canName && (
          <Button size="compact-sm" variant="subtle" onClick={() => setNaming({ version, name })}>
            {name ? 'Rename' : 'Name it'}
          </Button>
        )}
        <Button size="compact-sm" variant="default" component={Link} to={`/overview/compare?from=${budgetId}@${version}&to=${budgetId}@`}>
          Compare with now
        </Button>
        <Button size="compact-sm" variant="default" component={Link} to={`/overview/versions/${version}`}>
          Open
        </Button>
      </Group>
    </li>
  )
  return (
    <>
      <PageHead
        title="Versions"
        documentTitle="Versions - Overview"
        facts="Every earlier version of this budget can be opened read-only, with its figures at the time. Name a version to find it easily."
      >
        {canName && timeline.data && (
          <Button onClick={() => setNaming({ version: timeline.data.version, name: '' })}>Name this version</Button>
        )}
      </PageHead>
      {timeline.isError && <LoadFailed query={timeline} />}
      {timeline.isPending && <Skeleton height={200} />}
      {timeline.data && (
        <SectionStack>
          <Card aria-label="Named versions">
            <CardHead>Named versions</CardHead>
            {timeline.data.moments.length ? (
              <ul className={momentsStyles.moments}>
                {[...timeline.data.moments].reverse().map((moment) =>
                  line(moment.version, {
                    at: moment.at,
                    title: moment.name,
                    what: displayDate(dayInLondon(moment.at)),
                    name: moment.name,
                  }),
                )}
              </ul>
            ) : (
              <EmptyState>No named versions yet. Approving a budget names one automatically.</EmptyState>
            )}
          </Card>
          <Card aria-label="Days">
            <CardHead>
              Days <CardNote>the budget as it was at the end of each day</CardNote>
            </CardHead>
            <ul className={momentsStyles.moments}>
              {timeline.data.days.map((day) =>
                line(day.version, {
                  at: day.at,
                  title: displayDate(day.day),
                  what: `${displayCount(day.changes, 'change')} by ${day.people.join(', ')}`,
                  name: timeline.data.moments.find((moment) => moment.version === day.version)?.name ?? '',
                }),
              )}
            </ul>
          </Card>
        </SectionStack>
      )}
      {naming && <NameDialog {...naming} onClose={() => setNaming(null)} />}
    </>
  )
}
VersionsPage.prepare = prepare
