import { Alert, Button, Group, Skeleton, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import type { FieldProblem } from '../../domain/words/errors.ts'
import { ChangeList } from '../budget/history/ChangeList.tsx'
import { focusProblem } from '../resources/editor/focusProblem.ts'
import { RecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { useCoreData } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import { useUnsavedChanges } from '../shell/unsavedChanges.ts'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'

/** Identifies a rule change, for undo. */
type Change = Awaited<ReturnType<typeof api.users.groupRules.add.mutate>>

/**
 * Rules that map groups of the external identity provider to user groups of the selected organisation: rules of the installation, and rules
 * created on this page.
 */
export function GroupRulesPage() {
  const { organisationId } = useSelection()
  const { organisations } = useCoreData()
  const name = organisations.find(({ id }) => id === organisationId)?.name
  return (
    <>
      <PageHead
        title="Sign-in rules"
        documentTitle="Sign-in rules - Administrator"
        facts={name ? `The user groups of ${name} that people join, based on their groups at your sign-in service.` : undefined}
      />
      {name ? <Rules name={name} /> : <Alert>Choose an organisation in the bar: each has its own rules.</Alert>}
    </>
  )
}

function Rules({ name }: { name: string }) {
  const list = trpc.users.groupRules.list.useQuery()
  const { mutateAsync: remove, isPending } = trpc.users.groupRules.remove.useMutation()
  const { mutateAsync: undoRule } = trpc.users.groupRules.undo.useMutation()
  if (list.isLoadingError) return <LoadFailed query={list} />
  if (!list.data) return <Skeleton height={240} />
  const { issuer, claim, rules } = list.data
  const notifyWithUndo = (message: string, change: Change): void =>
    notifySuccess(
      message,
      createDeletionUndo(() => undoRule(change)),
    )
  const removeRule = async (value: string, userGroupId: number): Promise<void> => {
    try {
      notifyWithUndo('Removed rule', await remove({ value, userGroupId }))
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <SectionStack>
      <Alert color={issuer === null ? 'orange' : undefined}>
        {issuer === null
          ? 'People sign in with a password here. Rules apply once the installation uses its own sign-in service (OIDC_ISSUER in its settings).'
          : `People sign in with ${issuer}, which sends their groups in the claim “${claim}”. At each sign-in the rules add and remove user groups, including any added by hand. User groups without a rule are not changed.`}
      </Alert>
      <Card aria-label="Rules">
        <CardHead>
          Rules for {name}
          <CardNote>People added by a rule can work at all locations until someone limits them.</CardNote>
        </CardHead>
        {rules.length ? (
          <DataTable
            isWrapped
            minWidth={300}
            columns={[
              { id: 'value', label: 'Value of the claim', cellProps: () => ({ style: { overflowWrap: 'anywhere' } }) },
              { id: 'userGroup', label: 'User group' },
              {
                id: 'source',
                label: 'Actions',
                isLabelHidden: true,
                isFigure: true,
                cell: ({ value, userGroup, userGroupId }) =>
                  userGroupId === null ? (
                    <Pill>Installation settings</Pill>
                  ) : (
                    <RemoveButton
                      label={`Remove the rule for ${value} for ${userGroup}`}
                      disabled={isPending}
                      onRemove={() => void removeRule(value, userGroupId)}
                    />
                  ),
              },
            ]}
            rows={rules}
            keyOf={({ value, userGroup, userGroupId }) => `${value} ${userGroup} ${userGroupId}`}
          />
        ) : (
          <CardBody className={textStyles.dim}>No rules yet: add user groups by hand, under Users.</CardBody>
        )}
      </Card>
      <AddRule onAdded={(change) => notifyWithUndo('Added rule', change)} />
      <section aria-label="History">
        <h2>History</h2>
        <History />
      </section>
    </SectionStack>
  )
}

/** The history of the rules. A change can be undone if nobody has changed the rule since. */
function History() {
  const { mutateAsync: undoRule } = trpc.users.groupRules.undo.useMutation()
  const history = trpc.users.groupRules.history.useQuery(undefined, { staleTime: 0 })
  return <ChangeList history={history} onUndo={(id) => undoRule({ id })} />
}

function AddRule({ onAdded }: { onAdded: (change: Change) => void }) {
  const { mutateAsync: add, isPending } = trpc.users.groupRules.add.useMutation()
  const [value, setValue] = useState('')
  const [userGroupId, setGroup] = useState<number | null>(null)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const button = useRef<HTMLButtonElement>(null)
  useUnsavedChanges(value.trim() !== '' || userGroupId !== null)
  const problem = (field: string): string | undefined => problems.find((one) => one.field === field)?.message
  const refuse = (found: FieldProblem[]): void => {
    setProblems(found)
    setTimeout(() => focusProblem(found), 50)
  }
  const save = async (): Promise<void> => {
    const missing = [
      ...(value.trim() ? [] : [{ field: 'value', message: 'Value is required.' }]),
      ...(userGroupId === null ? [{ field: 'userGroupId', message: 'Choose a user group.' }] : []),
    ]
    if (missing.length || userGroupId === null) return refuse(missing)
    try {
      onAdded(await add({ value: value.trim(), userGroupId }))
      setValue('')
      setGroup(null)
      setProblems([])
      // The button loses the focus while it is loading.
      setTimeout(() => document.activeElement === document.body && button.current?.focus(), 50)
    } catch (error) {
      const { fields } = toPublicError(error)
      if (!fields.length) return notifyFailure(error)
      refuse(fields)
    }
  }
  return (
    <Card style={{ overflow: 'visible' }} aria-label="Add a rule">
      <CardHead>Add a rule</CardHead>
      <CardBody>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <Group align="start" gap="md">
            <div data-field="value" style={{ flex: '1 1 320px' }}>
              <TextInput
                label="Value of the claim"
                description="The value that the sign-in service sends: for Microsoft, the group’s object ID."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                value={value}
                maxLength={300}
                onChange={(event) => setValue(event.currentTarget.value)}
                error={problem('value')}
                required
              />
            </div>
            <div data-field="userGroupId" style={{ flex: '1 1 240px' }}>
              <RecordPicker
                to="userGroup"
                label="User group"
                value={userGroupId}
                onChange={setGroup}
                error={problem('userGroupId')}
                required
              />
            </div>
            <Button ref={button} type="submit" mt={21} loading={isPending}>
              Add rule
            </Button>
          </Group>
        </form>
      </CardBody>
    </Card>
  )
}
