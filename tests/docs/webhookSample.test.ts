import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildSignedHeaders } from '../../server/features/integrations/webhooks/sending/signature.ts'
import { root } from './pages.ts'

it('the message on the page of webhooks is signed as Bursar signs messages', () => {
  const page = readFileSync(join(root, 'docs/integrators/webhooks.md'), 'utf8')
  const secret = 'whsec_YSBzYW1wbGUgc2VjcmV0LCBmb3IgdGhpcyBwYWdl'
  const body = '{"type":"webhook.test"}'
  const headers = buildSignedHeaders([secret], { id: '1-2048-0', seconds: 1795856400, body })
  // Each must occur twice: once in each language.
  for (const part of [secret, body, headers['webhook-id'], headers['webhook-timestamp'], headers['webhook-signature']])
    expect(
      page.split(`${part}`).length,
      `docs/integrators/webhooks.md must show ${part} in Python and in TypeScript`,
    ).toBeGreaterThanOrEqual(3)
})
