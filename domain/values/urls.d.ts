/**
 * The part of the URL standard that the domain uses. Browsers and Node both provide it. The domain is compiled without the types of
 * browsers and Node, so that it cannot depend on anything else that they provide.
 */
interface URL {
  readonly hash: string
  readonly origin: string
  readonly password: string
  readonly pathname: string
  readonly protocol: string
  readonly search: string
  readonly username: string
}

declare var URL: {
  new (url: string, base?: string): URL
  canParse(url: string, base?: string): boolean
}

declare var URLSearchParams: {
  new (values: Readonly<Record<string, string>>): { toString(): string }
}
