import { Skeleton } from '@mantine/core'
import { Component, type ReactNode, Suspense } from 'react'
import { ChunkMissingError } from './lazyComponent.ts'

/** An error boundary with a loading state for part of a page. If loading this part fails, what the user typed in other parts is kept. */
export class PageSection extends Component<{ children: ReactNode; height?: number }, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { children, height = 120 } = this.props
    const { error } = this.state
    if (error === null) return <Suspense fallback={height ? <Skeleton height={height} /> : null}>{children}</Suspense>
    if (!(error instanceof ChunkMissingError)) throw error
    return <p role="alert">A newer version of Bursar has been installed: save your work, then reload the page.</p>
  }
}
