import { describe, expect, it } from 'vitest'
import { topSliceMethod } from '../../../domain/lookups/lookupIds.ts'
import { topSlice } from '../../../domain/resources/entities/funding/topSlice.ts'
import { getNumberUnit } from '../../../domain/resources/fields.ts'
import { maskNumber } from '../../../domain/values/format.ts'

describe('a value as users see it', () => {
  it('of a top slice is per cent or pounds, according to its method', () => {
    const unit = (method: number) => getNumberUnit(topSlice.fields.value, { method })
    expect(unit(topSliceMethod.percentage)).toBe('percent')
    expect(unit(topSliceMethod.perPupil)).toBe('pounds')
    expect(unit(topSliceMethod.fixed)).toBe('pounds')
    expect(getNumberUnit(topSlice.fields.locationId, { method: topSliceMethod.percentage })).toBeUndefined()
  })
  it('of a masked number shows only its end', () => {
    expect(maskNumber('AB147514C')).toBe('••••••14C')
    expect(maskNumber('')).toBe('')
  })
})
