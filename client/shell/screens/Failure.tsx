import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { Empty } from '../../ui/Empty.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { PartGone } from '../loadPart.ts'

/** Shown when a page crashes. The frame stays usable, and details go to the browser console. */
export function Failure() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <Empty role="alert">
      <PageHead title="This page failed" />
      <p>
        {error instanceof PartGone
          ? 'A newer version of Bursar has been installed. Reload this page in a minute.'
          : 'Reload it. If it fails again, tell us what you were doing.'}
      </p>
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </Empty>
  )
}
