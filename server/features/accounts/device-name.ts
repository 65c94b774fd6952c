import type { SignInSession } from '../../../contracts/sign-in.ts'

type Kind = SignInSession['kind']

/** Many browsers name others, too, to be taken for them: the first that is found is the one. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bDuckDuckGo\/|\bDdg\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/\S+ .*\bSafari\//, 'Safari'],
]

/** A tablet of Apple's may call itself a Mac: then it is shown as one. Nothing tells them apart here. */
const systems: readonly (readonly [RegExp, string, Kind])[] = [
  [/\biPhone\b/, 'iPhone', 'phone'],
  [/\biPad\b/, 'iPad', 'tablet'],
  [/\bAndroid\b.*\bMobile\b/, 'Android', 'phone'],
  [/\bAndroid\b/, 'Android', 'tablet'],
  [/\bCrOS\b/, 'ChromeOS', 'computer'],
  [/\bWindows NT\b/, 'Windows', 'computer'],
  [/\bMac OS X\b/, 'macOS', 'computer'],
  [/\bLinux\b/, 'Linux', 'computer'],
]

/** "Firefox on Windows", of what a browser says of itself; `device` is null where it names nothing that is known. */
export function deviceOf(userAgent: string | null): { device: string | null; kind: Kind } {
  const text = userAgent ?? ''
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1]
  const [, system, kind = 'unknown'] = systems.find(([pattern]) => pattern.test(text)) ?? []
  const device = browser && system ? `${browser} on ${system}` : (browser ?? system ?? null)
  return { device, kind }
}
