import { Table } from '@mantine/core'
import { Dialog } from '../../ui/Dialog.tsx'

const keys: [string, string][] = [
  ['Ctrl K', 'Search or jump to a screen or budget'],
  ['N', 'New record in a list: the button that shows the letter'],
  ['/', 'Search the list'],
  ['Enter', 'Open the chosen row'],
  ['O', 'Open the chosen row beside the list; arrows go on to the next, Enter goes into it'],
  ['Space', 'Select the chosen row'],
  ['Ctrl S', 'Save'],
  ['Ins', 'New salary row in a contract, wherever you are in it'],
  ['Ctrl Z', 'Undo your last save, while its notice is shown'],
  ['F1', 'Help beside the screen'],
  ['Esc', 'Close'],
  ['?', 'This list'],
]

/** The keys of the product. */
export function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keys">
      <Table>
        <Table.Tbody>
          {keys.map(([key, what]) => (
            <Table.Tr key={key}>
              <Table.Td w={110}>
                <kbd>{key}</kbd>
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  )
}
