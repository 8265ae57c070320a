import { Alert, Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { staffFile } from '../../../domain/resources/staffFile.ts'
import { dayInLondon, displayCount, displayDate, displayDateTime } from '../../../domain/values/format.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { useIsBudgetLocked } from '../../budget/useChangeObstacle.ts'
import { api, trpc } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import { PageSection } from '../../shell/PageSection.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { DateField } from '../../ui/fields/DateField.tsx'
import { TickAllCheckbox, useTickedItems } from '../../ui/fields/TickAll.tsx'
import { Pill } from '../../ui/labels/Pill.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { type StaffChange, StaffChangeRow } from './ChangeRow.tsx'
import classes from './ChangesPage.module.css'

const ImportDialog = lazyComponent(() => import('../../resources/import/ImportDialog.tsx'), 'ImportDialog')

const kinds = [
  { kind: 'starter', title: 'Starters', note: 'in the file but not in this budget' },
  { kind: 'changed', title: 'Contracts that changed', note: 'as shown in the file on its date' },
  { kind: 'leaver', title: 'Leavers', note: 'in this budget but not in the file' },
  { kind: 'person', title: 'People', note: 'names and other details, which apply to every budget' },
] as const

/** Describes the result of accepting changes in one sentence. */
function describeAccepted({
  people,
  created,
  updated,
  ended,
}: {
  people: number
  created: number
  updated: number
  ended: number
}): string {
  const parts = [
    created && displayCount(created, 'contract added', 'contracts added'),
    updated && displayCount(updated, 'contract changed', 'contracts changed'),
    ended && displayCount(ended, 'contract ended', 'contracts ended'),
    people && displayCount(people, 'person added', 'people added'),
  ].filter(Boolean)
  return parts.length ? parts.join(', ') : 'Saved'
}

/**
 * Uploads a staff file, with the date that it describes.
 * @param replacedFile name of the file that the new file replaces
 */
function UploadStaffFileDialog({ replacedFile, onClose }: { replacedFile: string | undefined; onClose: () => void }) {
  const [day, setDay] = useState<string | null>(dayInLondon(new Date()))
  const [name, setName] = useState('Staff file')
  const { mutateAsync: importFile } = trpc.staffFiles.import.useMutation()
  return (
    <PageSection height={0}>
      <ImportDialog
        resource={staffFile}
        calls={{
          import: async ({ rows, leftOut }) => {
            await importFile({ rows, leftOut, name: name.slice(0, 200), day: day ?? dayInLondon(new Date()) })
            return `${displayCount(rows.length, 'row')} read. Nothing in the budget has changed yet: review the differences.`
          },
          template: api.staffFiles.template,
        }}
        isHidden={() => false}
        options={
          <>
            <div className={classes.ends} style={{ marginTop: 12 }}>
              <DateField label="Date of the file" value={day} onChange={setDay} />
            </div>
            {replacedFile !== undefined && (
              <p className={textStyles.since}>
                It replaces {replacedFile}. Changes from that file that have not been accepted are discarded; to see them again, choose that
                file again.
              </p>
            )}
          </>
        }
        onChosen={setName}
        onClose={onClose}
      />
    </PageSection>
  )
}

/** Differences between the staff data of an HR system and the budget. The user accepts, dismisses or postpones each of them. */
export function StaffChangesPage() {
  const isLocked = useIsBudgetLocked()
  const mayEdit = usePermissionCheck()(['BudgetingStaffingReadUpdate'])
  const query = trpc.staffFiles.changes.useQuery(undefined, { staleTime: 0 })
  const { mutateAsync: accept, isPending: isAccepting } = trpc.staffFiles.accept.useMutation()
  const { mutateAsync: leave, isPending: isLeaving } = trpc.staffFiles.leave.useMutation()
  const [isOpen, setOpen] = useState(false)
  const chosen = useTickedItems<StaffChange>(({ token }) => token)
  const [ends, setEnds] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [showsLeft, setShowsLeft] = useState(false)
  if (query.isError) return <LoadFailed query={query} />
  const { data } = query
  const all = data?.changes ?? []
  const left = all.filter((one) => one.isLeft)
  const shown = showsLeft ? left : all.filter((one) => !one.isLeft)
  const mayAccept = mayEdit && !isLocked
  const chosenChanges = shown.filter(chosen.has)
  const takeable = chosenChanges.filter(({ problems }) => !problems.length)
  const leavers = all.filter(({ kind }) => kind === 'leaver')
  const endOf = ({ token }: StaffChange): string | null => (ends.has(token) ? (ends.get(token) ?? null) : (data?.file.day ?? null))
  const act = async (run: () => Promise<string>): Promise<void> => {
    try {
      const notice = await run()
      chosen.clear()
      notifySuccess(notice)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const acceptChosen = () =>
    act(async () =>
      describeAccepted(
        await accept({ items: takeable.map((one) => ({ token: one.token, endDate: one.kind === 'leaver' ? endOf(one) : null })) }),
      ),
    )
  const dismissChosen = (isLeft: boolean) =>
    act(async () => {
      await leave({ tokens: chosenChanges.map(({ token }) => token), leave: isLeft })
      return isLeft ? 'Dismissed' : 'Shown again'
    })
  const isBusy = isAccepting || isLeaving
  return (
    <>
      <PageHead
        title="Changes from HR"
        documentTitle="Changes from HR - Staffing"
        pills={
          <>
            {data && <Pill tone={shown.length && !showsLeft ? 'warn' : 'good'}>{all.length - left.length || 'none'}</Pill>}
            {isLocked && <Pill tone="warn">Locked</Pill>}
          </>
        }
        facts={
          data ? (
            <>
              {data.file.name}: {displayCount(data.file.rows, 'row')} as at {displayDate(data.file.day)}, read{' '}
              {displayDateTime(data.file.takenAt)}
              {data.file.takenBy ? ` by ${data.file.takenBy}` : ' over a connection'} ·{' '}
              {displayCount(data.same, 'contract agrees', 'contracts agree')}
            </>
          ) : (
            'Your HR system’s staff compared with this budget; nothing changes until you accept it'
          )
        }
      >
        {left.length > 0 && (
          <Button variant="default" onClick={() => setShowsLeft(!showsLeft)} aria-pressed={showsLeft}>
            {showsLeft ? 'Show what is new' : `${left.length} dismissed`}
          </Button>
        )}
        {mayEdit && data && <Button onClick={() => setOpen(true)}>Choose a newer file</Button>}
      </PageHead>
      {data === undefined && <Skeleton height={320} />}
      {data === null && (
        <Card>
          <EmptyState>
            <h2>No staff file yet</h2>
            <p>
              Choose your HR or payroll system’s export of everyone who works here. Starters, leavers and changed hours, points and names
              are compared with this budget, and you accept the changes that are right. A connection can fetch the file every night, under{' '}
              <Link to="/console/integrations">Integrations</Link>.
            </p>
            {mayEdit && <Button onClick={() => setOpen(true)}>Choose a file</Button>}
          </EmptyState>
        </Card>
      )}
      {data && leavers.length > 2 && leavers.length > data.same && (
        <Alert color="orange" mb="md" title="Is this the whole file?">
          {displayCount(leavers.length, 'contract is', 'contracts are')} not in it, and only {data.same} agree. The file should contain
          everyone who works at this location.
        </Alert>
      )}
      {data && !shown.length && (
        <Card>
          <EmptyState>
            <h2>{showsLeft ? 'No dismissed differences' : 'This budget agrees with the file'}</h2>
            <p>
              {left.length && !showsLeft
                ? `Except for ${displayCount(left.length, 'difference', 'differences')} that someone dismissed.`
                : 'Nothing to do until the next file.'}
            </p>
          </EmptyState>
        </Card>
      )}
      {kinds.map(({ kind, title, note }) => {
        const ofKind = shown.filter((one) => one.kind === kind)
        if (!ofKind.length) return null
        const tickable = ofKind.filter(({ problems }) => !problems.length || showsLeft)
        return (
          <Card key={kind} style={{ marginBottom: 14 }} aria-label={title}>
            <CardHead>
              {mayAccept && <TickAllCheckbox ticks={chosen} of={tickable} label={`Choose all ${toMidSentence(title)}`} />}
              {title} <Pill>{ofKind.length}</Pill>
              <CardNote>{note}</CardNote>
            </CardHead>
            <ul className={classes.changes}>
              {ofKind.map((one) => (
                <StaffChangeRow
                  key={one.token}
                  change={one}
                  chosen={chosen.has(one)}
                  endDate={endOf(one)}
                  onChoose={mayAccept ? (isChosen) => chosen.tick([one], isChosen) : null}
                  onEnd={(endDate) => setEnds(new Map(ends).set(one.token, endDate))}
                />
              ))}
            </ul>
          </Card>
        )
      })}
      {mayAccept && shown.length > 0 && (
        <section className={classes.bar} aria-label="Chosen changes">
          <span className={textStyles.dim}>
            {chosenChanges.length
              ? displayCount(chosenChanges.length, 'change chosen', 'changes chosen')
              : 'Tick the changes that are right'}
            {chosenChanges.length > takeable.length && `, of which ${chosenChanges.length - takeable.length} cannot be accepted yet`}
          </span>
          <Button variant="default" disabled={!chosenChanges.length || isBusy} onClick={() => void dismissChosen(!showsLeft)}>
            {showsLeft ? 'Show them again' : 'Dismiss'}
          </Button>
          <Button disabled={!takeable.length || isBusy} loading={isAccepting} onClick={() => void acceptChosen()}>
            {takeable.length ? `Apply ${takeable.length} to budget` : 'Apply to budget'}
          </Button>
        </section>
      )}
      {isOpen && <UploadStaffFileDialog replacedFile={data?.file.name} onClose={() => setOpen(false)} />}
    </>
  )
}
