import { Button, CopyButton, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { dayInLondon, displayDate } from '../../domain/values/format.ts'
import { type api, trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { downloadFile, notifySuccess } from '../shell/notify.tsx'
import { Dialog } from '../ui/dialogs/Dialog.tsx'
import { Pill } from '../ui/labels/Pill.tsx'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import stackStyles from '../ui/layout/Stack.module.css'
import classes from './home.module.css'
import { ReauthenticateDialog } from './ReauthenticateDialog.tsx'

type State = NonNullable<Awaited<ReturnType<typeof api.account.secondStep.query>>>
type Enrolment = Awaited<ReturnType<typeof api.account.beginSecondStep.mutate>>

/** Shows new recovery codes. They are shown only once. */
function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n')
  return (
    <Dialog onClose={onClose} title="Recovery codes" closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <Text size="sm" mb="sm">
        Print these codes or keep them in a password manager. Each can be used once when you do not have your phone. They are shown only
        once.
      </Text>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="flex-end" mt="md">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          onClick={() => downloadFile({ fileName: 'Bursar recovery codes.txt', contentType: 'text/plain', body: `${text}\n` })}
        >
          Download
        </Button>
        <Button onClick={onClose} data-autofocus>
          I have saved the codes
        </Button>
      </Group>
    </Dialog>
  )
}

/** Sets up an authenticator app: asks for the password, then shows a QR code and asks for a code. */
function SetUpDialog({
  asksPassword,
  onCodes,
  onClose,
}: {
  asksPassword: boolean
  onCodes: (codes: string[]) => void
  onClose: () => void
}) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null)
  const { mutateAsync: begin } = trpc.account.beginSecondStep.useMutation()
  const { mutateAsync: confirm } = trpc.account.confirmSecondStep.useMutation()
  return (
    <Dialog onClose={onClose} title="Set up an authenticator app">
      {enrolment ? (
        <>
          <Text size="sm">Scan this QR code with an authenticator app, such as Microsoft Authenticator or Google Authenticator.</Text>
          <img
            className={classes.scan}
            alt="QR code for the app to scan"
            src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(enrolment.picture)}`}
          />
          <details className={classes.typed}>
            <summary>Cannot scan the QR code?</summary>
            Type this key into the app: <code>{enrolment.key}</code>
          </details>
          <ReauthenticateDialog
            key="code"
            text="Then enter the code that the app shows."
            ask={['code']}
            codeLabel="Code"
            action="Set up"
            work={async ({ code }) => onCodes((await confirm({ code })).codes)}
            onClose={onClose}
          />
        </>
      ) : (
        <ReauthenticateDialog
          key="password"
          text={
            asksPassword
              ? 'Enter your password to confirm your identity.'
              : 'You need your phone, with an authenticator app such as Microsoft Authenticator or Google Authenticator.'
          }
          ask={asksPassword ? ['password'] : []}
          action="Continue"
          work={async ({ password }) => setEnrolment(await begin({ password }))}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

function Actions({ state }: { state: State }) {
  const [open, setOpen] = useState<'setUp' | 'codes' | 'off' | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const { mutateAsync: renew } = trpc.account.renewRecoveryCodes.useMutation()
  const { mutateAsync: removeSecondStep } = trpc.account.removeSecondStep.useMutation()
  const close = (): void => setOpen(null)
  const showCodes = (codes: string[]): void => {
    close()
    setCodes(codes)
  }
  return (
    <>
      <Group gap="sm">
        {!state.isOn && <Button onClick={() => setOpen('setUp')}>Set up</Button>}
        {state.isOn && (
          <>
            <Button variant="default" onClick={() => setOpen('codes')}>
              New recovery codes
            </Button>
            <Button variant="default" c="var(--bad)" onClick={() => setOpen('off')}>
              Turn off
            </Button>
          </>
        )}
      </Group>
      {open === 'setUp' && <SetUpDialog asksPassword={state.asksPassword} onCodes={showCodes} onClose={close} />}
      {open === 'codes' && (
        <Dialog onClose={close} title="New recovery codes">
          <ReauthenticateDialog
            text="Ten new codes are created. The previous ones stop working."
            ask={['code']}
            action="Create new codes"
            work={async ({ code }) => showCodes((await renew({ code })).codes)}
            onClose={close}
          />
        </Dialog>
      )}
      {open === 'off' && (
        <Dialog onClose={close} title="Turn off two-step verification">
          <ReauthenticateDialog
            text={
              state.isRequired
                ? 'Your app and your recovery codes stop working. One of your user groups requires two-step verification, so you will set up an app again when you next sign in. Do this if you change to another phone.'
                : 'You will sign in without a code. Your app and your recovery codes stop working; to use two-step verification again, set up an app.'
            }
            ask={state.asksPassword ? ['password', 'code'] : ['code']}
            action="Turn off"
            work={async (values) => {
              await removeSecondStep(values)
              notifySuccess('Turned off two-step verification')
              close()
            }}
            onClose={close}
          />
        </Dialog>
      )}
      {codes && (
        <RecoveryCodesDialog
          codes={codes}
          onClose={() => {
            setCodes(null)
            notifySuccess('Saved recovery codes')
          }}
        />
      )}
    </>
  )
}

/** The user's own two-step sign-in: whether it is on, and the actions to change it. */
export function SecondStepCard() {
  const { data: state, ...query } = trpc.account.secondStep.useQuery()
  if (query.isLoadingError) return <LoadFailed query={query} />
  if (!state) return null
  return (
    <Card>
      <CardHead>
        Two-step verification {state.isOn ? <Pill tone="good">On</Pill> : <Pill tone={state.isRequired ? 'warn' : undefined}>Off</Pill>}
      </CardHead>
      <CardBody className={stackStyles.stack}>
        <Text size="sm">
          {state.isOn
            ? `You have entered a code from your authenticator app at each sign-in since ${displayDate(dayInLondon(String(state.since)))}. Unused recovery codes: ${state.codesLeft}.`
            : state.asksPassword
              ? 'A code from an app on your phone, entered after your password, protects your account if someone learns your password.'
              : 'A code from an app on your phone at each sign-in protects your account.'}
          {!state.isOn &&
            state.isRequired &&
            ' One of your user groups requires two-step verification: set it up now, or when you next sign in with your password. You can use a passkey instead.'}
        </Text>
        <Actions state={state} />
      </CardBody>
    </Card>
  )
}
