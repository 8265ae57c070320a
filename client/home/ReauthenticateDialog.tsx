import { Alert, Button, Group, PasswordInput, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { toPublicError } from '../shell/api.ts'
import stackStyles from '../ui/layout/Stack.module.css'

type ReauthenticationValues = Record<'name' | 'password' | 'code', string>

/** Asks for the password or a code again before the user's own sign-in is changed. */
export function ReauthenticateDialog({
  text,
  ask,
  action,
  name = '',
  codeLabel = 'Code from the app, or a recovery code',
  work,
  onClose,
}: {
  text: string
  ask: readonly (keyof ReauthenticationValues)[]
  action: string
  /** Initial value of the name field. */
  name?: string
  codeLabel?: string
  work: (given: ReauthenticationValues) => Promise<void>
  onClose: () => void
}) {
  const [values, setValues] = useState<ReauthenticationValues>({ name, password: '', code: '' })
  const [problems, setProblems] = useState<{ field: string; message: string }[]>([])
  const [busy, setBusy] = useState(false)
  // A problem with a field that is not shown appears below all fields.
  const problemAt = (field: keyof ReauthenticationValues): string | undefined => problems.find((one) => one.field === field)?.message
  const others = problems.filter(({ field }) => !ask.some((askedField) => askedField === field))
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      await work(values)
    } catch (error) {
      const { message, fields } = toPublicError(error)
      setProblems(fields.length ? fields : [{ field: '', message }])
      setBusy(false)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className={stackStyles.stack}>
      <Text size="sm">{text}</Text>
      {ask.includes('name') && (
        <TextInput
          label="Name"
          required
          data-autofocus
          maxLength={60}
          value={values.name}
          onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
          error={problemAt('name')}
        />
      )}
      {ask.includes('password') && (
        <PasswordInput
          label="Your password"
          autoComplete="current-password"
          required
          data-autofocus={!ask.includes('name')}
          value={values.password}
          onChange={(event) => setValues({ ...values, password: event.currentTarget.value })}
          error={problemAt('password')}
        />
      )}
      {ask.includes('code') && (
        <TextInput
          label={codeLabel}
          autoComplete="one-time-code"
          required
          data-autofocus={ask[0] === 'code'}
          maxLength={24}
          value={values.code}
          onChange={(event) => setValues({ ...values, code: event.currentTarget.value })}
          error={problemAt('code')}
        />
      )}
      {others.length > 0 && (
        <Alert color="red" role="alert">
          {others.map((one) => one.message).join(' ')}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          {action}
        </Button>
      </Group>
    </form>
  )
}
