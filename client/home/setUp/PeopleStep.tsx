import { Alert, Button, CopyButton, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { userFile } from '../../../domain/resources/personFile.ts'
import { displayCount, displayDateTime } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import { useRecordNames } from '../../resources/resourceApi.ts'
import { api, toPublicError, trpc } from '../../shell/api.ts'
import { useCoreData, useTerm } from '../../shell/core.ts'
import { notifySuccess } from '../../shell/notify.tsx'
import { useIdentityProviderName } from '../../shell/session/useIdentityProviderName.ts'
import { Pill } from '../../ui/labels/Pill.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../../ui/layout/Card.tsx'
import { SectionStack } from '../../ui/layout/SectionStack.tsx'
import { ExistingRecordsCard } from './ExistingRecordsCard.tsx'
import { NewRecordsTable } from './NewRecordsTable.tsx'

const headings = ['Forename', 'Surname', 'Email', 'UserGroups', 'Locations']

/** A user of the organisation. */
export type OrganisationUser = Awaited<ReturnType<typeof api.users.own.list.query>>['rows'][number]

type Invitation = Awaited<ReturnType<typeof api.users.invite.mutate>>

/** The result of inviting one user. */
interface InvitationResult {
  person: OrganisationUser
  invitation: Invitation | null
  problem: string | null
}

/** The step that adds users, sets their access and invites them. */
export function PeopleStep({ people, onDone }: { people: readonly OrganisationUser[]; onDone: () => void }) {
  const term = useTerm()('User')
  const { locations } = useCoreData()
  const { mutateAsync: importPeople } = trpc.users.own.import.useMutation()
  const template = trpc.users.own.template.useQuery()
  const groups = useRecordNames(
    'userGroup',
    people.flatMap(({ userGroupIds }) => userGroupIds),
  )
  const outside = useIdentityProviderName()
  const groupsOf = ({ userGroupIds, isAdministrator }: OrganisationUser): string =>
    [...(isAdministrator ? ['Administrator'] : []), ...userGroupIds.map((id) => groups.get(id)?.name ?? '…')].join(', ')
  const describeLocations = ({ locationIds }: OrganisationUser): string =>
    locationIds.length ? locationIds.map((id) => locations.find((one) => one.id === id)?.name ?? '…').join(', ') : 'All'
  return (
    <SectionStack>
      <ExistingRecordsCard
        term={term}
        none="No one yet. You choose which locations each person sees and what they can do."
        headings={['Name', 'Email', 'User groups', 'Locations', '']}
        rows={people.map((person) => ({
          key: person.id,
          cells: [
            `${person.forename} ${person.surname}`,
            person.email,
            groupsOf(person),
            describeLocations(person),
            outside === null && !person.hasPassword ? <Pill key="state">Has no password yet</Pill> : '',
          ],
        }))}
        file={{ resource: userFile, calls: { import: importPeople, template: api.users.own.template } }}
        onDone={onDone}
      />
      {outside === null && <Invitations people={people.filter(({ hasPassword, active }) => !hasPassword && active)} />}
      {typeof outside === 'string' && (
        <Alert>People sign in with {outside} here, using the email address beside their name. They do not need an invitation.</Alert>
      )}
      <NewRecordsTable
        resource={userFile}
        headings={headings}
        template={template.data}
        placeholders={{ Locations: 'All' }}
        term={term}
        save={async (rows) => {
          const { imported } = await importPeople({ rows })
          notifySuccess(imported === 1 ? notices.created(term.singular) : notices.created(term.plural))
        }}
      />
    </SectionStack>
  )
}

/** Invites every user who has no password, by email or by a link that is shown once. */
function Invitations({ people }: { people: readonly OrganisationUser[] }) {
  const { mutateAsync: invite } = trpc.users.invite.useMutation()
  const [invited, setInvited] = useState<readonly InvitationResult[]>([])
  const [isInviting, setInviting] = useState(false)
  const left = people.filter(({ id }) => !invited.some(({ person, invitation }) => person.id === id && invitation))
  const inviteAll = async (): Promise<void> => {
    setInviting(true)
    // One after another: if an invitation fails, the links already created stay valid and visible.
    for (const person of left) {
      const done = await invite({ id: person.id }).then(
        (invitation): InvitationResult => ({ person, invitation, problem: null }),
        (error): InvitationResult => ({ person, invitation: null, problem: toPublicError(error).message }),
      )
      setInvited((before) => [...before.filter((one) => one.person.id !== person.id), done])
    }
    setInviting(false)
  }
  if (!people.length && !invited.length) return null
  const links = invited.flatMap(({ person, invitation }) =>
    invitation?.link ? [`${person.forename} ${person.surname}: ${invitation.link}`] : [],
  )
  return (
    <Card aria-label="Invitations">
      <CardHead>
        Invitations
        <span style={{ flex: 1 }} />
        {links.length > 1 && (
          <CopyButton value={links.join('\n')}>
            {({ copied, copy }) => (
              <Button variant="default" size="compact-md" onClick={copy}>
                {copied ? 'Copied' : 'Copy all links'}
              </Button>
            )}
          </CopyButton>
        )}
        {left.length > 0 && (
          <Button size="compact-md" onClick={() => void inviteAll()} loading={isInviting}>
            Invite {displayCount(left.length, 'person', 'people')}
          </Button>
        )}
      </CardHead>
      <CardBody style={{ display: 'grid', gap: 12 }}>
        {!invited.length && (
          <Text size="sm" className={textStyles.dim}>
            {displayCount(people.length, 'person', 'people')} cannot sign in yet. An invitation is a one-time link to set a password. It is
            emailed if email is set up; otherwise it is shown here for you to pass on. It replaces any earlier link.
          </Text>
        )}
        {invited.map(({ person, invitation, problem }) => (
          <div key={person.id}>
            <Text size="sm" fw={500}>
              {person.forename} {person.surname}
            </Text>
            {problem && (
              <Text size="sm" className={textStyles.up} role="alert">
                {problem}
              </Text>
            )}
            {invitation?.link && (
              <Group gap="xs" wrap="nowrap">
                <TextInput
                  style={{ flex: 1 }}
                  aria-label={`One-time link for ${person.forename} ${person.surname}`}
                  value={invitation.link}
                  readOnly
                  onFocus={(event) => event.currentTarget.select()}
                />
                <CopyButton value={invitation.link}>
                  {({ copied, copy }) => (
                    <Button variant="default" onClick={copy} aria-label={`Copy the link for ${person.forename} ${person.surname}`}>
                      {copied ? 'Copied' : 'Copy'}
                    </Button>
                  )}
                </CopyButton>
              </Group>
            )}
            {invitation && !invitation.link && (
              <Text size="sm" className={textStyles.dim}>
                An email with a one-time link is on its way to {person.email}.
              </Text>
            )}
          </div>
        ))}
        {links.length > 0 && (
          <Text size="sm" className={textStyles.dim}>
            No email was sent. Give each person their link yourself: it can be used once
            {invited[0]?.invitation ? `, until ${displayDateTime(invited[0].invitation.expiresAt)}` : ''}, and is shown only now.
          </Text>
        )}
      </CardBody>
    </Card>
  )
}
