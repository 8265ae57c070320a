import { Button, Skeleton, Switch } from '@mantine/core'
import { Link } from 'react-router'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { displayCount } from '../../domain/values/format.ts'
import { ChangeList } from '../budget/history/ChangeList.tsx'
import { trpc } from '../shell/api.ts'
import { useOrganisationWideCheck, usePermissionCheck, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'

/** The user groups that must sign in with an authenticator app, and how many of their members have set one up. */
export function SecondStepPage() {
  const history = trpc.users.secondStepGroups.history.useQuery(undefined, { staleTime: 0 })
  return (
    <>
      <PageHead
        title="Two-step verification"
        documentTitle="Two-step verification - Console"
        facts="The user groups that must also use an authenticator app code, or a passkey, to sign in."
      />
      <SectionStack>
        <Groups />
        <section aria-label="History">
          <h2>History</h2>
          <ChangeList history={history} />
        </section>
      </SectionStack>
    </>
  )
}

function Groups() {
  const may = usePermissionCheck()
  const users = useTerm()('User').plural
  const mayEdit = useOrganisationWideCheck()(['ConsoleOrganisationsReadUpdate'])
  const maySeeUsers = may(listViewPermissions('ConsoleUsers'))
  const list = trpc.users.secondStepGroups.list.useQuery()
  const { mutateAsync: ask } = trpc.users.secondStepGroups.ask.useMutation()
  if (list.isLoadingError) return <LoadFailed query={list} />
  if (!list.data) return <Skeleton height={240} />
  if (!list.data.length)
    return (
      <EmptyState>
        <p>
          No user groups to show. A group is listed once it has a member, and only people with access to all locations can see the list.
        </p>
        {maySeeUsers && (
          <Button component={Link} to="/console/general/users" variant="default">
            {users}
          </Button>
        )}
      </EmptyState>
    )
  const change = async (userGroupId: number, isAsked: boolean): Promise<void> => {
    try {
      await ask({ userGroupId, isAsked })
      notifySuccess(
        isAsked ? 'Required two-step verification' : 'No longer requires two-step verification',
        createDeletionUndo(() => ask({ userGroupId, isAsked: !isAsked })),
      )
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Card aria-label="User groups">
      <CardHead>
        User groups
        <CardNote>People without an app set one up at their next sign-in.</CardNote>
      </CardHead>
      <DataTable
        isWrapped
        minWidth={300}
        columns={[
          { id: 'name', label: 'User group' },
          {
            id: 'people',
            label: 'People here',
            cell: ({ people, without }) => (
              <>
                {displayCount(people, 'person', 'people')}
                {without > 0 && (
                  <span className={textStyles.dim}>, {without === people ? 'none' : people - without} with an app or a passkey</span>
                )}
              </>
            ),
          },
          {
            id: 'secondStep',
            label: 'Two-step verification',
            cell: ({ userGroupId, name, isAsked, isAskedEverywhere }) =>
              isAskedEverywhere ? (
                <Pill tone="good">Required in every organisation</Pill>
              ) : (
                <Switch
                  aria-label={`Require two-step verification for ${name}`}
                  checked={isAsked}
                  disabled={!mayEdit}
                  onChange={({ currentTarget }) => void change(userGroupId, currentTarget.checked)}
                />
              ),
          },
        ]}
        rows={list.data}
        keyOf={({ userGroupId }) => userGroupId}
      />
    </Card>
  )
}
