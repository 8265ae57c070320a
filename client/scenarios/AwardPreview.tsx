import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, skipToken } from '@tanstack/react-query'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { AwardEffectTable } from '../budget/AwardEffect.tsx'
import { trpc } from '../shell/api.ts'
import scrollStyles from '../ui/layout/scroll.module.css'
import { type ScenarioChangeDraft, validateChange } from './changeDraft.ts'

/** A preview of how a pay award changes costs by contract type, with where it would apply and what it leaves unchanged. */
export function AwardPreview({ draft, yearNames }: { draft: ScenarioChangeDraft; yearNames: string[] }) {
  const [typed] = useDebouncedValue(draft, 250)
  const read = validateChange(typed)
  const award = 'change' in read && read.change.kind === 'award' ? read.change : null
  const effect = trpc.scenarios.award.useQuery(award ?? skipToken, { placeholderData: keepPreviousData })
  if (!award || !effect.data) return null
  const types = effect.data.map(({ years, ...type }) => ({
    ...type,
    years: years.map((sums, index) => ({ year: assertDefined(yearNames[index]), ...sums })),
  }))
  return (
    <section aria-label="Effect by contract type" aria-live="polite" className={scrollStyles.scroll}>
      <AwardEffectTable types={types} years={yearNames} />
    </section>
  )
}
