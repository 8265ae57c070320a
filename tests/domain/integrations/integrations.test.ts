import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fillInParameterDefaults,
  findParameterProblems,
  findSecretsToEnterAgain,
  getActionPath,
  isActionAddress,
  listIntegrationParameters,
  secretPlaceholder,
} from '../../../domain/integrations/credentials.ts'
import { integrationType } from '../../../domain/lookups/lookupIds.ts'

const { webService, fileExchange, none } = integrationType
const service = { address: 'https://ledger.example/api', signIn: 'apiKey', keyHeader: 'X-Api-Key', apiKey: secretPlaceholder }

describe('the settings of a credential', () => {
  it('are those of its type, and none if it connects to nothing', () => {
    expect(listIntegrationParameters(none)).toEqual([])
    expect(listIntegrationParameters(webService).map(({ name }) => name)).toContain('address')
    expect(listIntegrationParameters(fileExchange).map(({ name }) => name)).toContain('fingerprint')
    expect(findParameterProblems(none, {})).toEqual([])
  })
  it('depend on the kind of sign-in', () => {
    const asked = (signIn: string): string[] =>
      findParameterProblems(webService, { address: 'https://ledger.example', signIn }).map(({ field }) => field)
    expect(asked('none')).toEqual([])
    expect(asked('apiKey')).toEqual(['apiKey'])
    expect(asked('oauth2')).toEqual(['tokenAddress', 'clientId', 'clientSecret'])
    expect(asked('magic')).toEqual(['signIn'])
  })
  it.each([
    ['ledger.example/api', 'Enter the address as https://name/path.'],
    ['ftp://ledger.example', 'Enter the address as https://name/path.'],
    ['https://ledger.example/?key=secret', 'Enter the address without ? or #, or anything after them. Enter a key in its own field.'],
    ['https://user:word@ledger.example', 'Enter the name and password in their own fields, not in the address.'],
  ])('with the address %s are refused with one sentence', (address, message) => {
    expect(findParameterProblems(webService, { ...service, address })).toEqual([{ field: 'address', message }])
  })
  it.each(['Host', 'content-length', 'X Key', 'X-Key\r\nX-Other'])('do not accept %j as a header for a key', (keyHeader) => {
    expect(findParameterProblems(webService, { ...service, keyHeader }).map(({ field }) => field)).toEqual(['keyHeader'])
  })
  it('do not accept a key of several lines in a header, but do accept a private key of several lines', () => {
    expect(findParameterProblems(webService, { ...service, apiKey: 'a\r\nX-Other: b' }).map(({ field }) => field)).toEqual(['apiKey'])
    const place = { host: 'files.example', fingerprint: `SHA256:${'a'.repeat(43)}`, user: 'bursar', privateKey: 'line\nline' }
    expect(findParameterProblems(fileExchange, place)).toEqual([])
    expect(fillInParameterDefaults(fileExchange, place)).toMatchObject({ port: '22', folder: '/' })
  })
  it('use dots only for a secret, never for another setting', () => {
    expect(findParameterProblems(webService, { ...service, address: secretPlaceholder }).map(({ field }) => field)).toEqual(['address'])
  })
})

describe('a secret', () => {
  it('must be typed again before it is sent to another place', () => {
    const moved = (address: string, apiKey: string = secretPlaceholder): string[] =>
      findSecretsToEnterAgain(webService, service, { ...service, address, apiKey }).map(({ field }) => field)
    expect(moved('https://ledger.example/api/v2')).toEqual([])
    expect(moved('https://other.example/api')).toEqual(['apiKey'])
    expect(moved('https://ledger.example:8443/api')).toEqual(['apiKey'])
    expect(moved('http://ledger.example/api')).toEqual(['apiKey'])
    expect(moved('https://other.example/api', 'typed anew')).toEqual([])
  })
  it('of an SFTP server is sent to no other host, port or key', () => {
    const place = { host: 'files.example', port: '22', fingerprint: 'SHA256:a', user: 'bursar', password: secretPlaceholder }
    for (const change of [{ host: 'other.example' }, { port: '2222' }, { fingerprint: 'SHA256:b' }])
      expect(findSecretsToEnterAgain(fileExchange, place, { ...place, ...change }).map(({ field }) => field)).toEqual(['password'])
    expect(findSecretsToEnterAgain(fileExchange, place, { ...place, folder: '/in' })).toEqual([])
  })
})

describe('the URL that the server returns for an action', () => {
  const origin = 'https://bursar.example'
  it('is opened only on the product’s own origin below /api/integrations/', () => {
    expect(isActionAddress(getActionPath(7, 'test'), origin)).toBe(true)
    expect(isActionAddress(`${origin}${getActionPath(7, 'test')}`, origin)).toBe(true)
    for (const given of [
      'https://other.example/api/integrations/credentials/7/actions/test',
      '//other.example/api/integrations/x',
      '/api/integrations/../Users',
      '/api/integrations/%2e%2e/Users',
      '/api/integrationsX/',
      '/api/Users',
      'javascript:alert(1)',
      'https://bursar.example@other.example/api/integrations/x',
      'https://a:b@bursar.example/api/integrations/x',
      '\\\\other.example\\api\\integrations\\x',
      '',
    ])
      expect([given, isActionAddress(given, origin)]).toEqual([given, false])
  })
  it('never leads to another origin, whatever its value', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.webPath()), (given) => {
        if (!isActionAddress(given, origin)) return
        const url = new URL(given, origin)
        expect(url.origin).toBe(origin)
        expect(url.pathname.startsWith('/api/integrations/')).toBe(true)
      }),
    )
  })
})
