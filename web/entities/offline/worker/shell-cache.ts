/** Injected by the build: the app's version, and the files of the growing screens. */
declare const __BUILD__: { version: string; files: string[] }

/** Pages without a viewer: see server/app/offline-pages.ts. */
export const shellUrl = '/offline/shell'
export const offlineUrl = '/offline/page'

const build = __BUILD__
const prefix = 'shell-'
const cacheName = prefix + build.version

export async function isCached(): Promise<boolean> {
  return (await caches.keys()).some((name) => name.startsWith(prefix))
}

/** Caches missing files. Hashed files never change; the others are fetched again. */
export async function cacheShell(): Promise<void> {
  const cache = await caches.open(cacheName)
  const here = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const wanted = [...build.files, shellUrl, offlineUrl].filter((file) => !isNamedByContent(file) || !here.has(file))
  await Promise.all(
    wanted.map(async (file) => {
      // Reuse the same file from an older version.
      const known = isNamedByContent(file) ? await caches.match(file) : undefined
      const response = known ?? (await fetch(file, { cache: 'no-cache' }))
      if (response.ok && (known || (await isOfThisBuild(response)))) await cache.put(file, response)
    }),
  )
}

const isNamedByContent = (file: string) => file.startsWith('/assets/')

export const isOfBuild = (file: string): boolean => build.files.includes(file)

/** A newer server sends pages whose files aren't cached, which wouldn't work offline. */
async function isOfThisBuild(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return true
  const names = (await response.clone().text()).match(/\/assets\/[\w.-]+/g) ?? []
  return names.every(isOfBuild)
}

export async function dropOldShells(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)))
}

export async function dropShell(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)))
}

/** Files without a hash, such as icons: network first. */
export const isCachedByName = (path: string): boolean => !isNamedByContent(path) && isOfBuild(path)

export async function named(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const known = await caches.match(request.url)
    if (known) return known
    throw error
  }
}

export async function cached(path: string): Promise<Response | undefined> {
  return (await caches.open(cacheName)).match(path)
}

/** A build file: from the cache, otherwise from the network. Files requested by a growing screen are cached. */
export async function asset(request: Request, isForGrowing: () => Promise<boolean>): Promise<Response> {
  const known = await caches.match(request.url)
  if (known) return known
  const response = await fetch(request)
  if (!response.ok) return response
  const copy = response.clone()
  if ((await isForGrowing()) && (await isCached())) await (await caches.open(cacheName)).put(request.url, copy).catch(() => undefined)
  return response
}
