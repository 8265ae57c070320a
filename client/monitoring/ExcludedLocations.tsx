import textStyles from '../ui/labels/text.module.css'

/** Names the locations that the figures exclude. */
export function ExcludedLocations({ places }: { places: readonly { location: string }[] }) {
  if (!places.length) return null
  return (
    <p className={textStyles.since}>
      Left out, because they have no budget of record for that year: {places.map((one) => one.location).join(', ')}. A budget of record is
      the approved budget or, if there is none, the first working budget.
    </p>
  )
}
