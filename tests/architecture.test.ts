import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commentsOf } from '#scripts/sample-wording.ts'
import { folderCircles } from './support/folder-circles.ts'
import { belowFloor } from './support/module-floor.ts'
import { readSourceFiles, type SourceFile } from './support/source-files.ts'

const files = readSourceFiles()
const app = files.filter(({ path }) => /^(?:agronomy|compliance|contracts|server|web)\/.*\.tsx?$/.test(path))
const isTest = (path: string) => /\.test\.tsx?$/.test(path)

/** Code that both server and browser run. */
const shared = [/^contracts\//, /^agronomy\//, /^compliance\//]

/** Allowed imports: the first rule whose `files` match applies. */
const rules: { files: RegExp; may: RegExp[]; packages?: RegExp }[] = [
  { files: /^agronomy\//, may: [/^agronomy\//], packages: /^$/ },
  { files: /^compliance\//, may: [/^compliance\//, /^data\/(?:compliance-rules|look-alikes)\.json$/], packages: /^$/ },
  { files: /^contracts\/zod\.ts$/, may: [], packages: /^zod\/mini$/ },
  { files: /^contracts\//, may: [/^contracts\//], packages: /^$/ },
  { files: /^server\/(config|config-values|log)\.ts$/, may: [/^server\/(config|config-values|log)\.ts$/, /^contracts\//] },
  { files: /^server\/db\//, may: [/^server\/(db\/|config|log)/, /^contracts\//] },
  { files: /^server\/kernel\//, may: [/^server\/(kernel\/|db\/|config|log)/, /^contracts\//] },
  { files: /^server\/adapters\//, may: [/^server\/(adapters\/|kernel\/|db\/|config|log)/, /^contracts\//] },
  // Imports the page's drawing code, so a cover looks the same in a link preview.
  {
    files: /^server\/features\/preview\/preview-images\.ts$/,
    may: [/^server\/(features\/|kernel\/|db\/|config|log)/, ...shared, /^web\/ui\/cover\/draw-cover\.ts$/],
  },
  // A feature may import its own files and other features' index files, which is checked below.
  { files: /^server\/features\//, may: [/^server\/(features\/|kernel\/|db\/|config|log)/, ...shared] },
  { files: /^server\//, may: [/^server\//, ...shared] },
  // The layers of the web app, lowest first.
  { files: /^web\/lib\//, may: [/^web\/lib\//, /^contracts\//] },
  { files: /^web\/ui\//, may: [/^web\/(ui|lib)\//, /^contracts\//] },
  { files: /^web\/forms\//, may: [/^web\/(forms|ui|lib)\//, /^contracts\//] },
  { files: /^web\/entities\//, may: [/^web\/(entities|forms|ui|lib)\//, ...shared] },
  { files: /^web\/screens\//, may: [/^web\/(screens|entities|forms|ui|lib)\//, ...shared] },
  { files: /^web\/routes\//, may: [/^web\/(routes|screens|entities|forms|ui|lib)\//, ...shared] },
  { files: /^web\/[^/]+$/, may: [/^web\//, ...shared] },
]

const featureOf = (path: string) => /^server\/features\/([^/]+)\//.exec(path)?.[1]

test('imports between the top-level folders only in the allowed directions', () => {
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

test('imports another server feature only through its index', () => {
  const violations = crossings(/^server\/features\//).filter(({ target }) => !/^server\/features\/[^/]+\/index\.ts$/.test(target))
  expect(violations).toEqual([])
})

test('never imports notifications, which listen to events', () => {
  expect(crossings(/^server\/features\//).filter(({ target }) => featureOf(target) === 'notifications')).toEqual([])
})

test('has an import rule for every file in the app', () => {
  expect(app.filter(({ path }) => !rules.some((rule) => rule.files.test(path))).map(({ path }) => path)).toEqual([])
})

const web = app.filter(({ path }) => path.startsWith('web/') && !isTest(path))

test('makes calls in the web app only through contracts/calls, which loads no schemas', () => {
  const declared = web.filter(({ imports }) => imports.some(({ target, isType }) => target?.endsWith('.endpoints.ts') && !isType))
  expect(declared.map(({ path }) => path)).toEqual([])
})

test('loads Zod in the web app only for schemas, configured by contracts/zod.ts', async () => {
  const direct = web.filter(({ imports }) => imports.some(({ specifier }) => specifier.startsWith('zod')))
  expect(direct.map(({ path }) => path)).toEqual([])

  const violations: string[] = []
  for (const file of web)
    for (const { specifier, target, values } of file.imports) {
      if (values.length === 0 || !target?.startsWith('contracts/') || !loadsZod(target)) continue
      const module: Record<string, unknown> = await import(/* @vite-ignore */ path.resolve(target))
      const others = values.filter((name) => !isSchema(module[name]))
      if (others.length > 0) violations.push(`${file.path} → ${specifier}: ${others.join(', ')}`)
    }
  expect(violations).toEqual([])
})

/** The only modules that may create a proof (a branded type). All others get it from them. */
const provers = new Map([
  [
    'asLocked',
    [
      'server/features/businesses/businesses.queries.ts',
      'server/features/businesses/correct-listing.ts',
      'server/features/businesses/listing-state.ts',
      'server/features/businesses/location.ts',
      'server/features/businesses/update-business.ts',
      'server/features/communities/community-access.ts',
      'server/features/communities/write-community.ts',
      'server/features/merges/merges.queries.ts',
      'server/features/moderation/decide-case.ts',
      'server/features/people/index.ts',
      'server/features/plants/require-plant-things.ts',
    ],
  ],
  [
    'asAuthorized',
    ['server/features/drafts/drafts.queries.ts', 'server/features/drafts/read-drafts.ts', 'server/features/hunts/hunt-access.ts'],
  ],
])

test.each([...provers])('creates a proof with %s only where the fact is checked', (maker, modules) => {
  const makers = app.filter(({ path, imports }) => !isTest(path) && imports.some(({ values }) => values.includes(maker)))
  expect(makers.map(({ path }) => path)).toEqual(modules)
})

test('has no circular imports between folders', () => {
  expect(folderCircles(app.filter(({ path }) => !isTest(path)))).toEqual([])
})

test('finds a cycle of folders even without a cycle of files', () => {
  const file = (path: string, ...targets: string[]) => ({ path, imports: targets.map((target) => ({ target })) })
  const circles = folderCircles([
    file('web/entities/posts/card.tsx', 'web/entities/people/line.tsx', 'web/ui/card.tsx'),
    file('web/entities/posts/words.ts'),
    file('web/entities/people/line.tsx', 'web/ui/card.tsx'),
    file('web/entities/people/profile.tsx', 'web/entities/reviews/item.tsx'),
    file('web/entities/reviews/item.tsx', 'web/entities/posts/words.ts'),
    file('web/screens/home/feed.tsx', 'web/entities/posts/card.tsx'),
    file('web/ui/card.tsx', 'web/ui/cover/cover.tsx'),
    file('web/ui/cover/cover.tsx', 'web/ui/seed.ts'),
  ])
  expect(circles).toEqual([
    [
      'web/entities/people/profile.tsx → web/entities/reviews/item.tsx',
      'web/entities/posts/card.tsx → web/entities/people/line.tsx',
      'web/entities/reviews/item.tsx → web/entities/posts/words.ts',
    ],
  ])
})

test('refreshes the query cache only where its calls are declared', () => {
  const allowed = /\.api\.ts$|^web\/(?:lib|entities\/offline)\//
  const spelling = app.filter(
    ({ path, text }) => path.startsWith('web/') && !isTest(path) && !allowed.test(path) && /\.invalidateQueries\(\{ queryKey/.test(text),
  )
  expect(spelling.map(({ path }) => path)).toEqual([])
})

test('imports from outside a folder by root paths, never by `../`', () => {
  const upward = files.flatMap((file) =>
    file.imports.filter(({ specifier }) => specifier.startsWith('../')).map(({ specifier }) => `${file.path} → ${specifier}`),
  )
  expect(upward).toEqual([])
})

test('has no circular imports', () => {
  expect(findCycle(files)).toBeNull()
})

test('names only existing files in comments', () => {
  const paths = files.map((file) => `/${file.path}`)
  const lost = files.flatMap((file) =>
    commentsOf(file.path, file.text).flatMap(({ line, text }) =>
      [...text.matchAll(/(?<![\w/.*…$-])(?:[\w$.{}-]+\/)*[\w$.-]+\.(?:tsx?|mjs|css)\b/g)]
        .filter(([named]) => !paths.some((each) => each.endsWith(`/${named}`)))
        .filter(([named]) => !fs.existsSync(named) && !fs.existsSync(path.join(path.dirname(file.path), named)))
        .map(([named]) => `${file.path}:${line} ${named}`),
    ),
  )
  expect(lost).toEqual([])
})

test('limits files to 400 lines', () => {
  expect(files.filter((file) => file.lines > 400).map((file) => `${file.path}: ${file.lines}`)).toEqual([])
})

test('has no short modules with one importer and no role', () => {
  expect(belowFloor(files)).toEqual([])
})

test('finds short modules with one importer and no role', () => {
  const file = (path: string, lines: number, ...targets: string[]) => ({ path, lines, imports: targets.map((target) => ({ target })) })
  const folder = 'server/features/posts'
  const found = belowFloor([
    file(`${folder}/index.ts`, 20, `${folder}/read-posts.ts`, `${folder}/posts.view.ts`, `${folder}/words.ts`, `${folder}/slug.ts`),
    file(`${folder}/read-posts.ts`, 61, `${folder}/words.ts`, `${folder}/byline.ts`),
    // Imported once by a module; the test doesn't count.
    file(`${folder}/byline.ts`, 60),
    file(`${folder}/posts.integration.test.ts`, 90, `${folder}/byline.ts`),
    file(`${folder}/posts.view.ts`, 30),
    file(`${folder}/words.ts`, 12),
    file(`${folder}/slug.ts`, 12),
    file(`${folder}/slug.test.ts`, 20, `${folder}/slug.ts`),
  ])
  expect(found).toEqual([`${folder}/byline.ts`])
})

test('allows short screens of routes and short lazy-loaded modules', () => {
  const file = (path: string, ...imports: { target: string; isLazy?: boolean }[]) => ({ path, lines: 20, imports })
  const found = belowFloor([
    file('web/routes/drafts.tsx', { target: 'web/screens/drafts/drafts-screen.tsx' }),
    file('web/screens/drafts/drafts-screen.tsx', { target: 'web/screens/drafts/draft-dialog.tsx', isLazy: true }),
    file('web/screens/drafts/draft-dialog.tsx', { target: 'web/screens/drafts/draft-words.ts' }),
    file('web/screens/drafts/draft-words.ts'),
  ])
  expect(found).toEqual(['web/screens/drafts/draft-words.ts'])
})

test('uses `ctx.clock` instead of the database clock in features', () => {
  const databaseClock =
    /(?<![.\w])(?:now|clock_timestamp|transaction_timestamp|statement_timestamp)\(\)|\b(?:current_(?:timestamp|date|time)|localtime(?:stamp)?)\b/
  const asking = files.filter((file) => /^server\/features\//.test(file.path) && !isTest(file.path) && databaseClock.test(file.text))
  expect(asking.map((file) => file.path)).toEqual([])
})

test('never formats dates in the device’s time zone in static pages', () => {
  const drawn = reach('web/static-pages.tsx')
  expect(drawn.has('web/screens/landing/landing-screen.tsx')).toBe(true)
  const ownZone = /\blocalDateFormat\b|\.toLocale(Date|Time)?String\(|\bIntl\.DateTimeFormat\b/
  const allowed = new Set(['web/lib/format.ts', 'web/lib/time-words.ts', 'web/entities/locations/hours-words.ts'])
  expect([...drawn].filter((path) => !allowed.has(path) && ownZone.test(fs.readFileSync(path, 'utf8')))).toEqual([])
})

/** Whether a contract is or imports a module with schemas. */
function loadsZod(path: string): boolean {
  const imports = files.find((file) => file.path === path)?.imports ?? []
  return imports.some(({ target, values }) => target === 'contracts/zod.ts' || (values.length > 0 && target !== null && loadsZod(target)))
}

/** A schema, a function that makes one, or an object that contains some. */
function isSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'function'
  return '_zod' in value || (!Array.isArray(value) && Object.values(value).some(isSchema))
}

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
