import { Button, CopyButton, Text, TextInput } from '@mantine/core'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { Dialog } from './Dialog.tsx'

/** A newly created secret, with the details to pass on with it. */
export interface NewSecret {
  title: string
  /** Says to whom to give the secret. */
  hint: string
  lines: readonly { label: string; value: string }[]
  /** Says what happens to the previous secret. */
  previousSecretNote?: string | null
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div style={{ display: 'flex', gap: 8, alignItems: 'end', marginBottom: 12 }}>
      <TextInput label={label} value={value} readOnly style={{ flex: 1 }} onFocus={(event) => event.currentTarget.select()} />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-label={`Copy ${toMidSentence(label)}`}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}

/** Shows a new secret, which cannot be shown again. It closes only when the user confirms that they have copied it. */
export function SecretDialog({ shown, onClose }: { shown: NewSecret; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={shown.title} size="lg" closeOnClickOutside={false} closeOnEscape={false} withCloseButton={false}>
      <Text size="sm" mb="sm">
        {shown.hint} The secret is shown only once and cannot be shown again.
      </Text>
      {shown.lines.map((line) => (
        <Line key={line.label} {...line} />
      ))}
      {shown.previousSecretNote && (
        <Text size="sm" mb="sm">
          {shown.previousSecretNote}
        </Text>
      )}
      <Button onClick={onClose} data-autofocus>
        I have saved the secret
      </Button>
    </Dialog>
  )
}
