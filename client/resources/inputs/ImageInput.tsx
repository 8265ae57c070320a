import { Button, FileButton, Group, Input, Text } from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { useCoreData } from '../../shell/core.ts'
import { uploadImage } from '../../shell/images/images.ts'
import { StoredImage } from '../../shell/images/StoredImage.tsx'
import classes from './ImageInput.module.css'

/** Uploads a picture: a logo, an avatar or an article's image. */
export function ImageInput({
  label,
  isShared = false,
  value,
  onChange,
  error,
  disabled,
}: {
  label: string
  /** Whether all organisations can see the picture. Only an administrator may upload such a picture. */
  isShared?: boolean
  value: number | null
  onChange: (id: number | null) => void
  error?: ReactNode
  disabled?: boolean
}) {
  const { isAdministrator } = useCoreData()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const choose = async (file: File | null): Promise<void> => {
    if (!file) return
    setBusy(true)
    setProblem(null)
    try {
      onChange((await uploadImage(file, isShared && isAdministrator)).id)
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : 'The picture could not be uploaded.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Input.Wrapper label={label} error={problem ?? error}>
      <Group gap="sm" mt={4} wrap="nowrap">
        <div className={classes.picture}>
          {value === null ? <IconPhoto size={26} stroke={1.3} aria-hidden /> : <StoredImage id={value} alt={label} />}
        </div>
        {!disabled && (
          <div>
            <Group gap={6}>
              <FileButton onChange={(file) => void choose(file)} accept="image/png,image/jpeg,image/webp">
                {(props) => (
                  <Button {...props} variant="default" size="compact-sm" loading={busy}>
                    {value === null ? `Choose ${toMidSentence(label)}` : 'Change'}
                  </Button>
                )}
              </FileButton>
              {value !== null && (
                <Button
                  variant="subtle"
                  color="gray"
                  size="compact-sm"
                  onClick={() => onChange(null)}
                  aria-label={`Remove ${toMidSentence(label)}`}
                >
                  Remove
                </Button>
              )}
            </Group>
            <Text size="xs" c="dimmed" mt={2}>
              PNG, JPEG or WebP, up to 2 MB
            </Text>
          </div>
        )}
      </Group>
    </Input.Wrapper>
  )
}
