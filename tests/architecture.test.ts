import fs from 'node:fs'
import { expect, test } from 'vitest'
import { readSourceFiles, type SourceFile } from './support/source-files.ts'

const files = readSourceFiles()
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

/** What both sides run. */
const shared = [/^contracts\//, /^agronomy\//, /^compliance\//]

/** Who may import whom: the first rule whose `files` match decides. */
const rules: { files: RegExp; may: RegExp[]; packages?: RegExp }[] = [
  { files: /^agronomy\//, may: [/^agronomy\//], packages: /^$/ },
  { files: /^compliance\//, may: [/^compliance\//, /^data\/(?:compliance-rules|look-alikes)\.json$/], packages: /^$/ },
  { files: /^contracts\//, may: [/^contracts\//], packages: /^zod\/mini$/ },
  { files: /^server\/(config|config-values|log)\.ts$/, may: [/^server\/(config|config-values|log)\.ts$/, /^contracts\//] },
  { files: /^server\/db\//, may: [/^server\/(db\/|config|log)/, /^contracts\//] },
  { files: /^server\/kernel\//, may: [/^server\/(kernel\/|db\/|config|log)/, /^contracts\//] },
  { files: /^server\/adapters\//, may: [/^server\/(adapters\/|kernel\/|db\/|config|log)/, /^contracts\//] },
  // Covers are drawn the same for a page and for the picture of a link to it.
  {
    files: /^server\/features\/preview\/draw-preview\.ts$/,
    may: [/^server\/features\/preview\//, ...shared, /^web\/ui\/cover\/draw-cover\.ts$/],
  },
  // A feature: its own files, and another feature's index. Checked further below.
  { files: /^server\/features\//, may: [/^server\/(features\/|kernel\/|db\/|config|log)/, ...shared] },
  { files: /^server\//, may: [/^server\//, ...shared] },
  { files: /^web\/ui\//, may: [/^web\/(ui|lib)\//, /^contracts\//] },
  { files: /^web\/lib\//, may: [/^web\/lib\//, /^contracts\//, /^agronomy\/units/] },
  { files: /^web\/features\//, may: [/^web\/(features|lib|ui)\//, ...shared] },
  { files: /^web\//, may: [/^web\//, ...shared] },
]

/** One feature of the web app uses another only along this list. */
const webFeatureUses: Record<string, string[]> = {
  admin: ['billing', 'claims', 'moderation', 'not-found', 'security', 'verification'],
  billing: ['accounts', 'businesses', 'onboarding'],
  'blind-panels': ['accounts', 'hunts', 'offline', 'plants', 'traits'],
  businesses: ['billing', 'events', 'locations', 'map', 'menus', 'messages', 'people', 'posts', 'reports', 'reviews'],
  'business-profile': ['accounts', 'businesses', 'compliance', 'media', 'onboarding'],
  claims: ['accounts', 'businesses', 'verification'],
  compliance: ['businesses', 'public-pages'],
  climate: ['grow-logs', 'growing-plots', 'offline'],
  communities: ['accounts', 'community-posts', 'compliance', 'media', 'moderation', 'not-found', 'onboarding', 'reports'],
  dashboard: ['businesses', 'insights', 'billing', 'locations', 'drafts'],
  directory: ['businesses', 'map'],
  drafts: ['accounts', 'businesses', 'onboarding', 'posts'],
  events: ['accounts', 'businesses', 'compliance', 'locations', 'menus', 'notifications', 'onboarding', 'reports', 'standing'],
  favorites: ['businesses'],
  'grow-logs': ['growing-plots', 'media', 'offline'],
  guide: ['accounts'],
  'hunt-archive': ['hunts'],
  keepers: ['growing-plots', 'plants', 'traits'],
  home: ['directory', 'businesses', 'events', 'posts'],
  'growing-plots': ['media'],
  labels: ['plants'],
  landing: ['plans'],
  hunts: [
    'accounts',
    'compliance',
    'grow-logs',
    'hunt-archive',
    'offline',
    'onboarding',
    'people',
    'reports',
    'strains',
    'traits',
    'standing',
  ],
  insights: ['dashboard'],
  layout: ['guide', 'messages', 'notifications', 'search'],
  locations: ['accounts', 'businesses', 'map', 'menus', 'notifications', 'onboarding', 'posts'],
  media: ['accounts'],
  messages: ['accounts', 'businesses', 'media', 'offline', 'people', 'posts', 'reports', 'standing'],
  menus: ['accounts', 'businesses', 'dashboard', 'locations', 'media', 'onboarding', 'posts', 'strains'],
  moderation: ['accounts', 'layout', 'media', 'notifications', 'onboarding', 'reports', 'standing'],
  standing: ['accounts', 'layout', 'notifications', 'reports'],
  reports: ['businesses', 'people'],
  notifications: ['businesses', 'accounts', 'layout'],
  offline: ['media'],
  'own-data': ['layout', 'sign-in'],
  people: ['businesses', 'messages', 'posts', 'reports'],
  onboarding: ['accounts', 'claims'],
  'community-posts': ['accounts', 'communities', 'compliance', 'hunts', 'media', 'onboarding', 'posts', 'strains', 'standing'],
  posts: ['accounts', 'businesses', 'community-posts', 'compliance', 'drafts', 'media', 'onboarding', 'reports', 'standing'],
  registration: ['accounts', 'claims', 'onboarding'],
  verification: ['accounts', 'businesses', 'media'],
  reviews: ['businesses', 'compliance', 'reports', 'accounts', 'standing'],
  search: ['businesses', 'directory', 'layout', 'notifications'],
  security: ['layout'],
  settings: [
    'accounts',
    'compliance',
    'guide',
    'install',
    'media',
    'messages',
    'notifications',
    'onboarding',
    'own-data',
    'sign-in',
    'units',
  ],
  'sign-in': ['accounts', 'security'],
  showcase: ['growing-plots'],
  plants: ['blind-panels', 'climate', 'grow-logs', 'growing-plots', 'hunt-archive', 'hunts', 'keepers', 'labels', 'not-found', 'offline'],
  plans: ['accounts', 'billing', 'businesses', 'onboarding'],
  team: ['accounts', 'businesses', 'people'],
  traits: ['accounts', 'grow-logs', 'growing-plots', 'keepers', 'media', 'offline'],
}

const featureOf = (path: string) => /^(?:server|web)\/features\/([^/]+)\//.exec(path)?.[1]

test('the houses import along the plan', () => {
  const violations: string[] = []
  for (const file of files.filter((each) => !isTest(each.path))) {
    const rule = rules.find((each) => each.files.test(file.path))
    if (!rule) continue
    for (const { specifier, target } of file.imports) {
      const isAllowed = target === null ? !rule.packages || rule.packages.test(specifier) : rule.may.some((allowed) => allowed.test(target))
      if (!isAllowed) violations.push(`${file.path} → ${specifier}`)
    }
  }
  expect(violations).toEqual([])
})

test('a feature of the server reaches another one through its index alone', () => {
  const violations = crossings(/^server\/features\//).filter(({ target }) => !/^server\/features\/[^/]+\/index\.ts$/.test(target))
  expect(violations).toEqual([])
})

test('nothing imports notifications: it listens to events', () => {
  expect(crossings(/^server\/features\//).filter(({ target }) => featureOf(target) === 'notifications')).toEqual([])
})

test('one feature of the web app uses another only along the list', () => {
  const violations = crossings(/^web\/features\//).filter(
    ({ from, target }) => !webFeatureUses[featureOf(from) as string]?.includes(featureOf(target) as string),
  )
  expect(violations).toEqual([])
})

test('the list names what one feature still uses of another, and nothing else', () => {
  const uses = new Set(crossings(/^web\/features\//).map(({ from, target }) => `${featureOf(from)} → ${featureOf(target)}`))
  const listed = Object.entries(webFeatureUses).flatMap(([feature, used]) => used.map((each) => `${feature} → ${each}`))
  expect(listed.filter((each) => !uses.has(each))).toEqual([])
})

test('no file imports itself in a circle', () => {
  expect(findCycle(files)).toBeNull()
})

test('a file that is longer than 400 lines wants to be two', () => {
  expect(files.filter((file) => file.lines > 400).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
})

test('no statement of a feature asks the database what time it is: a test moves `ctx.clock`', () => {
  const databaseClock =
    /(?<![.\w])(?:now|clock_timestamp|transaction_timestamp|statement_timestamp)\(\)|\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/
  const asking = files.filter((file) => /^server\/features\//.test(file.path) && !isTest(file.path) && databaseClock.test(file.text))
  expect(asking.map((file) => file.path)).toEqual([])
})

test('a screen that the server draws formats no date by the clock of a device', () => {
  const drawn = reach('web/prerender.tsx')
  expect(drawn.has('web/ui/ago.tsx')).toBe(true)
  const ownZone = /\blocalDateFormat\b|\.toLocale(Date|Time)?String\(|\bIntl\.DateTimeFormat\b/
  const allowed = new Set(['web/lib/format.ts', 'web/lib/use-time-zone.ts', 'web/features/locations/hours-words.ts'])
  expect([...drawn].filter((path) => !allowed.has(path) && ownZone.test(fs.readFileSync(path, 'utf8')))).toEqual([])
})

/** The files of the web app that a file imports, directly or not. */
function reach(from: string, found = new Set<string>()): Set<string> {
  found.add(from)
  for (const { target } of files.find(({ path }) => path === from)?.imports ?? [])
    if (target?.startsWith('web/') && !target.endsWith('.css') && !found.has(target)) reach(target, found)
  return found
}

/** Imports from one feature into another. */
function crossings(within: RegExp): { from: string; target: string }[] {
  return files
    .filter((file) => within.test(file.path) && !isTest(file.path))
    .flatMap((file) =>
      file.imports
        .map(({ target }) => ({ from: file.path, target: target ?? '' }))
        .filter(({ target }) => within.test(target) && featureOf(target) !== featureOf(file.path)),
    )
}

function findCycle(all: SourceFile[]): string[] | null {
  const byPath = new Map(all.map((file) => [file.path, file]))
  const done = new Set<string>()
  const visit = (path: string, trail: string[]): string[] | null => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (done.has(path)) return null
    for (const { target } of byPath.get(path)?.imports ?? []) {
      const cycle = target && byPath.has(target) ? visit(target, [...trail, path]) : null
      if (cycle) return cycle
    }
    done.add(path)
    return null
  }
  for (const file of all) {
    const cycle = visit(file.path, [])
    if (cycle) return cycle
  }
  return null
}
