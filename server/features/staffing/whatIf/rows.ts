import { explainUnchanged } from '../../../../domain/calculation/staffing/whatIf.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { calculateAwardEffects } from '../../../shared/whatIf/queries.ts'

type AwardEffect = Awaited<ReturnType<typeof calculateAwardEffects>>[number]

/** Adds up the effect of an award over all budgets, by contract type: pounds by year, numbers of contracts, and each explanation once. */
export function sumEffectsByContractType(effects: readonly AwardEffect[], nameOf: (id: number) => string) {
  const ids = [...new Set(effects.flatMap(({ types }) => types.map((type) => type.contractTypeId)))]
  const years = [...new Set(effects.flatMap((effect) => effect.years.map((year) => year.year)))].sort()
  return ids.map((id) => {
    const effectsOfType = effects.flatMap((effect) =>
      effect.types.filter((type) => type.contractTypeId === id).map((type) => ({ effect, type })),
    )
    const count = (pick: 'contracts' | 'unchanged' | 'ended'): number => effectsOfType.reduce((sum, { type }) => sum + type[pick], 0)
    const pounds = (which: 'before' | 'after', name: string): number =>
      toPounds(
        effectsOfType.reduce((sum, { effect, type }) => {
          const index = effect.years.findIndex(({ year }) => year === name)
          return sum + (index === -1 ? 0 : assertDefined(type[which][index]))
        }, 0),
      )
    const counts = {
      isChosen: effectsOfType.some(({ type }) => type.isChosen),
      contracts: count('contracts'),
      unchanged: count('unchanged'),
      ended: count('ended'),
    }
    return {
      contractTypeId: id,
      name: nameOf(id),
      isChosen: counts.isChosen,
      years: years.map((year) => ({ year, before: pounds('before', year), after: pounds('after', year) })),
      sentences: [...new Set(effectsOfType.flatMap(({ type }) => type.sentences)), explainUnchanged(counts)].filter(
        (sentence) => sentence !== null,
      ),
    }
  })
}
