import { Button } from '@mantine/core'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import textStyles from '../ui/labels/text.module.css'
import { type DriverDraft, findPairProblem, type PairDraft, pairWords } from './driverDraft.ts'
import classes from './HowSure.module.css'

/** Says which drivers move together, a line for each two. */
export function PairRows({
  drivers,
  pairs,
  isChecked,
  onChange,
}: {
  drivers: readonly DriverDraft[]
  pairs: readonly PairDraft[]
  /** Shows what is wrong with a line. */
  isChecked: boolean
  onChange: (pairs: PairDraft[]) => void
}) {
  const data = drivers.map(({ id, name }) => ({ value: id, label: name }))
  const set = (index: number, part: Partial<PairDraft>): void =>
    onChange(pairs.map((pair, at) => (at === index ? { ...pair, ...part } : pair)))
  return (
    <>
      <h3 className={classes.part}>What moves together</h3>
      <p className={textStyles.dim} style={{ margin: '0 0 8px' }}>
        Drivers without a line do not move together.
      </p>
      {pairs.map((pair, index) => (
        <div key={index} className={classes.pair}>
          <Choice
            aria-label={`First driver of line ${index + 1}`}
            data={data}
            value={pair.first}
            onChange={(first) => set(index, { first })}
            error={isChecked ? findPairProblem(pair, pairs.slice(0, index)) : null}
          />
          <Choice
            aria-label={`How line ${index + 1} moves`}
            data={pairWords}
            value={pair.word}
            onChange={(word) => word && set(index, { word })}
          />
          <Choice
            aria-label={`Second driver of line ${index + 1}`}
            data={data}
            value={pair.second}
            onChange={(second) => set(index, { second })}
          />
          <RemoveButton label={`Remove line ${index + 1}`} onRemove={() => onChange(pairs.filter((_pair, at) => at !== index))} />
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        onClick={() =>
          onChange([
            ...pairs,
            pairs.length
              ? { first: null, second: null, word: 'movesWith' }
              : { first: drivers[0]?.id ?? null, second: drivers[1]?.id ?? null, word: 'movesWith' },
          ])
        }
      >
        Add line
      </Button>
    </>
  )
}
