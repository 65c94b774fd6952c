import type { Boot } from '#contracts/boot.ts'
import { forgetAccount, forgetViewer, getViewer } from '#web/entities/offline/cached-answers.ts'
import type { Viewer } from '#web/entities/offline/offline-db.ts'
import { countWaiting } from '#web/entities/offline/offline-db.ts'

/** In milliseconds. After that, serves the cached page. */
const networkTimeoutMs = 3_000

const logoutPath = '/api/logout'
/** Contains the viewer's account ID, or `none`. */
const viewerHeader = 'page-viewer'

export const isGrowingPage = (path: string): boolean => path === '/pheno-hunt' || path.startsWith('/pheno-hunt/')

export const isPage = (path: string): boolean =>
  path === logoutPath || !/^\/(api|media|assets|embed|feeds|unsubscribe|dev|offline)\//.test(path)

/** Undefined in browsers without web push. */
type Pushes = Pick<PushManager, 'getSubscription'> | undefined

/** Tries the network first. Offline, serves growing screens from the cache and an offline page for everything else. */
export async function openPage(request: Request, pushManager?: Pushes): Promise<Response> {
  const url = new URL(request.url)
  if (url.pathname === logoutPath) return signOut(request, url, pushManager)
  const answered = fetch(request).then(async (response) => {
    await lockForOthers(response)
    return response
  })
  if (!isGrowingPage(url.pathname)) return answered.catch(offlinePage)
  const late = new Promise<null>((resolve) => setTimeout(resolve, networkTimeoutMs, null))
  try {
    const response = await Promise.race([answered, late])
    // These statuses come from a proxy whose upstream is down, or from a busy server.
    if (response && ![502, 503, 504].includes(response.status)) return response
    return (await shell()) ?? response ?? (await answered)
  } catch (error) {
    return (await shell()) ?? offlinePage(error)
  }
}

/** A page for another account or for a visitor deletes the previous account's cached responses. */
async function lockForOthers(response: Response): Promise<void> {
  const viewer = response.headers.get(viewerHeader)
  if (viewer === null) return
  const before = await getViewer().catch(() => null)
  if (before && before.user.id !== viewer) await forgetViewer()
}

/**
 * If there are unsent entries and no `?unsent=`, asks what to do with them. Otherwise, ends the session and the push subscription, and
 * deletes the cached app and responses. `?unsent=drop` also deletes unsent entries.
 */
async function signOut(request: Request, url: URL, pushManager: Pushes): Promise<Response> {
  const viewer = await getViewer().catch(() => null)
  const answer = url.searchParams.get('unsent')
  if (viewer && answer === null && (await countWaiting(viewer.user.id)) > 0) return Response.redirect('/sign-out', 303)
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    return offlinePage(error)
  }
  await Promise.all([dropShell(), endPushes(pushManager).catch(() => undefined)])
  if (viewer && answer === 'drop') await forgetAccount(viewer.user.id)
  else await forgetViewer().catch(() => undefined)
  return response
}

async function endPushes(pushManager: Pushes): Promise<void> {
  await (await pushManager?.getSubscription())?.unsubscribe()
}

/** The cached app doesn't have a viewer, so this inserts the device's. */
async function shell(): Promise<Response | null> {
  const [page, viewer] = await Promise.all([cached(shellUrl), getViewer().catch(() => null)])
  if (!page || !viewer) return null
  return new Response(withViewer(await page.text(), viewer), { headers: page.headers })
}

const bootPattern = /(<script id="boot" type="application\/json">)(.*?)(<\/script>)/s

export function withViewer(html: string, viewer: Viewer): string {
  return withMarks(html, 'data-shell', ...lookOf(viewer)).replace(bootPattern, (_all, start: string, json: string, end: string) => {
    const boot: Boot = { ...(JSON.parse(json) as Boot), user: viewer.user }
    // An unescaped `<` could end the script element.
    return start + JSON.stringify(boot).replace(/</g, '\\u003c') + end
  })
}

const withMarks = (html: string, ...marks: string[]) =>
  html.replace(/<html([^>]*)>/, (_all, rest: string) => `<html${[rest, ...marks].join(' ')}>`)

const lookOf = ({ theme, isLightsOff }: Viewer): string[] => [
  ...(theme ? [`data-theme="${theme}"`] : []),
  ...(isLightsOff ? ['data-lights="off"'] : []),
]

/** Without a viewer, the page doesn't mention hunts, because a link to them would lead back here. */
async function offlinePage(error: unknown): Promise<Response> {
  const [page, viewer] = await Promise.all([cached(offlineUrl), getViewer().catch(() => null)])
  if (!page) throw error
  return new Response(withMarks(await page.text(), ...(viewer ? lookOf(viewer) : ['data-no-viewer'])), { headers: page.headers })
}

/** Injected by the build: the app's version, and the files of the growing screens. */
declare const __BUILD__: { version: string; files: string[] }

/** These pages don't have a viewer; see server/app/offline-pages.ts. */
const shellUrl = '/offline/shell'
const offlineUrl = '/offline/page'

const build = __BUILD__
const prefix = 'shell-'
const cacheName = prefix + build.version

export async function isCached(): Promise<boolean> {
  return (await caches.keys()).some((name) => name.startsWith(prefix))
}

/** Hashed files never change, so only the others are fetched again. */
export async function cacheShell(): Promise<void> {
  const cache = await caches.open(cacheName)
  const here = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const wanted = [...build.files, shellUrl, offlineUrl].filter((file) => !isNamedByContent(file) || !here.has(file))
  await Promise.all(
    wanted.map(async (file) => {
      const known = isNamedByContent(file) ? await caches.match(file) : undefined
      const response = known ?? (await fetch(file, { cache: 'no-cache' }))
      if (response.ok && (known || (await isOfThisBuild(response)))) await cache.put(file, response)
    }),
  )
}

const isNamedByContent = (file: string) => file.startsWith('/assets/')

export const isBuildFile = (file: string): boolean => build.files.includes(file)

/** Pages from a newer server need files that aren't cached, so they wouldn't work offline. */
async function isOfThisBuild(response: Response): Promise<boolean> {
  if (!response.headers.get('content-type')?.startsWith('text/html')) return true
  const names = (await response.clone().text()).match(/\/assets\/[\w.-]+/g) ?? []
  return names.every(isBuildFile)
}

export async function dropOldShells(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix) && name !== cacheName).map((name) => caches.delete(name)))
}

async function dropShell(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)))
}

/** Files without a hash, such as icons, come from the network first. */
export const isCachedByName = (path: string): boolean => !isNamedByContent(path) && isBuildFile(path)

export async function fetchNetworkFirst(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const known = await caches.match(request.url)
    if (known) return known
    throw error
  }
}

async function cached(path: string): Promise<Response | undefined> {
  return (await caches.open(cacheName)).match(path)
}

/** Tries the cache, then the network. Caches files that growing screens request. */
export async function fetchAsset(request: Request, isForGrowing: () => Promise<boolean>): Promise<Response> {
  const known = await caches.match(request.url)
  if (known) return known
  const response = await fetch(request)
  if (!response.ok) return response
  const copy = response.clone()
  if ((await isForGrowing()) && (await isCached())) await (await caches.open(cacheName)).put(request.url, copy).catch(() => undefined)
  return response
}
