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
          ? 'A newer version of Bursar has been installed, and this page belongs to the one before: load it again in a minute.'
          : 'Load it again. If it fails once more, tell us what you did.'}
      </p>
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </Empty>
  )
}
