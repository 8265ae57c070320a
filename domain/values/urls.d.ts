/**
 * The part of the URL standard that the domain uses. Browsers and Node both have it, but the domain is compiled without the types of either,
 * so that nothing else of them can be used here by accident.
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
