import fs from 'node:fs'
import path from 'node:path'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { utcDate } from '#contracts/age.ts'
import type { Boot } from '#contracts/boot.ts'
import type { Business } from '#contracts/businesses.ts'
import { discreetCookie } from '#contracts/discreet-name.ts'
import { textPages } from '#contracts/text-pages.ts'
import { businessData } from '#server/features/public-menu/index.ts'
import { admit } from '#server/kernel/admit.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError, notFound } from '#server/kernel/errors.ts'
import { makeBoot } from './boot.ts'
import { compressPage } from './compress-page.ts'
import { createFirstHtml } from './first-html.ts'
import { sendError, toAppError, withError } from './http-errors.ts'
import { addOfflinePages, errorPage } from './offline-pages.ts'
import { authKey, landingHeaderKey, memberFrameKey, type PageFiles, readPageFiles, routeKey } from './page-files.ts'
import { firstAnswers, pageHead, renderHead, scriptJson } from './page-head.ts'
import { createPrerender } from './prerender.ts'

const themes = new Set(['light', 'dark'])

const isBusinessUrl = (url: string) => /^\/api\/businesses\/[^?/]+$/.test(url)

/**
 * Serves the web app's page, with its head and first data, for every URL outside of /api. The app decides what to show there; the data
 * was read as the viewer. `errorPageOf` renders a page that explains why none can be shown now.
 */
export function addPages(app: FastifyInstance, ctx: Context, distDir: string): { errorPageOf(error: AppError): string } {
  const files = readPageFiles(distDir)
  const template = readTemplate(distDir, files)
  addOfflinePages(app, ctx, template)
  const prerender = createPrerender(distDir, ctx.config.publicUrl, makeBoot(ctx, null, []), ctx.log)
  const firstHtml = createFirstHtml(prerender, ctx.brand.slug)
  app.addHook('onReady', async () => void firstHtml.warmUp(makeBoot(ctx, null, [])))
  app.addHook('onClose', () => prerender.stop())

  /** Concatenated instead of resolved: a path starting with "//" would otherwise become another host. */
  const urlOf = (address: string) => new URL(address.startsWith('/') ? ctx.config.publicUrl + address : address, ctx.config.publicUrl)

  const compose = async (request: FastifyRequest, url: URL) => {
    // Read the session first: if it is due for renewal, this call must renew it, because the inner calls' cookies are lost.
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const answers = await firstAnswers(app, request, url)
    const business = answers.find((answer) => isBusinessUrl(answer.url))?.body as Business | undefined
    const today = utcDate(ctx.clock.now())
    const data = business ? await businessData(ctx.db, business, ctx.config.publicUrl, today) : null
    return {
      renewedCookie: session?.renewedCookie ?? null,
      // A viewer who must still show the second factor sees only its prompt, so nothing is cached for them.
      viewerId: session && !session.actor.owesSecondFactor ? session.user.id : 'none',
      isMissing: url.pathname.startsWith('/business/') && url.pathname !== '/business/register' && !business,
      head: renderHead(pageHead(ctx.brand, ctx.config.publicUrl, url.pathname, business ?? null), ctx.brand, data),
      boot: makeBoot(ctx, session?.user ?? null, session ? answers : [], request.headers['accept-language']),
    }
  }

  const answerPage = async (request: FastifyRequest, reply: FastifyReply, url: URL) => {
    const { pathname } = url
    await admit(ctx, request, 'page')
    if (!template) throw new AppError('unavailable', { message: 'The web app is not built. Run "npm start".' })
    const { head, boot, isMissing, renewedCookie, viewerId } = await compose(request, url)
    const { html, now } = await firstHtml.at(url, boot)
    if (renewedCookie) reply.header('set-cookie', renewedCookie)
    // After the app's own styles, because their order decides precedence.
    const whole = template.replace('</head>', () => `${filesFor(files, pathname, boot.user !== null)}</head>`)
    const ready = html ? afterPaint(whole, files.start) : whole
    const page = (hasDiscreetName(request) ? discreet(ready) : ready)
      .replace('<html lang="en">', () => `<html lang="en"${lookOf(request)}>`)
      .replace('<!--head-->', () => head)
      .replace('<!--boot-->', () => bootElement({ ...boot, now: html ? now : null }))
      .replace(emptyRoot, () => `<div id="root"${html && ' data-ahead'}>${html}</div>`)
    return (
      reply
        .status(isMissing ? 404 : 200)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'private, no-cache')
        // The service worker's cache is per person: see web/entities/offline/worker/pages.ts.
        .header('page-viewer', viewerId)
        .send(await compressPage(request, reply, page))
    )
  }

  const errorPageOf = (error: AppError) => errorPage(template, error, ctx.brand)
  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const url = urlOf(request.url)
    if (!isPage || url.pathname.startsWith('/api/') || url.pathname.startsWith('/assets/')) return sendError(request, reply, notFound())
    return answerPage(request, reply, url).catch((thrown: unknown) => {
      const error = toAppError(request, thrown)
      return withError(request, reply, error).type('text/html; charset=utf-8').send(errorPageOf(error))
    })
  })

  // In development the bundler serves the page and requests these two parts.
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

/** Appearance settings stored on this device; `lights` applies only to grow screens. */
function lookOf(request: FastifyRequest): string {
  const { theme, lights } = parseCookie(request.headers.cookie ?? '')
  return (themes.has(theme ?? '') ? ` data-theme="${theme}"` : '') + (lights === 'off' ? ' data-lights="off"' : '')
}

const hasDiscreetName = (request: FastifyRequest) => parseCookie(request.headers.cookie ?? '')[discreetCookie] === '1'

/** Used by browsers when adding the app to the home screen. */
const discreet = (template: string) =>
  template.replace('/manifest.webmanifest', '/manifest.webmanifest?name=discreet').replace('/apple-touch-icon.png', '/icons/plain-192.png')

const emptyRoot = '<div id="root"></div>'

/** Loads the app's code after the HTML is painted. See `web/start.ts`. */
const afterPaint = (page: string, start: string) =>
  page
    .replace(
      /<script type="module"([^>]*) src="([^"]+)"/,
      (_tag, rest: string, app: string) => `<script type="module"${rest} src="${start}" data-app="${app}"`,
    )
    .replaceAll('<link rel="modulepreload"', '<link data-rel="modulepreload"')

const bootElement = (boot: Boot) => `<script id="boot" type="application/json">${scriptJson(boot)}</script>`

function filesFor(files: PageFiles, pathname: string, isMember: boolean): string {
  const name = pathname === '/' ? 'index' : pathname.slice(1)
  if (isMember) {
    const screen = pathname.startsWith('/business/') ? `${routeKey('business.$id')}---loader` : routeKey(name)
    return files.ofScreen(memberFrameKey, screen)
  }
  if (pathname === '/landing') return files.ofScreen(landingHeaderKey, routeKey(name))
  return visitorPages.has(pathname) ? files.ofScreen(routeKey(name)) : pathname === '/' ? '' : files.ofScreen(authKey)
}

const visitorPages = new Set([...textPages, '/signup'])

/**
 * The built page. Preloads its two fonts before the style sheet names them. The app's code comes after the prerendered content,
 * which doesn't need it.
 */
function readTemplate(distDir: string, files: PageFiles): string | null {
  try {
    const html = fs.readFileSync(path.join(distDir, 'index.html'), 'utf8')
    return html
      .replace('<!--head-->', `<!--head-->${files.fonts}`)
      .replace(/<(script type="module"|link rel="modulepreload")/g, '<$1 fetchpriority="low"')
  } catch {
    return null
  }
}
