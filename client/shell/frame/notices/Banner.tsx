import { Alert, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconUrgent } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { severity } from '../../../../domain/lookups/lookupIds.ts'
import { lookups } from '../../../../domain/lookups/lookups.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { RichTextView } from '../../../ui/labels/RichTextView.tsx'

const looks: Record<number, { color: string; icon: ReactNode }> = {
  1: { color: 'blue', icon: <IconInfoCircle size={18} /> },
  2: { color: 'teal', icon: <IconCircleCheck size={18} /> },
  3: { color: 'orange', icon: <IconAlertTriangle size={18} /> },
  4: { color: 'red', icon: <IconUrgent size={18} /> },
}

/**
 * A flash message. Its severity determines its colour and label (behaviour B-253).
 * @param isKnown whether the user has already seen the message; if so, it is collapsed to one line
 */
export function Banner({
  title,
  message,
  type,
  isKnown = false,
  onClose,
}: {
  title: string
  message: string
  type: number
  isKnown?: boolean
  onClose?: () => void
}) {
  const [isUnfolded, setUnfolded] = useState(false)
  const isLine = isKnown && !isUnfolded
  const { color, icon } = looks[type] ?? assertDefined(looks[1])
  const word = lookups.communicationSeverities.find((one) => one.id === type)?.name ?? ''
  return (
    <Alert
      color={color}
      icon={icon}
      title={
        isKnown ? (
          <UnstyledButton fz="sm" fw={600} c="inherit" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {word}: {title}
          </UnstyledButton>
        ) : (
          `${word}: ${title}`
        )
      }
      withCloseButton={Boolean(onClose)}
      onClose={onClose}
      closeButtonLabel={`Close the message ${title}`}
      mb="sm"
      px="xs"
      py={isLine ? 2 : 'xs'}
      styles={{ body: { gap: 2 }, message: { marginTop: 0 }, title: { marginBottom: 0 } }}
      role={type === severity.critical ? 'alert' : 'status'}
    >
      {!isLine && <RichTextView html={message} />}
    </Alert>
  )
}
