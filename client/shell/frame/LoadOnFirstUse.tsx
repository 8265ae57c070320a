import { type ReactElement, type ReactNode, Suspense, useState } from 'react'
import { PageSection } from '../PageSection.tsx'

/** Handlers that make a button load the code of its control: hover and focus load it, a press also shows the control. */
interface LoadingHandlers {
  onClick: () => void
  onPointerEnter: () => void
  onFocus: () => void
}

/**
 * A control of the frame whose code loads on first use. Until it has loaded, a button is shown in its place.
 * @param button renders that button
 * @param read imports the code
 * @param children the control, which opens as it mounts
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
