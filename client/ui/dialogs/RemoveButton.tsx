import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'

/** Takes a row away, at its end. @param label says which to who does not see the row: `Remove row 2` */
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
