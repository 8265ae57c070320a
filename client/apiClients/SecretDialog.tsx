import { Button, CopyButton, Modal, Text, TextInput } from '@mantine/core'
import { displayDateTime } from '../../domain/format.ts'

export interface ShownSecret {
  clientId: string
  secret: string
  previousUntil: string | null
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div style={{ display: 'flex', gap: 8, alignItems: 'end', marginBottom: 12 }}>
      <TextInput label={label} value={value} readOnly style={{ flex: 1 }} onFocus={(event) => event.currentTarget.select()} />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy} aria-label={`Copy ${label.toLowerCase()}`}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </div>
  )
}

/** Shows a new secret, this once; it closes only when somebody says that they have it. */
export function SecretDialog({ shown, onClose }: { shown: ShownSecret; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="Client id and secret"
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Text size="sm" mb="sm">
        Hand both to the external system now. The secret is shown only this once and cannot be read again.
      </Text>
      <Line label="Client id" value={shown.clientId} />
      <Line label="Secret" value={shown.secret} />
      {shown.previousUntil && (
        <Text size="sm" mb="sm">
          The secret before stays good until {displayDateTime(shown.previousUntil)}, so that the system can be changed over without standing
          still.
        </Text>
      )}
      <Button onClick={onClose} data-autofocus>
        I have the secret
      </Button>
    </Modal>
  )
}
