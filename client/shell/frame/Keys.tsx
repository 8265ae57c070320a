import { Dialog } from '../../ui/dialogs/Dialog.tsx'
import { Facts } from '../../ui/table/Facts.tsx'

/** Keyboard shortcuts by place; commas separate alternative keys. */
const places: [string, [string, string][]][] = [
  [
    'Everywhere',
    [
      ['Ctrl K', 'Search, or jump to a screen'],
      ['F1', 'Help beside the screen'],
      ['Ctrl Z', 'Take back what you changed or deleted last'],
      ['Ctrl S', 'Save'],
      ['Ctrl Enter', 'Next step, where a budget is made'],
      ['Esc', 'Close'],
      ['?', 'This list'],
    ],
  ],
  [
    'Lists',
    [
      ['N', 'New record: the button that shows the letter'],
      ['/', 'Search the list'],
      ['Enter', 'Open the row; on a heading, sort by it'],
      ['O', 'Open the row beside the list; arrows go on to the next, Enter goes into it'],
      ['Space', 'Select the row; on the first heading, the page'],
      ['F2', 'Into what can be typed or pressed in the cell'],
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
      ['Alt Enter', 'Look at the record that is chosen in a field'],
      ['Ins', 'New salary row in a contract, wherever you are in it'],
      ['Alt ↑, Alt ↓', 'Move a row of a calculation'],
    ],
  ],
  [
    'Budget tree, monitoring, reports',
    [
      ['↑, ↓', 'Next row; Home and End the first and the last'],
      ['→, ←', 'Open and close a row of the tree, go on to the next figure of a report'],
      ['Enter', 'Open what a figure is made of'],
      ['C', 'Comments on the budget code of a row of the tree'],
      ['Enter, ↓, ↑', 'In the months of a working forecast: the next month below or above'],
    ],
  ],
  [
    'Payroll, on an employee',
    [
      ['A', 'Accept the reason'],
      ['C', 'Carry the difference forward, or no longer'],
      ['P', 'Carry a part of it forward'],
      ['E', 'Write a note'],
      ['X', 'Choose; Shift X all'],
    ],
  ],
]

/** The list of keyboard shortcuts. */
export function Keys({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Keys">
      {places.map(([place, keys]) => (
        <section key={place}>
          <h3>{place}</h3>
          <Facts
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
