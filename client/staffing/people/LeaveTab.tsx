import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { date, longText, reference } from '../../../domain/resources/fields.ts'
import type { RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayDate } from '../../../domain/values/format.ts'
import { type StaffId, toStaffId } from '../../../domain/values/ids.ts'
import type { FieldProblem } from '../../../domain/words/errors.ts'
import type { RecordPartProps } from '../../resources/entityExtras.ts'
import { RecordDialog } from '../../resources/record/RecordDialog.tsx'
import { useRecordNames } from '../../resources/resourceApi.ts'
import { type api, toPublicError, trpc } from '../../shell/api.ts'
import { useTerm } from '../../shell/core.ts'
import { createDeletionUndo } from '../../shell/notify.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { LeaveCostChanges } from './LeaveCostChanges.tsx'
import { LeaveTimeline } from './LeaveTimeline.tsx'

type Leave = Awaited<ReturnType<typeof api.leave.listByStaff.query>>[number]

const weeks = ({ startDate, endDate }: Leave): number => Math.round((Date.parse(endDate) - Date.parse(startDate)) / 604_800_000)

const fields = {
  extendedLeaveRulesetId: reference('Extended leave rule set', { required: true, to: 'extendedLeaveRuleSet' }),
  startDate: date('Start date', { required: true }),
  endDate: date('End date', { required: true }),
  notes: longText('Notes', { max: 2000 }),
}

function findMissingFields(values: RecordValues): FieldProblem[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    'required' in field && !values[name] ? [{ field: name, message: `${field.label} is required.` }] : [],
  )
}

function useSaveLeave(staffId: StaffId): (leave: Leave | null, values: RecordValues) => Promise<Leave> {
  const { mutateAsync: create } = trpc.leave.create.useMutation()
  const { mutateAsync: update } = trpc.leave.update.useMutation()
  return (leave, values) => {
    // `findMissingFields` has already checked that the required fields are present.
    const { extendedLeaveRulesetId, startDate, endDate, notes } = values as Pick<Leave, keyof typeof fields>
    const input = { staffId, extendedLeaveRulesetId, startDate, endDate, notes }
    return leave ? update({ ...input, id: leave.id, version: leave.version }) : create(input)
  }
}

/** A person's extended leave: dates and rules. */
export function LeaveTab({ record, mayEdit, screen }: RecordPartProps) {
  const term = useTerm()('AppliedExtendedLeave')
  const [open, setOpen] = useState<{ leave: Leave | null } | null>(null)
  const list = trpc.leave.listByStaff.useQuery({ id: record.id })
  // Leave pay depends on a budget's tables, and the console has no budget.
  const timelines = trpc.leave.periods.useQuery({ id: record.id }, { enabled: screen.needs === 'budget' && Boolean(list.data?.length) })
  const sets = useRecordNames('extendedLeaveRuleSet', [
    ...(list.data ?? []).map((row) => row.extendedLeaveRulesetId),
    ...(timelines.data ?? []).map((row) => row.ruleSetId),
  ])
  const save = useSaveLeave(toStaffId(record.id))
  const { mutateAsync: remove } = trpc.leave.delete.useMutation()
  const done = (): void => setOpen(null)
  if (list.isLoadingError) return <p role="alert">{toPublicError(list.error).message}</p>
  if (!list.data) return <Skeleton height={120} />
  return (
    <Card aria-label={term.plural}>
      <CardHead>
        {term.plural}
        <span style={{ flex: 1 }} />
        {mayEdit && (
          <Button size="compact-md" onClick={() => setOpen({ leave: null })}>
            Add extended leave
          </Button>
        )}
      </CardHead>
      {list.data.length === 0 ? (
        <EmptyState>
          <h2>No extended leave</h2>
          <p>Maternity, adoption and other extended leave is costed week by week by a set of rules.</p>
        </EmptyState>
      ) : (
        <DataTable
          isWrapped
          minWidth={560}
          columns={[
            { id: 'from', label: 'From', cell: ({ startDate }) => displayDate(startDate) },
            { id: 'to', label: 'To', cell: ({ endDate }) => displayDate(endDate) },
            { id: 'weeks', label: 'Weeks', isFigure: true, cell: weeks },
            { id: 'rules', label: 'Rules', cell: ({ extendedLeaveRulesetId: id }) => sets.get(id)?.name ?? '…' },
            { id: 'notes', label: 'Notes' },
            ...(mayEdit
              ? [
                  {
                    id: 'change',
                    label: 'Change',
                    isLabelHidden: true,
                    width: 90,
                    cell: (leave: Leave) => (
                      <Button variant="subtle" size="compact-sm" onClick={() => setOpen({ leave })}>
                        Change
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
          rows={list.data}
          keyOf={({ id }) => id}
        />
      )}
      {timelines.data?.map(({ leaveId, ruleSetId, periods, changes }) => {
        const leave = list.data.find((one) => one.id === leaveId)
        return (
          <CardBody key={leaveId}>
            <h3 style={{ margin: '0 0 8px', fontSize: 14 }}>Leave from {displayDate(leave?.startDate)}, week by week</h3>
            {leave && leave.extendedLeaveRulesetId !== ruleSetId && (
              <p className={textStyles.dim}>
                Follows {sets.get(ruleSetId)?.name ?? '…'}, which has replaced {sets.get(leave.extendedLeaveRulesetId)?.name ?? '…'} for
                leave that starts on this date.
              </p>
            )}
            <LeaveCostChanges changes={changes} />
            <LeaveTimeline periods={periods} />
          </CardBody>
        )
      })}
      {open && (
        <RecordDialog
          term={term}
          isNew={!open.leave}
          fields={fields}
          start={open.leave ? { ...open.leave } : {}}
          check={findMissingFields}
          save={(values) => save(open.leave, values)}
          remove={open.leave ? () => remove({ id: assertDefined(open.leave).id }) : undefined}
          removeHint="Its cost is recalculated. You can undo this straight away, and the leave is added again."
          undo={(restored) => (open.leave && !restored ? createDeletionUndo(() => save(null, { ...open.leave })) : undefined)}
          onClose={() => setOpen(null)}
          onDone={done}
        />
      )}
    </Card>
  )
}
