import { Checkbox } from '@mantine/core'
import { Link } from 'react-router'
import { listColumns, nameColumn } from '../../../domain/resources/columns.ts'
import { staffFile } from '../../../domain/resources/staffFile.ts'
import { displayDate } from '../../../domain/values/format.ts'
import type { RouterOutputs } from '../../shell/api.ts'
import { DateField } from '../../ui/fields/DateField.tsx'
import textStyles from '../../ui/labels/text.module.css'
import classes from './ChangesPage.module.css'

export type StaffChange = NonNullable<RouterOutputs['staffFiles']['changes']>['changes'][number]

const names = Object.fromEntries(listColumns(staffFile).map((column) => [column.heading, nameColumn(staffFile, column)]))

/** Describes the person whom a change concerns. */
function describePerson({ personName, employeeNumber, contractName }: StaffChange): string {
  return [personName || 'Not known yet', employeeNumber, contractName].filter(Boolean).join(' · ')
}

function ChangeSubject({ change }: { change: StaffChange }) {
  const { contractId, personName, employeeNumber, contractName } = change
  const name = personName || 'Not known yet'
  return (
    <div>
      {contractId ? <Link to={`/staffing/staff-contracts/${contractId}`}>{name}</Link> : <b>{name}</b>}{' '}
      <span className={textStyles.dim}>{employeeNumber}</span>
      <br />
      {contractName}
    </div>
  )
}

/** One difference between an HR file and the budget, with a checkbox to accept it. */
export function StaffChangeRow({
  change,
  chosen,
  endDate,
  onChoose,
  onEnd,
}: {
  change: StaffChange
  chosen: boolean
  /** The end date, if the person has left. */
  endDate: string | null
  /** Called when the user ticks the row; null if the row cannot be ticked. */
  onChoose: ((chosen: boolean) => void) | null
  onEnd: (endDate: string | null) => void
}) {
  const { kind, changes, notes, problems } = change
  const isBroken = problems.length > 0
  return (
    <li className={classes.change}>
      <Checkbox
        aria-label={`Choose ${describePerson(change)}`}
        checked={chosen}
        disabled={!onChoose}
        onChange={(event) => onChoose?.(event.currentTarget.checked)}
        mt={2}
      />
      <ChangeSubject change={change} />
      <div>
        <ul className={classes.fields}>
          {changes.map(({ field, before, after }) => (
            <li key={field}>
              {field}: {before !== 'none' && <>{before} → </>}
              <b>{after}</b>
            </li>
          ))}
          {problems.map(({ column, value, message }, index) => (
            <li key={index} className={textStyles.up}>
              {value && `${column ? (names[column] ?? column) : ''} “${value}”: `}
              {message}
            </li>
          ))}
          {notes.map((note) => (
            <li key={note} className={textStyles.dim}>
              {note}
            </li>
          ))}
        </ul>
        {kind === 'leaver' && onChoose && (
          <div className={classes.ends}>
            <DateField size="xs" label="Last day" value={endDate} onChange={onEnd} />
          </div>
        )}
        {kind === 'leaver' && !onChoose && endDate && <span className={textStyles.dim}>Not in the file dated {displayDate(endDate)}</span>}
        {isBroken && kind === 'starter' && <Link to="/staffing/staff-contracts/add">Add the contract yourself</Link>}
      </div>
    </li>
  )
}
