import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core'
import { IconEye, IconEyeOff } from '@tabler/icons-react'
import { useState } from 'react'
import { maskNumber } from '../../../domain/values/format.ts'

/** A number that is masked except for its last characters until the user reveals or edits it. */
export function MaskedInput({
  name,
  value,
  onChange,
  ...input
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  /** Name of the value in the labels of the show and hide buttons. */
  name: string
  value: string
  onChange: (value: string) => void
}) {
  const [isShown, setShown] = useState(false)
  const [isTyped, setTyped] = useState(false)
  const isClear = isShown || isTyped
  return (
    <TextInput
      {...input}
      value={isClear ? value : maskNumber(value)}
      // Masked text must not be edited.
      readOnly={!isClear}
      autoComplete="off"
      onFocus={() => setTyped(true)}
      onBlur={() => setTyped(false)}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        value !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => setShown(!isShown)}
            aria-label={`${isShown ? 'Hide' : 'Show'} ${name}`}
            title={`${isShown ? 'Hide' : 'Show'} ${name}`}
          >
            {isShown ? <IconEyeOff size={15} stroke={1.6} /> : <IconEye size={15} stroke={1.6} />}
          </ActionIcon>
        )
      }
    />
  )
}
