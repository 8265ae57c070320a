import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { PageSection } from '../PageSection.tsx'

/** What a button needs to bring in the code behind it: on hover or focus, and on its first press. */
interface FirstUseProps {
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
}

/**
 * A control of the frame whose code loads on first use. Until then, and while it loads, a button stands in its place.
 * @param button the button, with what brings in the code
 * @param read imports the code
 * @param children the control, which opens as it mounts
 */
export function FirstUse({
  button,
  read,
  children,
}: {
  button: (props: FirstUseProps) => ReactElement
  read: () => Promise<unknown>
  children: ReactNode
}) {
  const [isAsked, setAsked] = useState(false)
  const preload = (): void => void read().catch(() => undefined)
  const standIn = button({ onClick: () => setAsked(true), onPointerEnter: preload, onFocus: preload })
  if (!isAsked) return standIn
  return (
    <PageSection height={0}>
      <Suspense fallback={standIn}>{children}</Suspense>
    </PageSection>
  )
}
