import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { FactsTable } from '../../ui/table/FactsTable.tsx'

/** Keyboard shortcuts by the part of the product where they apply. Commas separate alternative keys. */
const shortcutsByPlace: [string, [string, string][]][] = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'Search, or jump to a screen'],
      ['F1', 'Help for this screen'],
      ['Ctrl Z', 'Undo your last change or deletion'],
      ['Ctrl S', 'Save'],
      ['Ctrl Enter', 'Next step, when adding a budget'],
      ['Esc', 'Close'],
      ['?', 'This list'],
    ],
  ],
  [
    'Lists',
    [
      ['N', 'Add a record'],
      ['/', 'Search the list'],
      ['Enter', 'Open the row; on a heading, sort by it'],
      ['O', 'Open the row beside the list; arrow keys move to the next, Enter moves into it'],
      ['Space', 'Select the row; on the first heading, the page'],
      ['F2', 'Move into the controls of the cell'],
      ['Ctrl P', 'Print all rows'],
      ['Alt ←, Alt →', 'On a heading: make the column narrower or wider'],
    ],
  ],
  [
    'Sheet of budget entries',
    [
      ['Ctrl C, Ctrl V', 'Copy cells, paste a block from a spreadsheet'],
      ['Ctrl D', 'Fill down'],
      ['Alt Enter', 'Open the entry'],
    ],
  ],
  [
    'Forms',
    [
      ['Alt Enter', 'Preview the record chosen in a field'],
      ['Ins', 'New salary row in a contract, wherever you are in it'],
      ['Alt ↑, Alt ↓', 'Move a row of a calculation'],
    ],
  ],
  [
    'Budget tree, monitoring, reports',
    [
      ['↑, ↓', 'Next or previous row; Home and End for the first and last'],
      ['→, ←', 'Expand and collapse a row of the tree; move to the next figure of a report'],
      ['Enter', 'Show what makes up a figure'],
      ['C', 'Comments on the budget code in a row of the tree'],
      ['Enter, ↓, ↑', 'In the months of a working forecast: the next month below or above'],
    ],
  ],
  [
    'Payroll, on an employee',
    [
      ['A', 'Accept the reason'],
      ['C', 'Carry the difference forward, or stop carrying it'],
      ['P', 'Carry part of it forward'],
      ['E', 'Write a note'],
      ['X', 'Select; Shift X selects all'],
    ],
  ],
]

/** The list of keyboard shortcuts. */
export function KeyboardShortcuts({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keyboard shortcuts">
      {shortcutsByPlace.map(([place, keys]) => (
        <section key={place}>
          <h3>{place}</h3>
          <FactsTable
            label={place}
            facts={keys.map(([key, what]) => [
              key.split(', ').map((one) => (
                <kbd key={one} style={{ marginRight: 4 }}>
                  {one}
                </kbd>
              )),
              what,
            ])}
          />
        </section>
      ))}
    </Dialog>
  )
}
