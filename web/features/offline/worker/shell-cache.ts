/** What the build says: the version of the app, and the files that the growing screens consist of. */
declare const __BUILD__: { version: string; files: string[] }

/** Pages without a viewer: see server/app/offline-pages.ts. */
export const shellUrl = '/offline/shell'
export const offlineUrl = '/offline/page'

const build = __BUILD__
const prefix = 'shell-'
const cacheName = prefix + build.version

/** Whether the app is kept on this device, in whatever version. */
export async function isKept(): Promise<boolean> {
  return (await caches.keys()).some((name) => name.startsWith(prefix))
}

/** Fetches what is missing of the app. What the build has named by its content never changes; the rest is fetched anew. */
export async function keepShell(): Promise<void> {
  const cache = await caches.open(cacheName)
  const here = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const wanted = [...build.files, shellUrl, offlineUrl].filter((file) => !isNamedByContent(file) || !here.has(file))
  await Promise.all(
    wanted.map(async (file) => {
      // From an older version, where it is the same file.
      const known = isNamedByContent(file) ? await caches.match(file) : undefined
      const response = known ?? (await fetch(file, { cache: 'no-cache' }))
      if (response.ok && (known || (await isOfThisBuild(response)))) await cache.put(file, response)
    }),
  )
}

const isNamedByContent = (file: string) => file.startsWith('/assets/')

export const isOfBuild = (file: string): boolean => build.files.includes(file)

/** A server that is newer than this worker sends a page whose files are not kept: with those it would not open. */
async function isOfThisBuild(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return true
  const names = (await response.clone().text()).match(/\/assets\/[\w.-]+/g) ?? []
  return names.every(isOfBuild)
}

/** The one before is of no use to anybody now. */
export async function dropOldShells(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)))
}

export async function dropShell(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)))
}

/** What is kept under a name of its own, such as an icon: the network's first. */
export const isKeptByName = (path: string): boolean => !isNamedByContent(path) && isOfBuild(path)

export async function named(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const known = await caches.match(request.url)
    if (known) return known
    throw error
  }
}

export async function kept(path: string): Promise<Response | undefined> {
  return (await caches.open(cacheName)).match(path)
}

/** A file of the build: the one that is kept, or the network's. What a growing screen has asked for is kept from then on. */
export async function asset(request: Request, isForGrowing: () => Promise<boolean>): Promise<Response> {
  const known = await caches.match(request.url)
  if (known) return known
  const response = await fetch(request)
  if (!response.ok) return response
  const copy = response.clone()
  if ((await isForGrowing()) && (await isKept())) await (await caches.open(cacheName)).put(request.url, copy).catch(() => undefined)
  return response
}
