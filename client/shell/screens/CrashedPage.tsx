import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { ChunkMissingError } from '../lazyComponent.ts'

/** Shown if a page crashes. The frame remains usable; the browser console contains the error. */
export function CrashedPage() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <EmptyState role="alert">
      <PageHead title="This page failed" />
      <p>
        {error instanceof ChunkMissingError
          ? 'A newer version of Bursar has been installed. Reload this page in a minute.'
          : 'Reload the page. If it fails again, tell the person who manages Bursar what you were doing.'}
      </p>
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </EmptyState>
  )
}
