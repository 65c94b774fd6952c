type Module = { path: string; lines: number; imports: readonly { target: string | null; isLazy?: boolean }[] }

/** A module of this length or shorter, without a role or its own test, needs a second importer. */
const minLines = 60

/** Modules of any length are allowed if their names state a role. */
const roles = [
  /(?:^|\/)index\.ts$/,
  /\.(?:api|routes|events|jobs|policy|view|queries|schemas|own-data|moderated|mails|endpoints|rules)\.ts$/,
  // Generated, one per file of endpoints.
  /^contracts\/calls\//,
  // Entry points of a process, thread or page.
  /-worker\.ts$/,
  /^server\/main\.ts$/,
  /^web\/[^/]+$/,
  // One command, migration, adapter or screen address per file.
  /^(?:scripts|server\/commands|server\/db\/migrations|server\/adapters\/[^/]+)\/[^/]+$/,
  /^web\/routes\//,
  /\.css$|\.d\.\w+$/,
]

const isTest = (path: string) => /\.test(?:-support)?\.\w+$/.test(path) || /^(?:tests|bench)\//.test(path)

/** Lazy-loaded parts of the web app and its routes' screens. */
const isLoadedLater = (from: string, isLazy?: boolean) => isLazy === true || from.startsWith('web/routes/')

/** Short modules without a role that belong in the only module that imports them. Tests don't count as importers. */
export function belowFloor(files: readonly Module[]): string[] {
  const modules = files.filter(({ path }) => !isTest(path))
  const importers = new Map<string, number>()
  const loadedLater = new Set<string | null>()
  for (const { path, imports } of modules) {
    for (const { target, isLazy } of imports) if (isLoadedLater(path, isLazy)) loadedLater.add(target)
    for (const target of new Set(imports.map((each) => each.target))) if (target) importers.set(target, (importers.get(target) ?? 0) + 1)
  }
  const paths = new Set(files.map(({ path }) => path))
  const hasOwnTest = (path: string) => paths.has(path.replace(/(?=\.\w+$)/, '.test')) || paths.has(path.replace(/\.\w+$/, '.test.ts'))
  return modules
    .filter(({ path, lines }) => lines <= minLines && !roles.some((role) => role.test(path)) && !hasOwnTest(path))
    .filter(({ path }) => (importers.get(path) ?? 0) < 2 && !loadedLater.has(path))
    .map(({ path }) => path)
}
