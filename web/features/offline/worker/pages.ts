import type { Boot } from '../../../../contracts/boot.ts'
import { forgetAccount, forgetViewer, getViewer } from '../kept-answers.ts'
import type { Viewer } from '../offline-db.ts'
import { countWaiting } from '../outbox-db.ts'
import { dropShell, kept, offlineUrl, shellUrl } from './shell-cache.ts'

/** Basements have networks through which nothing comes: after this the page is taken from the device. */
const patienceMs = 3_000

const logoutPath = '/api/logout'
/** What the server says of each page: whose it is (the account's id, or `none`). */
const viewerHeader = 'page-viewer'

export const isGrowing = (path: string): boolean => path === '/pheno-hunt' || path.startsWith('/pheno-hunt/')

/** Addresses that are no pages of the app, but the one that ends a session. */
export const isPage = (path: string): boolean =>
  path === logoutPath || !/^\/(api|media|assets|embed|feeds|unsubscribe|dev|offline)\//.test(path)

/** Answers a navigation: the network first, always; without it, the growing screens from the device, and a page that says so for the rest. */
export async function openPage(request: Request): Promise<Response> {
  const url = new URL(request.url)
  if (url.pathname === logoutPath) return signOut(request, url)
  const answered = fetch(request).then(async (response) => {
    await lockForOthers(response)
    return response
  })
  if (!isGrowing(url.pathname)) return answered.catch(offlinePage)
  const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null))
  try {
    const response = await Promise.race([answered, late])
    // A proxy whose server is away.
    if (response && ![502, 503, 504].includes(response.status)) return response
    return (await shell()) ?? response ?? (await answered)
  } catch (error) {
    return (await shell()) ?? offlinePage(error)
  }
}

/** The page is somebody else's, or nobody's: what was kept of the one before leaves the device. */
async function lockForOthers(response: Response): Promise<void> {
  const viewer = response.headers.get(viewerHeader)
  if (viewer === null) return
  const before = await getViewer().catch(() => null)
  if (before && before.user.id !== viewer) await forgetViewer()
}

/** Asks before what nobody else has is left behind; then the session ends, and what was kept with it. `?unsent=` is the person's answer. */
async function signOut(request: Request, url: URL): Promise<Response> {
  const viewer = await getViewer().catch(() => null)
  const answer = url.searchParams.get('unsent')
  if (viewer && answer === null && (await countWaiting(viewer.user.id)) > 0) return Response.redirect('/sign-out', 303)
  let response: Response
  try {
    response = await fetch(request)
  } catch (error) {
    return offlinePage(error)
  }
  await dropShell()
  if (viewer && answer === 'drop') await forgetAccount(viewer.user.id)
  else await forgetViewer().catch(() => undefined)
  return response
}

/** The app as it is kept, which knows nobody, with the person in it whose device this is. */
async function shell(): Promise<Response | null> {
  const [page, viewer] = await Promise.all([kept(shellUrl), getViewer().catch(() => null)])
  if (!page || !viewer) return null
  return new Response(withViewer(await page.text(), viewer), { headers: page.headers })
}

const bootPattern = /(<script id="boot" type="application\/json">)(.*?)(<\/script>)/s

export function withViewer(html: string, viewer: Viewer): string {
  return withMarks(html, 'data-shell', ...lookOf(viewer)).replace(bootPattern, (_all, start: string, json: string, end: string) => {
    const boot: Boot = { ...(JSON.parse(json) as Boot), user: viewer.user }
    // `<` could otherwise end the element.
    return start + JSON.stringify(boot).replace(/</g, '\\u003c') + end
  })
}

const withMarks = (html: string, ...marks: string[]) =>
  html.replace(/<html([^>]*)>/, (_all, rest: string) => `<html${[rest, ...marks].join(' ')}>`)

const lookOf = ({ theme, isLightsOff }: Viewer): string[] => [
  ...(theme ? [`data-theme="${theme}"`] : []),
  ...(isLightsOff ? ['data-lights="off"'] : []),
]

/** In the colors its reader chose. Where nobody is known, it does not speak of hunts: their link would lead back here. */
async function offlinePage(error: unknown): Promise<Response> {
  const [page, viewer] = await Promise.all([kept(offlineUrl), getViewer().catch(() => null)])
  if (!page) throw error
  return new Response(withMarks(await page.text(), ...(viewer ? lookOf(viewer) : ['data-nobody'])), { headers: page.headers })
}
