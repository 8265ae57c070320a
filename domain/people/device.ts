/** Patterns that recognise browsers in a user agent. The first match counts, because most browsers also name other browsers. */
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

/** Describes the browser and system of a sign-in: "Firefox on Windows". @param agent the User-Agent header */
export function describeDevice(agent: string): string {
  const first = (list: readonly [RegExp, string][]): string | undefined => list.find(([pattern]) => pattern.test(agent))?.[1]
  return `${first(browsers) ?? 'Another browser'} on ${first(systems) ?? 'another system'}`
}
