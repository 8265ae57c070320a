import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { PageHead } from './PageHead.tsx'

/** A page that failed: the frame stays, the way on is clear, the detail is for the console. */
export function Failure() {
  const error = useRouteError()
  useEffect(() => console.error(error), [error])
  return (
    <div className="empty" role="alert">
      <PageHead title="This page failed" />
      <p>Load it again. If it fails once more, tell us what you did.</p>
      <Button onClick={() => window.location.reload()}>Load again</Button>
    </div>
  )
}
