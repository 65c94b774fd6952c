import fs from 'node:fs'
import path from 'node:path'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { utcDate } from '../../contracts/age.ts'
import type { Business } from '../../contracts/businesses.ts'
import { businessData } from '../features/public-menu/index.ts'
import type { Context } from '../kernel/context.ts'
import { AppError, notFound } from '../kernel/errors.ts'
import { makeBoot } from './boot.ts'
import { firstAnswers } from './first-answers.ts'
import { sendError } from './http-errors.ts'
import { addOfflinePages } from './offline-pages.ts'
import { pageHead, renderHead, scriptJson } from './page-head.ts'

const themes = new Set(['light', 'dark'])

const isBusinessUrl = (url: string) => /^\/api\/businesses\/[^?/]+$/.test(url)

/**
 * Answers every address outside of /api with the web app's page, filled with its head and its first answers.
 * The app itself decides what is shown there; what is in the page was read as the viewer.
 */
export function addPages(app: FastifyInstance, ctx: Context, distDir: string): void {
  const template = readTemplate(distDir)
  addOfflinePages(app, ctx, template)

  const compose = async (request: FastifyRequest, address: string) => {
    const url = new URL(address, ctx.config.publicUrl)
    // The session first: should it be due for extension, this read does it and not one of the inner calls, whose cookie is lost.
    const session = await ctx.sessions.read(request.headers.cookie, { evenOwing: true })
    const answers = await firstAnswers(app, request, url)
    const business = answers.find((answer) => isBusinessUrl(answer.url))?.body as Business | undefined
    const today = utcDate(ctx.clock.now())
    const data = business ? await businessData(ctx.db, business, ctx.config.publicUrl, today) : null
    return {
      renewedCookie: session?.renewedCookie ?? null,
      // Whoever owes the second factor sees the question for it: nothing to be kept for them.
      viewerId: session && !session.actor.owesSecondFactor ? session.user.id : 'none',
      isMissing: url.pathname.startsWith('/business/') && url.pathname !== '/business/register' && !business,
      head: renderHead(pageHead(ctx.brand, ctx.config.publicUrl, url.pathname, business ?? null), data),
      boot: makeBoot(ctx, session?.user ?? null, session ? answers : []),
    }
  }

  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const { pathname } = new URL(request.url, ctx.config.publicUrl)
    if (!isPage || pathname.startsWith('/api/') || pathname.startsWith('/assets/')) return sendError(request, reply, notFound())
    if (!template) throw new AppError('unavailable', { message: 'The web app is not built. Run "npm start".' })
    const { head, boot, isMissing, renewedCookie, viewerId } = await compose(request, request.url)
    if (renewedCookie) reply.header('set-cookie', renewedCookie)
    const html = template
      .replace('<html lang="en">', () => `<html lang="en"${lookOf(request)}>`)
      .replace('<!--head-->', () => head)
      .replace('<!--boot-->', () => `<script id="boot" type="application/json">${scriptJson(boot)}</script>`)
    return (
      reply
        .status(isMissing ? 404 : 200)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'private, no-cache')
        // What the service worker keeps of one person is not for another: see web/features/offline/worker/pages.ts.
        .header('page-viewer', viewerId)
        .send(html)
    )
  })

  // In development the page comes from the bundler, which asks for these two parts.
  if (!ctx.config.isProduction) {
    app.get('/dev/boot', async (request, reply) => {
      const { path: address = '/' } = request.query as { path?: string }
      const { renewedCookie, viewerId, ...page } = await compose(request, address.startsWith('/') ? address : '/')
      if (renewedCookie) reply.header('set-cookie', renewedCookie)
      return page
    })
  }
}

/** What this device has chosen of the page's look; `lights` comes with the growing screens alone. */
function lookOf(request: FastifyRequest): string {
  const { theme, lights } = parseCookie(request.headers.cookie ?? '')
  return (themes.has(theme ?? '') ? ` data-theme="${theme}"` : '') + (lights === 'off' ? ' data-lights="off"' : '')
}

/** The built page, with its two fonts asked for before the style sheet names them. */
function readTemplate(distDir: string): string | null {
  try {
    const html = fs.readFileSync(path.join(distDir, 'index.html'), 'utf8')
    return html.replace('<!--head-->', `<!--head-->${fontPreloads(distDir)}`)
  } catch {
    return null
  }
}

const firstFonts = ['ui/fonts/inter.woff2', 'ui/fonts/fraunces.woff2']

function fontPreloads(distDir: string): string {
  const file = path.join(distDir, '.vite/manifest.json')
  if (!fs.existsSync(file)) return ''
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, { file: string } | undefined>
  return firstFonts
    .flatMap((font) => manifest[font]?.file ?? [])
    .map((href) => `<link rel="preload" href="/${href}" as="font" type="font/woff2" crossorigin>`)
    .join('')
}
