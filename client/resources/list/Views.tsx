import { Button, Group, Popover, TextInput } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { RemoveButton } from '../../ui/RemoveButton.tsx'
import { Stack } from '../../ui/Stack.tsx'
import textStyles from '../../ui/text.module.css'
import type { ListState } from './listState.ts'

/** How a list was searched, filtered and laid out, under a name. */
interface View extends Pick<ListState, 'lastSearch' | 'lastFilters' | 'sort' | 'sortDirection' | 'hiddenColumns'> {
  name: string
}

const mostViews = 20

/** The views of a list that somebody keeps in this browser: one press shows the list that way again. */
export function Views({ listKey, state, onView }: { listKey: string; state: ListState; onView: (view: Omit<View, 'name'>) => void }) {
  const [views, setViews] = useLocalStorage<View[]>({ key: `views ${listKey}`, defaultValue: [], getInitialValueInEffect: false })
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState('')
  const wanted = name.trim()
  const keep = (): void => {
    if (!wanted) return
    const { lastSearch, sort, sortDirection, hiddenColumns } = state
    const view = {
      name: wanted,
      lastSearch,
      lastFilters: state.lastFilters.filter((one) => !one.static),
      sort,
      sortDirection,
      hiddenColumns,
    }
    setViews([...views.filter((one) => one.name !== wanted), view])
    setName('')
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} width={280} position="bottom-end" trapFocus withinPortal>
      <Popover.Target>
        <Button variant="default" ml="auto" leftSection={<IconBookmark size={15} />} onClick={() => setOpened((open) => !open)}>
          Views
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack>
          {views.length === 0 && (
            <p className={textStyles.dim} style={{ margin: 0 }}>
              Search, filter and sort the list, then keep it under a name.
            </p>
          )}
          {views.map(({ name: own, ...view }) => (
            <Group key={own} gap="xs" wrap="nowrap">
              <Button
                variant="subtle"
                size="compact-md"
                justify="start"
                flex={1}
                miw={0}
                h="auto"
                py={4}
                styles={{
                  label: {
                    textBox: 'normal',
                    whiteSpace: 'normal',
                    textAlign: 'start',
                    lineHeight: 1.4,
                    height: 'auto',
                    overflow: 'visible',
                  },
                }}
                onClick={() => {
                  onView(view)
                  setOpened(false)
                }}
              >
                {own}
              </Button>
              <RemoveButton label={`Remove the view ${own}`} onRemove={() => setViews(views.filter((one) => one.name !== own))} />
            </Group>
          ))}
          <form
            onSubmit={(event) => {
              event.preventDefault()
              keep()
            }}
          >
            <TextInput
              label="Name"
              data-autofocus={views.length === 0 || undefined}
              maxLength={50}
              value={name}
              disabled={views.length >= mostViews}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" mt="xs" fullWidth disabled={!wanted}>
              Keep this view
            </Button>
          </form>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  )
}
