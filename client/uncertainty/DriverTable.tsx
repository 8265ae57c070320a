import { UnstyledButton } from '@mantine/core'
import { getLookupName } from '../../domain/lookups/lookups.ts'
import { displayDate, displayList } from '../../domain/values/format.ts'
import { useRecordNames } from '../resources/resourceApi.ts'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { NumberField } from '../ui/fields/NumberField.tsx'
import textStyles from '../ui/labels/text.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { type DriverDraft, driverValues, unitOf } from './driverDraft.ts'
import classes from './HowSure.module.css'

/** The drivers of a run. Their values are edited in place; everything else in a dialog. */
export function DriverTable({
  drivers,
  problemOf,
  onChange,
  onOpen,
  onRemove,
}: {
  drivers: readonly DriverDraft[]
  /** The problem of a field; undefined if there is none. */
  problemOf: (driver: DriverDraft, field: string) => string | undefined
  onChange: (driver: DriverDraft) => void
  onOpen: (driver: DriverDraft) => void
  onRemove: (driver: DriverDraft) => void
}) {
  const types = useRecordNames(
    'contractType',
    drivers.flatMap((driver) => driver.contractTypeIds),
  )
  const codes = useRecordNames(
    'budgetCode',
    drivers.flatMap((driver) => driver.budgetCodeIds),
  )
  const tellUse = ({ contractTypeIds, budgetCodeIds, yearGroup, from, perYear }: DriverDraft): string => {
    const names = [
      ...contractTypeIds.map((id) => types.get(id)?.name ?? '…'),
      ...budgetCodeIds.map((id) => codes.get(id)?.name ?? '…'),
      ...(yearGroup === null ? [] : [getLookupName('pupilYearGroups', yearGroup) ?? '']),
    ]
    return [names.length ? displayList(names) : 'All predicted funding', from && `from ${displayDate(from)}`, perYear && 'every year']
      .filter(Boolean)
      .join(', ')
  }
  return (
    <DataTable
      label="Drivers"
      className={classes.drivers}
      rows={drivers}
      keyOf={({ id }) => id}
      columns={[
        {
          id: 'name',
          label: 'Driver',
          cell: (driver) => (
            <>
              <UnstyledButton className={classes.name} onClick={() => onOpen(driver)} aria-label={`Change ${driver.name}`}>
                {driver.name}
              </UnstyledButton>
              <div className={textStyles.dim}>{tellUse(driver)}</div>
            </>
          ),
        },
        ...driverValues.map(({ field, label }) => ({
          id: field,
          label,
          width: 124,
          cell: (driver: DriverDraft) => (
            <NumberField
              size="xs"
              aria-label={`${label} of ${driver.name}`}
              hideControls
              suffix={unitOf(driver)}
              decimalScale={4}
              value={driver[field]}
              onChange={(value) => onChange({ ...driver, [field]: value })}
              error={problemOf(driver, field)}
            />
          ),
        })),
        {
          id: 'remove',
          label: 'Remove',
          isLabelHidden: true,
          width: 44,
          cell: (driver) => <RemoveButton label={`Remove ${driver.name}`} onRemove={() => onRemove(driver)} />,
        },
      ]}
    />
  )
}
