import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { PageSection } from '../PageSection.tsx'

/** Handlers of a button that load the code of a control. Hover and focus load the code; a press also shows the control. */
interface LoadingHandlers {
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
}

/**
 * A control of the frame whose code loads when it is first used. Until the code has loaded, a button is shown instead.
 * @param button renders the button
 * @param read imports the code
 * @param children the control, which opens when it mounts
 */
export function LoadOnFirstUse({
  button,
  read,
  children,
}: {
  button: (props: LoadingHandlers) => ReactElement
  read: () => Promise<unknown>
  children: ReactNode
}) {
  const [isRequested, setRequested] = useState(false)
  const preload = (): void => void read().catch(() => undefined)
  const placeholder = button({ onClick: () => setRequested(true), onPointerEnter: preload, onFocus: preload })
  if (!isRequested) return placeholder
  return (
    <PageSection height={0}>
      <Suspense fallback={placeholder}>{children}</Suspense>
    </PageSection>
  )
}
