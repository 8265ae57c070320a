import { memo, type ReactNode } from 'react'

/**
 * Renders part of a form again only when one of the given values changes, so that typing in one field does not render
 * all the others.
 * @param of every value that the part reads. Its handlers must remain valid while these values stay the same.
 */
export const MemoizedPart = memo(
  function MemoizedPart({ children }: { of: readonly unknown[]; children: () => ReactNode }) {
    return children()
  },
  (before, after) => before.of.length === after.of.length && before.of.every((value, index) => Object.is(value, after.of[index])),
)
