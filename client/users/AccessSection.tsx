import { Button } from '@mantine/core'
import { useState } from 'react'
import { flattenAccess, type Membership } from '../../domain/people/memberships.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { toLocationId, toOrganisationId } from '../../domain/values/ids.ts'
import type { FormPartProps } from '../resources/entityExtras.ts'
import { RecordPicker } from '../resources/inputs/RecordPicker.tsx'
import { useRecordNames } from '../resources/resourceApi.ts'
import { trpc } from '../shell/api.ts'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { MultiChoice } from '../ui/fields/MultiChoice.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead } from '../ui/layout/Card.tsx'
import stackStyles from '../ui/layout/Stack.module.css'
import classes from './AccessSection.module.css'

/**
 * A user's access: locations and user groups for each organisation, so that permissions in one never apply in another.
 */
export function AccessSection({ values, onChange, problems, screen }: FormPartProps) {
  // Only this component sets the field.
  const list = (values.memberships as Membership[] | undefined) ?? []
  const [adding, setAdding] = useState(false)
  const names = useRecordNames('organisation', screen.own ? [] : list.map((one) => one.organisationId))
  const set = (memberships: Membership[]): void => onChange({ ...values, memberships, ...flattenAccess(memberships) })
  const problem = problems.find((one) => ['organisationIds', 'locationIds', 'userGroupIds'].includes(one.field))?.message
  return (
    <Card style={{ overflow: 'visible' }} data-field="organisationIds">
      <CardHead>Access</CardHead>
      <CardBody className={stackStyles.stack}>
        {list.map((membership) => (
          <Access
            key={membership.organisationId}
            title={screen.own ? null : (names.get(membership.organisationId)?.name ?? '…')}
            membership={membership}
            onChange={(next) => set(list.map((one) => (one === membership ? next : one)))}
            onRemove={screen.own ? undefined : () => set(list.filter((one) => one !== membership))}
          />
        ))}
        {!list.length && <p className={textStyles.dim}>Not in an organisation yet.</p>}
        {!screen.own &&
          (adding ? (
            <RecordPicker
              to="organisation"
              label="Organisation to add"
              value={null}
              onChange={(id) => {
                setAdding(false)
                if (id !== null && !list.some((one) => one.organisationId === id))
                  set([...list, { organisationId: toOrganisationId(id), locationIds: [], userGroupIds: [] }])
              }}
            />
          ) : (
            <div>
              <Button variant="default" size="compact-md" onClick={() => setAdding(true)}>
                Add organisation
              </Button>
            </div>
          ))}
        {problem && (
          <p className={textStyles.up} role="alert">
            {problem}
          </p>
        )}
      </CardBody>
    </Card>
  )
}

function Access({
  title,
  membership,
  onChange,
  onRemove,
}: {
  title: string | null
  membership: Membership
  onChange: (next: Membership) => void
  onRemove?: () => void
}) {
  const { organisationId } = membership
  const locations = trpc.lookups.locationNames.useQuery({ id: organisationId })
  const groups = assertDefined(trpc.resources.userGroup).pick.useQuery({})
  const options = (rows: { id: number; name: string }[] | undefined) =>
    (rows ?? []).map((row) => ({ value: String(row.id), label: row.name }))
  return (
    <div className={classes.access}>
      {title && <h3>{title}</h3>}
      <MultiChoice
        label="User groups"
        description="What they can view and change. Permissions of several groups are combined."
        data={options(groups.data?.rows)}
        value={membership.userGroupIds.map(String)}
        onChange={(ids) => onChange({ ...membership, userGroupIds: ids.map(Number) })}
      />
      <MultiChoice
        label="Locations"
        description="None chosen: every location of the organisation."
        placeholder="All locations"
        data={options(locations.data)}
        value={membership.locationIds.map(String)}
        onChange={(ids) => onChange({ ...membership, locationIds: ids.map((id) => toLocationId(Number(id))) })}
      />
      {onRemove && <RemoveButton label={`Remove ${title}`} onRemove={onRemove} />}
    </div>
  )
}
