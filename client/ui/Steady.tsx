import { memo, type ReactNode } from 'react'

/**
 * Part of a form that renders again only when one of the values that it shows changes, so that a key typed in one field
 * does not render all others.
 * @param of everything that the part reads; its handlers must be right for as long as these stay the same
 */
export const Steady = memo(
  function Steady({ children }: { of: readonly unknown[]; children: () => ReactNode }) {
    return children()
  },
  (before, after) => before.of.length === after.of.length && before.of.every((value, index) => Object.is(value, after.of[index])),
)
