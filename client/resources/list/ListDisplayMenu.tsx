import { Button, Menu } from '@mantine/core'
import { IconColumns } from '@tabler/icons-react'
import { type ColumnGroup, isColumnGroup, type TableColumn } from '../../ui/table/columns.ts'
import { type RowDensity, storeRowDensity } from './listState.ts'

/** A menu for the visible columns and the row height of a list. */
export function ListDisplayMenu<T>({
  columns,
  hidden,
  onHide,
  density,
  onDensity,
}: {
  columns: readonly (TableColumn<T> | ColumnGroup<T>)[]
  hidden: string[]
  onHide: (hidden: string[]) => void
  density: RowDensity
  onDensity: (density: RowDensity) => void
}) {
  const named = columns.flatMap((column) => (isColumnGroup(column) || !column.label ? [] : [{ id: column.id, name: column.label }]))
  const change = (): void => {
    const next = density === 'compact' ? 'comfortable' : 'compact'
    storeRowDensity(next)
    onDensity(next)
  }
  return (
    <Menu closeOnItemClick={false} position="bottom-end">
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns size={15} />}>
          Columns
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
        {named.map(({ id, name }) => (
          <Menu.CheckboxItem
            key={id}
            checked={!hidden.includes(id)}
            onChange={(isShown) => onHide(isShown ? hidden.filter((one) => one !== id) : [...hidden, id])}
          >
            {name}
          </Menu.CheckboxItem>
        ))}
        <Menu.Divider />
        <Menu.CheckboxItem checked={density === 'compact'} onChange={change}>
          Compact rows
        </Menu.CheckboxItem>
      </Menu.Dropdown>
    </Menu>
  )
}
