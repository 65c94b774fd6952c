import { expect, test } from 'vitest'
import { readSourceFiles, type SourceFile } from './support/source-files.ts'

const files = readSourceFiles()
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

/** What both sides run. */
const shared = [/^contracts\//, /^agronomy\//, /^compliance\//]

/** Who may import whom: the first rule whose `files` match decides. */
const rules: { files: RegExp; may: RegExp[]; packages?: RegExp }[] = [
  { files: /^agronomy\//, may: [/^agronomy\//], packages: /^$/ },
  { files: /^compliance\//, may: [/^compliance\//, /^data\/compliance-rules\.json$/], packages: /^$/ },
  { files: /^contracts\//, may: [/^contracts\//], packages: /^zod\/mini$/ },
  { files: /^server\/(config|log)\.ts$/, may: [/^server\/(config|log)\.ts$/, /^contracts\//] },
  { files: /^server\/db\//, may: [/^server\/(db\/|config|log)/, /^contracts\//] },
  { files: /^server\/kernel\//, may: [/^server\/(kernel\/|db\/|config|log)/, /^contracts\//] },
  { files: /^server\/adapters\//, may: [/^server\/(adapters\/|kernel\/|db\/|config|log)/, /^contracts\//] },
  // A feature: its own files, and another feature's index. Checked further below.
  { files: /^server\/features\//, may: [/^server\/(features\/|kernel\/|db\/|config|log)/, ...shared] },
  { files: /^server\//, may: [/^server\//, ...shared] },
  { files: /^web\/ui\//, may: [/^web\/(ui|lib)\//, /^contracts\//] },
  { files: /^web\/lib\//, may: [/^web\/lib\//, /^contracts\//] },
  { files: /^web\/features\//, may: [/^web\/(features|lib|ui)\//, ...shared] },
  { files: /^web\//, may: [/^web\//, ...shared] },
]

/** One feature of the web app uses another only along this list. */
const webFeatureUses: Record<string, string[]> = {
  accounts: ['layout'],
  admin: ['billing', 'claims', 'moderation', 'not-found', 'security', 'verification'],
  billing: ['accounts', 'businesses', 'dashboard', 'onboarding'],
  'blind-panels': ['accounts', 'hunts', 'offline', 'plants', 'traits'],
  businesses: [
    'billing',
    'dashboard',
    'directory',
    'favorites',
    'locations',
    'map',
    'menus',
    'layout',
    'messages',
    'people',
    'posts',
    'reports',
    'reviews',
  ],
  'business-profile': ['accounts', 'businesses', 'compliance', 'media', 'onboarding'],
  claims: ['accounts', 'businesses', 'verification'],
  compliance: ['businesses', 'public-pages'],
  climate: ['grow-logs', 'growing-plots', 'offline'],
  communities: ['accounts', 'community-posts', 'compliance', 'media', 'moderation', 'not-found', 'onboarding', 'reports'],
  dashboard: ['businesses', 'insights', 'billing', 'locations', 'drafts'],
  directory: ['businesses', 'favorites', 'map'],
  drafts: ['accounts', 'businesses', 'dashboard', 'onboarding', 'posts'],
  favorites: ['directory', 'businesses'],
  'grow-logs': ['growing-plots', 'media', 'offline'],
  'hunt-archive': ['hunts'],
  keepers: ['growing-plots', 'hunts', 'plants', 'traits'],
  home: ['directory', 'favorites', 'businesses', 'layout', 'posts'],
  'growing-plots': ['media'],
  labels: ['hunts', 'plants'],
  landing: ['plans', 'layout'],
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
  insights: ['dashboard', 'businesses', 'posts'],
  layout: ['messages', 'notifications'],
  locations: ['accounts', 'businesses', 'dashboard', 'map', 'menus', 'notifications', 'onboarding', 'posts'],
  media: ['accounts'],
  messages: ['accounts', 'businesses', 'media', 'offline', 'people', 'posts', 'reports', 'standing'],
  menus: ['accounts', 'businesses', 'dashboard', 'locations', 'media', 'onboarding', 'posts', 'strains'],
  moderation: ['accounts', 'layout', 'media', 'notifications', 'onboarding', 'reports', 'standing'],
  standing: ['accounts', 'layout', 'notifications', 'reports'],
  reports: ['businesses', 'people'],
  notifications: ['businesses', 'accounts', 'layout'],
  offline: ['media'],
  people: ['businesses', 'messages', 'posts', 'reports', 'directory'],
  onboarding: ['registration', 'accounts', 'claims', 'directory'],
  'community-posts': ['accounts', 'communities', 'compliance', 'hunts', 'media', 'onboarding', 'posts', 'strains', 'standing'],
  posts: ['accounts', 'businesses', 'community-posts', 'compliance', 'drafts', 'media', 'onboarding', 'reports', 'standing'],
  registration: ['accounts', 'claims', 'onboarding', 'directory'],
  verification: ['accounts', 'businesses', 'dashboard', 'media'],
  reviews: ['businesses', 'compliance', 'reports', 'people', 'accounts', 'standing'],
  security: ['layout'],
  showcase: ['growing-plots'],
  plants: ['blind-panels', 'climate', 'grow-logs', 'growing-plots', 'hunt-archive', 'hunts', 'keepers', 'labels', 'not-found', 'offline'],
  plans: ['accounts', 'billing', 'businesses', 'dashboard', 'not-found', 'onboarding'],
  team: ['accounts', 'businesses'],
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

test('no file imports itself in a circle', () => {
  expect(findCycle(files)).toBeNull()
})

test('a file that is longer than 400 lines wants to be two', () => {
  expect(files.filter((file) => file.lines > 400).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
})

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
