import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { ChunkMissingError } from '../lazyComponent.ts'

/** Shown when a page crashes. The frame stays usable, and details go to the browser console. */
export function CrashedPage() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <EmptyState role="alert">
      <PageHead title="This page failed" />
      <p>
        {error instanceof ChunkMissingError
          ? 'A newer version of Bursar has been installed. Reload this page in a minute.'
          : 'Reload it. If it fails again, tell us what you were doing.'}
      </p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </EmptyState>
  )
}
