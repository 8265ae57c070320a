import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'

/**
 * The button that removes a row.
 * @param label for screen readers, as in `Remove row 2`
 */
export function RemoveButton({
  label,
  onRemove,
  ...more
}: { label: string; onRemove: () => void } & Pick<ActionIconProps, 'disabled' | 'mt' | 'size' | 'variant'>) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} onClick={onRemove} {...more}>
      <IconTrash size={16} />
    </ActionIcon>
  )
}
