import { Button, Group, Progress } from '@mantine/core'

/** The progress of a file, with a button to cancel it. */
export function FileProgress({ title, percent, onCancel }: { title: string; percent: number; onCancel: () => void }) {
  return (
    <Group gap="sm" wrap="nowrap" role="status" aria-label={`${title}, ${percent}% complete`}>
      <span>PDF {percent}%</span>
      <Progress value={Math.max(4, percent)} w={90} aria-label={`Progress of ${title}`} />
      <Button size="compact-sm" variant="subtle" onClick={onCancel}>
        Cancel
      </Button>
    </Group>
  )
}
