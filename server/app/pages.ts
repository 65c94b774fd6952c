import fs from 'node:fs'
import path from 'node:path'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { safeReturnTo } from '#contracts/addresses.ts'
import { ageCookie, ageCookieFor, ageGatePath, confirmedAge, minimumAge } from '#contracts/age.ts'
import type { Boot } from '#contracts/boot.ts'
import { discreetCookie } from '#contracts/brand.ts'
import { publicLocation } from '#contracts/businesses.rules.ts'
import type { Business } from '#contracts/businesses.ts'
import { hourMs, minuteMs } from '#contracts/time.ts'
import type { VisitorPage } from '#contracts/visitor-pages.ts'
import { readLanding } from '#server/features/landing/index.ts'
import { shownExtras } from '#server/features/page-extras/index.ts'
import { createPlaceCounts, type PlaceCounts } from '#server/features/places/index.ts'
import { businessData } from '#server/features/public-menu/index.ts'
import { cacheAndRefresh } from '#server/kernel/answer-cache.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { admit } from '#server/kernel/rate-limit.ts'
import { readNearbyAsVisitor } from '#server/kernel/replica-reads.ts'
import { firstAnswers } from './first-calls.ts'
import { sendError, toAppError, withError } from './http-errors.ts'
import { addOfflinePages, errorPage } from './offline-pages.ts'
import { authKey, compressPage, memberFrameKey, type PageFiles, readPageFiles } from './page-files.ts'
import { makeBoot, pageHead, renderHead, scriptJson } from './page-head.ts'
import { createPageRenderer, type PageRenderer } from './page-renderer.ts'
import { type Appearance, addVisitorPages } from './visitor-pages.ts'

const themes = new Set(['light', 'dark'])

/**
 * Serves a page for every URL outside /api and /assets: a static page for visitors if one exists, or the web app's page with its head and
 * first data, read as the viewer. `errorPageOf` renders a page that explains why no page can be shown now.
 */
export function addPages(app: FastifyInstance, ctx: Context, distDir: string): { errorPageOf(error: AppError): string } {
  const files = readPageFiles(distDir)
  const template = readTemplate(path.join(distDir, 'index.html'), files)
  const staticTemplate = readTemplate(path.join(distDir, 'static-page.html'), files)
  addOfflinePages(app, ctx, template)
  addAgeGate(app, ctx)
  const renderer = createPageRenderer(distDir, ctx.config.publicUrl, makeBoot(ctx, null, []))
  const countsOf = createPlaceCounts(ctx)
  const startPage = renderer && createStartPages(ctx, renderer, countsOf)
  // Rendered at startup, so the first visitor doesn't wait for it.
  app.addHook('onReady', async () => void startPage?.('/').catch((error: unknown) => ctx.log.error({ err: error }, 'static pages failed')))
  app.addHook('onClose', async () => renderer?.close())

  /** Concatenated instead of resolved, because a path that starts with "//" would become another host. */
  const urlOf = (address: string) => new URL(address.startsWith('/') ? ctx.config.publicUrl + address : address, ctx.config.publicUrl)

  const compose = async (request: FastifyRequest, url: URL) => {
    // Reads the session first: if it is due for renewal, this call must renew it, because the inner calls' cookies are lost.
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const { answers, code } = await firstAnswers(app, request, url, session?.user ?? null)
    const isOfBusiness = url.pathname.startsWith('/business/') && url.pathname !== '/business/register'
    const business = isOfBusiness ? (answers[0]?.body as Business | undefined) : undefined
    const viewer = { isSignedIn: session !== null }
    const data = business ? await readNearbyAsVisitor(ctx, request, viewer, (nearby) => describe(nearby, business)) : null
    return {
      movedTo: business ? addressAfterMerge(url, business) : null,
      renewedCookie: session?.renewedCookie ?? null,
      // A viewer who must still confirm the second factor sees only its prompt, so nothing is cached for them.
      viewerId: session && !session.actor.owesSecondFactor ? session.user.id : 'none',
      isMissing: isOfBusiness && !business,
      code,
      head: renderHead(pageHead(ctx.brand, ctx.config.publicUrl, url.pathname, business ?? null), ctx.brand, data),
      boot: {
        ...makeBoot(ctx, session?.user ?? null, session ? answers : [], request.headers['accept-language']),
        askedFor: session || !business ? null : bootBusiness(business),
      },
    }
  }

  const answerPage = async (request: FastifyRequest, reply: FastifyReply, url: URL) => {
    const { pathname } = url
    await admit(ctx, request, 'page')
    if (!template) throw new AppError('unavailable', { message: 'The web app is not built. Run "npm start".' })
    const { head, boot, code, isMissing, movedTo, renewedCookie, viewerId } = await compose(request, url)
    if (movedTo !== null) return reply.redirect(movedTo, 301)
    const content = boot.user ? undefined : await startPage?.(hasPassedAgeGate(request) && pathname === '/' ? passedStart : pathname)
    if (renewedCookie) reply.header('set-cookie', renewedCookie)
    const page =
      content === undefined || !staticTemplate
        ? template
            // Must follow the app's own styles, because order decides precedence.
            .replace('</head>', () => `${filesFor(files, pathname, boot.user ? code : null)}</head>`)
            .replace('<!--boot-->', () => bootElement(boot))
        : staticTemplate.replace('<!--page-->', () => content)
    const whole = wholePage(appearanceOf(request), page, head)
    return (
      reply
        .status(isMissing ? 404 : 200)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'private, no-cache')
        // The service worker caches pages per person: see web/entities/offline/worker/pages.ts.
        .header('page-viewer', viewerId)
        .send(await compressPage(request, reply, whole))
    )
  }

  const errorPageOf = (error: AppError) => errorPage(template, error, ctx.brand)
  addVisitorPages(app, ctx, { countsOf, renderer, template: staticTemplate, appearanceOf, wholePage, errorPageOf })
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const url = urlOf(request.url)
    if (!isPage || url.pathname.startsWith('/api/') || url.pathname.startsWith('/assets/')) return sendError(request, reply, notFound())
    return answerPage(request, reply, url).catch((thrown: unknown) => {
      const error = toAppError(request, thrown)
      return withError(request, reply, error).type('text/html; charset=utf-8').send(errorPageOf(error))
    })
  })

  // In development, the bundler serves the page and requests its head and first data here.
  if (!ctx.config.isProduction) {
    app.get('/dev/boot', async (request, reply) => {
      const { path: address = '/' } = request.query as { path?: string }
      const { renewedCookie, viewerId, ...page } = await compose(request, urlOf(address.startsWith('/') ? address : '/'))
      if (renewedCookie) reply.header('set-cookie', renewedCookie)
      return page
    })
  }
  return { errorPageOf }
}

/** The URL of the remaining business if this page's business was merged into it. */
function addressAfterMerge({ pathname, search }: URL, { id, slug }: Business): string | null {
  const asked = pathname.split('/')[2]
  return asked === id || asked === slug ? null : `/business/${slug}${search}`
}

/** Combines a page, its head and a browser's settings. */
const wholePage = ({ hasDiscreetName, themeAttributes }: Appearance, page: string, head: string): string =>
  (hasDiscreetName ? discreet(page) : page)
    .replace('<html lang="en">', () => `<html lang="en"${themeAttributes}>`)
    .replace('<!--head-->', () => head)

/** Settings stored in this browser. */
function appearanceOf(request: FastifyRequest): Appearance {
  const { theme, lights, [discreetCookie]: discreetName } = parseCookie(request.headers.cookie ?? '')
  const themeAttribute = themes.has(theme ?? '') ? ` data-theme="${theme}"` : ''
  // Applies only to grow screens.
  const lightsAttribute = lights === 'off' ? ' data-lights="off"' : ''
  return { hasDiscreetName: discreetName === '1', themeAttributes: themeAttribute + lightsAttribute }
}

/** For browsers that add the app to the home screen. */
const discreet = (template: string) =>
  template.replace('/manifest.webmanifest', '/manifest.webmanifest?name=discreet').replace('/apple-touch-icon.png', '/icons/plain-192.png')

const hasPassedAgeGate = (request: FastifyRequest) => confirmedAge(parseCookie(request.headers.cookie ?? '')[ageCookie]) !== null

const yearInSeconds = 365 * 24 * 60 * 60

/**
 * The visitor age gate's form, which works without scripts. Confirming an age changes only this browser's cookie. `age` is the minimum age
 * for the menu that was requested, and `returnTo` leads back there.
 */
function addAgeGate(app: FastifyInstance, ctx: Context): void {
  app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 8192 }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    scope.addHook('onRequest', (request) => admit(ctx, request, 'page'))
    scope.post(ageGatePath, async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      if (form.has('confirmed')) {
        const age = confirmedAge(form.get('age') ?? 'true') ?? minimumAge
        const value = ageCookieFor(age, parseCookie(request.headers.cookie ?? '')[ageCookie])
        reply.header(
          'set-cookie',
          stringifySetCookie({ name: ageCookie, value, path: '/', maxAge: yearInSeconds, sameSite: 'lax', secure: ctx.config.isHttps }),
        )
      }
      return reply.redirect(safeReturnTo(form.get('returnTo')) ?? '/', 303)
    })
  })
}

const bootBusiness = ({ slug, name, type, ...business }: Business): Boot['askedFor'] => ({
  slug,
  name,
  type,
  location: publicLocation({ type, ...business }),
  averageRating: business.averageRating,
  totalRatings: business.totalRatings,
  openNow: business.openNow,
  timeZone: business.timeZone,
  isClaimed: business.isClaimed,
  isDemo: business.isDemo,
})

const passedStart = '/?age-gate=passed'
const startFreshMs = 10 * minuteMs

/**
 * The static pages. `/` shows real places, and `/landing` also real menus and reviews. They are refreshed in the background as long as
 * someone requests the pages. If they can't be read, the pages omit them.
 */
function createStartPages(ctx: Context, renderer: PageRenderer, countsOf: () => Promise<PlaceCounts>) {
  const render = async (content: VisitorPage['content']) =>
    renderer.visitorPage({ now: ctx.clock.now().getTime(), isSignedIn: false, content })

  async function readPages(): Promise<Record<string, string>> {
    const landing = await readLanding(ctx, await countsOf())
    const start = { kind: 'start', cities: landing.cities } as const
    const [gate, passed, page] = await Promise.all([
      render({ ...start, hasPassedAgeGate: false }),
      render({ ...start, hasPassedAgeGate: true }),
      render(landing),
    ])
    return { '/': gate, [passedStart]: passed, '/landing': page }
  }

  const onError = (err: unknown) => ctx.log.error({ err }, 'the start pages could not be read')
  const pages = cacheAndRefresh({
    read: readPages,
    freshMs: startFreshMs,
    // A review that was deleted or hidden in the meantime must not be shown for hours.
    maxAgeMs: hourMs,
    nowMs: () => ctx.clock.now().getTime(),
    onError,
  })
  return async (address: string): Promise<string | undefined> => {
    if (address !== '/' && address !== passedStart && address !== '/landing') return renderer.staticPage(address)
    try {
      return (await pages())[address]
    } catch (error) {
      onError(error)
      return renderer.staticPage(address)
    }
  }
}

const bootElement = (boot: Boot) => `<script id="boot" type="application/json">${scriptJson(boot)}</script>`

/** `code` is what a member's screen needs in addition to its route. Null for visitors. */
function filesFor(files: PageFiles, pathname: string, code: readonly string[] | null): string {
  const route = files.routeKeysAt(pathname)
  if (code) return files.ofScreen(memberFrameKey, ...route, ...code)
  return pathname === '/signup' ? files.ofScreen(...route) : files.ofScreen(authKey)
}

/** A built page. Preloads its two fonts before the style sheet names them. */
function readTemplate(file: string, files: PageFiles): string | null {
  try {
    return fs.readFileSync(file, 'utf8').replace('<!--head-->', `<!--head-->${files.fonts}`)
  } catch {
    return null
  }
}

async function describe(ctx: Context, business: Business): Promise<object | null> {
  const now = ctx.clock.now()
  const { socialLinks } = await shownExtras(ctx.db, business.id, now)
  return businessData(ctx.db, business, socialLinks, { publicUrl: ctx.config.publicUrl, now })
}
