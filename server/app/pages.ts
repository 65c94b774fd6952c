import fs from 'node:fs'
import path from 'node:path'
import { parseCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Business } from '../../contracts/businesses.ts'
import type { Context } from '../kernel/context.ts'
import { AppError, notFound } from '../kernel/errors.ts'
import { makeBoot } from './boot.ts'
import { firstAnswers } from './first-answers.ts'
import { sendError } from './http-errors.ts'
import { pageHead, renderHead } from './page-head.ts'

const themes = new Set(['light', 'dark'])

const isBusinessUrl = (url: string) => /^\/api\/businesses\/[^?/]+$/.test(url)

/** JSON inside a script element: `<` would otherwise be able to end it. */
const scriptJson = (value: unknown) => JSON.stringify(value).replace(/</g, '\\u003c')

/**
 * Answers every address outside of /api with the web app's page, filled with its head and its first answers.
 * The app itself decides what is shown there; what is in the page was read as the viewer.
 */
export function addPages(app: FastifyInstance, ctx: Context, distDir: string): void {
  const template = readTemplate(distDir)

  const compose = async (request: FastifyRequest, address: string) => {
    const url = new URL(address, ctx.config.publicUrl)
    // The session first: should it be due for extension, this read does it and not one of the inner calls, whose cookie is lost.
    const session = await ctx.sessions.read(request.headers.cookie)
    const answers = await firstAnswers(app, request, url)
    const business = answers.find((answer) => isBusinessUrl(answer.url))?.body as Business | undefined
    return {
      renewedCookie: session?.renewedCookie ?? null,
      isMissing: url.pathname.startsWith('/business/') && url.pathname !== '/business/register' && !business,
      head: renderHead(pageHead(ctx.brand, ctx.config.publicUrl, url.pathname, business ?? null)),
      boot: makeBoot(ctx, session?.user ?? null, session ? answers : []),
    }
  }

  app.setNotFoundHandler(async (request: FastifyRequest, reply: FastifyReply) => {
    const isPage = request.method === 'GET' || request.method === 'HEAD'
    const { pathname } = new URL(request.url, ctx.config.publicUrl)
    if (!isPage || pathname.startsWith('/api/') || pathname.startsWith('/assets/')) return sendError(request, reply, notFound())
    if (!template) throw new AppError('unavailable', { message: 'The web app is not built. Run "npm start".' })
    const { head, boot, isMissing, renewedCookie } = await compose(request, request.url)
    if (renewedCookie) reply.header('set-cookie', renewedCookie)
    const theme = parseCookie(request.headers.cookie ?? '').theme
    const html = template
      .replace('<html lang="en">', themes.has(theme ?? '') ? `<html lang="en" data-theme="${theme}">` : '<html lang="en">')
      .replace('<!--head-->', () => head)
      .replace('<!--boot-->', () => `<script id="boot" type="application/json">${scriptJson(boot)}</script>`)
    return reply
      .status(isMissing ? 404 : 200)
      .type('text/html; charset=utf-8')
      .header('cache-control', 'private, no-cache')
      .send(html)
  })

  // In development the page comes from the bundler, which asks for these two parts.
  if (!ctx.config.isProduction) {
    app.get('/dev/boot', async (request, reply) => {
      const { path: address = '/' } = request.query as { path?: string }
      const { renewedCookie, ...page } = await compose(request, address.startsWith('/') ? address : '/')
      if (renewedCookie) reply.header('set-cookie', renewedCookie)
      return page
    })
  }
}

function readTemplate(distDir: string): string | null {
  try {
    return fs.readFileSync(path.join(distDir, 'index.html'), 'utf8')
  } catch {
    return null
  }
}
