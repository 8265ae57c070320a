import { Button, Checkbox, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { getResource } from '../../domain/resources/all.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { type LocationId, toLocationId } from '../../domain/values/ids.ts'
import { requireNumbers } from '../../domain/values/unknownValues.ts'
import { getResourceHooks } from '../resources/resourceApi.ts'
import { useCoreData } from '../shell/core.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../ui/layout/Card.tsx'
import classes from './LocationStep.module.css'

/** The step that chooses locations: one, several, those of a cluster, or all. */
export function LocationStep({ chosen, onChange, error }: { chosen: LocationId[]; onChange: (ids: LocationId[]) => void; error?: string }) {
  const { locations } = useCoreData()
  const [search, setSearch] = useState('')
  const clusters = getResourceHooks(getResource('cluster')).list.useQuery({ pageNumber: 1, pageSize: 5000 })
  const shown = locations.filter((one) => one.name.toLowerCase().includes(search.trim().toLowerCase()))
  const add = (ids: readonly LocationId[]): void => onChange([...new Set([...chosen, ...ids])])
  return (
    <Card data-field="locationIds">
      <CardHead>
        Locations{' '}
        <CardNote>
          {chosen.length} of {locations.length} chosen: one budget is created for each
        </CardNote>
      </CardHead>
      <CardBody style={{ display: 'grid', gap: 12 }}>
        <Group gap="xs">
          <TextInput
            aria-label="Search locations"
            placeholder="Search locations"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            w={240}
          />
          <Button variant="default" onClick={() => onChange(locations.map((one) => one.id))}>
            All
          </Button>
          <Button variant="default" onClick={() => onChange([])} disabled={!chosen.length}>
            None
          </Button>
          {(clusters.data?.rows.length ?? 0) > 0 && (
            <Choice
              aria-label="Add the locations of a cluster"
              placeholder="Add a cluster"
              data={assertDefined(clusters.data).rows.map((row) => ({ value: String(row.id), label: String(row.name) }))}
              value={null}
              onChange={(value) => {
                const cluster = assertDefined(clusters.data).rows.find((row) => String(row.id) === value)
                if (cluster)
                  add(
                    requireNumbers(cluster.locations)
                      .map(toLocationId)
                      .filter((id) => locations.some((one) => one.id === id)),
                  )
              }}
              w={200}
            />
          )}
        </Group>
        {error && (
          <span className={textStyles.up} role="alert">
            {error}
          </span>
        )}
        <div className={classes.choices}>
          {shown.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
          ))}
          {!shown.length && <span className={textStyles.dim}>No locations match.</span>}
        </div>
      </CardBody>
    </Card>
  )
}
