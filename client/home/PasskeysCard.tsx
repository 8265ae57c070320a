import { Button, Group, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { useState } from 'react'
import { describeDevice } from '../../domain/people/device.ts'
import { displayDateTime, formatRelativeTime } from '../../domain/values/format.ts'
import { type api, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { notifyFailure, notifySuccess } from '../shell/notify.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import stackStyles from '../ui/layout/Stack.module.css'
import { createPasskey, signalValidPasskeys, supportsPasskeys } from './devicePasskeys.ts'
import classes from './home.module.css'
import { ReauthenticateDialog } from './ReauthenticateDialog.tsx'

type Passkey = NonNullable<Awaited<ReturnType<typeof api.account.passkeys.query>>>['list'][number]

/** Adds a passkey: the user proves their identity, then the device asks for confirmation. */
function AddPasskeyDialog({ asksCode, onClose }: { asksCode: boolean; onClose: () => void }) {
  const { mutateAsync: begin } = trpc.account.beginPasskey.useMutation()
  const { mutateAsync: add } = trpc.account.addPasskey.useMutation()
  return (
    <Dialog onClose={onClose} title="Add a passkey">
      <ReauthenticateDialog
        text="Give it a name you will recognise and confirm your identity. Your device then asks for your fingerprint, face or PIN."
        ask={asksCode ? ['name', 'password', 'code'] : ['name', 'password']}
        name={describeDevice(navigator.userAgent)}
        action="Continue"
        work={async ({ name, ...given }) => {
          await add({ name, made: await createPasskey(await begin(given)) })
          notifySuccess('Added passkey')
          onClose()
        }}
        onClose={onClose}
      />
    </Dialog>
  )
}

function RenamePasskeyDialog({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { mutateAsync: rename } = trpc.account.renamePasskey.useMutation()
  return (
    <Dialog onClose={onClose} title="Rename passkey">
      <ReauthenticateDialog
        text="Only you see this name; your device may show another."
        ask={['name']}
        name={name}
        action="Rename"
        work={async (credentials) => {
          await rename({ id, name: credentials.name })
          notifySuccess('Renamed passkey')
          onClose()
        }}
        onClose={onClose}
      />
    </Dialog>
  )
}

export function PasskeysCard() {
  const { data: passkeys, ...query } = trpc.account.passkeys.useQuery()
  const { mutateAsync: remove, isPending } = trpc.account.removePasskey.useMutation()
  const [isAdding, setAdding] = useState(false)
  const [renamed, setRenamed] = useState<Passkey | null>(null)
  if (query.isLoadingError) return <LoadFailed query={query} />
  if (!passkeys) return null
  const now = new Date()
  const canMake = supportsPasskeys()
  const askToRemove = ({ id, name }: Passkey): void =>
    void modals.openConfirmModal({
      title: 'Remove passkey',
      children: (
        <Text size="sm">
          This cannot be undone. “{name}” can no longer be used to sign in; you can add a new passkey on the same device. Your password and
          your other passkeys still work.
        </Text>
      ),
      labels: { cancel: 'Cancel', confirm: 'Remove' },
      confirmProps: { color: 'red' },
      onConfirm: async () => {
        try {
          await signalValidPasskeys(await remove({ id }))
          notifySuccess('Removed passkey')
        } catch (error) {
          notifyFailure(error)
        }
      },
    })
  return (
    <Card>
      <CardHead>Passkeys {passkeys.list.length > 0 && <Pill tone="good">On</Pill>}</CardHead>
      <CardBody className={stackStyles.stack}>
        <Text size="sm">
          A passkey signs you in with your fingerprint, face or device PIN, without a password or code. It works only on this site, so no
          other site can trick you into giving it away.
        </Text>
        {passkeys.list.length > 0 && (
          <ul className={classes.signIns}>
            {passkeys.list.map((passkey) => (
              <li key={passkey.id}>
                <div>
                  {passkey.name}
                  <Text size="sm" c="dimmed">
                    added {displayDateTime(passkey.created)} ·{' '}
                    {passkey.lastUsed ? `used ${formatRelativeTime(passkey.lastUsed, now)}` : 'not used yet'}
                  </Text>
                </div>
                <Group gap="xs" wrap="nowrap">
                  <Button variant="default" size="compact-md" aria-label={`Rename ${passkey.name}`} onClick={() => setRenamed(passkey)}>
                    Rename
                  </Button>
                  <Button
                    variant="default"
                    size="compact-md"
                    c="var(--bad)"
                    aria-label={`Remove ${passkey.name}`}
                    loading={isPending}
                    onClick={() => askToRemove(passkey)}
                  >
                    Remove
                  </Button>
                </Group>
              </li>
            ))}
          </ul>
        )}
        {canMake ? (
          <Group>
            <Button onClick={() => setAdding(true)}>Add a passkey</Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            This browser does not support passkeys. Use a newer one.
          </Text>
        )}
      </CardBody>
      {isAdding && <AddPasskeyDialog asksCode={passkeys.asksCode} onClose={() => setAdding(false)} />}
      {renamed && <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(null)} />}
    </Card>
  )
}
