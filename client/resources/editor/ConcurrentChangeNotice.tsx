import { Alert, Button, SegmentedControl } from '@mantine/core'
import { type ReactNode, useState } from 'react'

/** What another user saved while this user was editing the record. */
export interface ConcurrentChange<Name extends string> {
  changed: Name[]
  /** Fields that both users changed. */
  conflicts: Name[]
  label: (name: Name) => string
  /** Shows the other user's value; leave out to show only the names of fields. */
  show?: (name: Name) => ReactNode
  /** Returns this user's value and the other user's value; null if values are not shown. */
  both: (name: Name) => { mine: ReactNode; theirs: ReactNode } | null
  keepMine: (theirsIn: readonly Name[]) => void
  takeTheirs: () => void
}

/** Shows what another user has changed, and lets the user choose a value for each field that both users changed. */
export function ConcurrentChangeNotice<Name extends string>({
  newer,
  busy,
}: {
  newer: ConcurrentChange<Name>
  /** Whether a save is in progress. If so, the choice is disabled. */
  busy: boolean
}) {
  const { changed, conflicts, label, show, both } = newer
  const [theirsIn, setTheirsIn] = useState<readonly Name[]>([])
  return (
    <Alert color="orange" title="Someone else has changed this" mb="md">
      {show ? (
        <ul style={{ margin: '4px 0 10px', paddingLeft: 18 }}>
          {changed.map((name) => (
            <li key={name}>
              {label(name)}: {show(name)}
            </li>
          ))}
        </ul>
      ) : (
        <p style={{ margin: '0 0 10px' }}>They changed: {changed.map(label).join(', ') || 'nothing shown here'}.</p>
      )}
      {conflicts.length > 0 && (
        <div style={{ display: 'grid', gap: 6, marginBottom: 10 }}>
          {conflicts.map((name) => (
            <div key={name} style={{ display: 'flex', gap: 10, alignItems: 'center', flexWrap: 'wrap' }}>
              <span style={{ overflowWrap: 'anywhere' }}>
                You both changed {label(name)}
                {both(name) && (
                  <>
                    , you to <b>{both(name)?.mine}</b> and they to <b>{both(name)?.theirs}</b>
                  </>
                )}
                :
              </span>
              <SegmentedControl
                size="xs"
                aria-label={`Which ${label(name)} to keep`}
                data={[
                  { value: 'mine', label: 'Mine' },
                  { value: 'theirs', label: 'Theirs' },
                ]}
                value={theirsIn.includes(name) ? 'theirs' : 'mine'}
                onChange={(choice) => setTheirsIn(choice === 'theirs' ? [...theirsIn, name] : theirsIn.filter((one) => one !== name))}
              />
            </div>
          ))}
        </div>
      )}
      <p style={{ margin: '0 0 10px' }}>Neither button saves: check the result, then save it.</p>
      <Button size="compact-sm" mr="xs" disabled={busy} onClick={() => newer.keepMine(theirsIn)}>
        Keep my changes
      </Button>
      <Button size="compact-sm" variant="default" disabled={busy} onClick={newer.takeTheirs}>
        Use theirs
      </Button>
    </Alert>
  )
}
