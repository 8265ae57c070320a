import { Button } from '@mantine/core'
import clsx from 'clsx'
import { useEffect } from 'react'
import { Card } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import shellStyles from '../frame/Shell.module.css'
import { toProductUrl } from './ownAddress.ts'
import { signIn } from './session.ts'
import { useIdentityProviderName } from './useIdentityProviderName.ts'

/** A page without the product's frame, with one message and one action. */
function MessagePage({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <main className={clsx(shellStyles.main, shellStyles.bare)} style={{ display: 'grid', placeItems: 'center' }}>
      <Card style={{ padding: 28, maxWidth: 440 }}>
        <PageHead title={title} />
        {children}
      </Card>
    </main>
  )
}

export function OfflinePage() {
  useEffect(() => {
    const timer = setInterval(async () => {
      const reply = await fetch('/healthz').catch(() => null)
      if (reply?.ok) window.location.assign(toProductUrl(new URLSearchParams(window.location.search).get('to'), window.location.origin))
    }, 3000)
    return () => clearInterval(timer)
  }, [])
  return (
    <MessagePage title="Offline">
      <p role="status">The server cannot be reached. This page returns automatically when the server responds.</p>
    </MessagePage>
  )
}

/** The page after signing out. With an external identity provider, it warns that the provider's session may continue. */
export function LoggedOutPage() {
  const isProviderSessionActive = new URLSearchParams(window.location.search).has('elsewhere')
  const name = useIdentityProviderName()
  return (
    <MessagePage title="Signed out">
      <p>
        You are signed out of Bursar.
        {isProviderSessionActive && name && ` You are still signed in at ${name}: on a shared computer, sign out there as well.`}
      </p>
      <Button onClick={() => void signIn('/')}>{name ? `Sign in with ${name}` : 'Sign in'}</Button>
    </MessagePage>
  )
}

export function ExpiredPage() {
  return (
    <MessagePage title="Session expired">
      <p>Your session has ended. Sign in again to continue.</p>
      <Button onClick={() => void signIn('/')}>Sign in again</Button>
    </MessagePage>
  )
}

export function AccessRefusedPage() {
  return (
    <MessagePage title="No access">
      <p>Access was refused. Ask the person who manages your users, or sign in as someone else.</p>
      <Button onClick={() => void signIn('/')}>Sign in</Button>
    </MessagePage>
  )
}

export function StartFailedPage({ error, onRetry }: { error: string | null; onRetry: () => void }) {
  return (
    <MessagePage title="Bursar could not start">
      <p role="alert">{error ?? 'The server did not respond.'}</p>
      <Button onClick={onRetry}>Try again</Button>
    </MessagePage>
  )
}
