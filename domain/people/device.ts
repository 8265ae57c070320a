/** Browsers by what they say of themselves; most claim to be others too, so the first that fits counts. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const systems: readonly [RegExp, string][] = [
  [/\bWindows\b/, 'Windows'],
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'a Chromebook'],
  [/\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** What somebody signs in with, in words: "Firefox on Windows". @param agent what the browser says of itself */
export function describeDevice(agent: string): string {
  const first = (list: readonly [RegExp, string][]): string | undefined => list.find(([pattern]) => pattern.test(agent))?.[1]
  return `${first(browsers) ?? 'Another browser'} on ${first(systems) ?? 'another system'}`
}
