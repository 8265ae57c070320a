import { Button, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { signInMethodNames } from '../../domain/people/signInMethod.ts'
import { displayCount, displayDateTime, formatRelativeTime } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { clearSession } from '../shell/session/session.ts'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

/** The browsers in which the user is signed in, with buttons to sign out of one or of all. */
export function SignInsCard() {
  const { data: list, ...query } = trpc.account.signIns.useQuery(undefined, { staleTime: 0 })
  const { mutateAsync: end, isPending } = trpc.account.endSignIn.useMutation()
  const { mutateAsync: endAll } = trpc.account.endSignIns.useMutation()
  if (query.isLoadingError) return <LoadFailed query={query} />
  if (!list) return null
  const now = new Date()
  const endOne = async (id: string): Promise<void> => {
    try {
      await end({ id })
      notifySuccess('Ended sign-in')
    } catch (error) {
      notifyFailure(error)
    }
  }
  const everywhere = (): void =>
    void modals.openConfirmModal({
      title: 'Sign out everywhere',
      children: <Text size="sm">You are signed out immediately in every browser, including this one.</Text>,
      labels: { cancel: 'Cancel', confirm: 'Sign out everywhere' },
      onConfirm: async () => {
        try {
          await endAll()
          await clearSession()
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  return (
    <Card>
      <CardHead>
        Where you are signed in <CardNote>{displayCount(list.length, 'browser')}</CardNote>
      </CardHead>
      <CardBody>
        <ul className={classes.signIns}>
          {list.map(({ id, device, address, way, started, lastUsed, isThis }) => (
            <li key={id}>
              <div>
                {device} {isThis && <Pill tone="good">This browser</Pill>}
                <Text size="sm" c="dimmed">
                  from {address} · signed in {displayDateTime(started)} {way && signInMethodNames[way]} · used{' '}
                  {formatRelativeTime(lastUsed, now)}
                </Text>
              </div>
              {!isThis && (
                <Button variant="default" size="compact-md" loading={isPending} onClick={() => void endOne(id)}>
                  End
                </Button>
              )}
            </li>
          ))}
        </ul>
        <Button variant="default" mt="sm" onClick={everywhere}>
          Sign out everywhere
        </Button>
      </CardBody>
    </Card>
  )
}
