import type { FastifyInstance, FastifyReply } from 'fastify'
import { discreetName } from '../../contracts/discreet-name.ts'
import type { Context } from '../kernel/context.ts'
import { AppError } from '../kernel/errors.ts'
import { escapeHtml } from '../kernel/escape-html.ts'
import { makeBoot } from './boot.ts'
import { scriptJson } from './page-head.ts'

/** The colors of the ground in tokens.css, as a manifest and a phone's status bar take them. A test holds them together. */
export const groundColors = { light: '#fbfaf6', dark: '#0c1711' }

/** What browsers and phones ask of an app that can be installed and opened without a network. The same for everybody: no session is read. */
export function addOfflinePages(app: FastifyInstance, ctx: Context, template: string | null): void {
  const { brand } = ctx

  app.get('/manifest.webmanifest', (request, reply) => {
    const isDiscreet = (request.query as { name?: unknown }).name === 'discreet'
    const icon = (name: string) => `/icons/${isDiscreet ? 'plain-' : ''}${name}.png`
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send({
        // The same app by either name: a browser changes the one that is installed.
        id: '/',
        name: isDiscreet ? discreetName : brand.name,
        short_name: isDiscreet ? discreetName : brand.name,
        description: isDiscreet ? '' : brand.tagline,
        start_url: '/',
        scope: '/',
        display: 'standalone',
        background_color: groundColors.light,
        theme_color: groundColors.light,
        ...(isDiscreet ? {} : { categories: ['business', 'lifestyle'] }),
        icons: [
          { src: icon('192'), sizes: '192x192', type: 'image/png' },
          { src: icon('512'), sizes: '512x512', type: 'image/png' },
          { src: icon('maskable'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
        ],
        shortcuts: isDiscreet ? [] : [{ name: 'Pheno hunts', url: '/pheno-hunt', icons: [{ src: icon('192'), sizes: '192x192' }] }],
      })
  })

  /** The app's page without a viewer and without answers: the service worker keeps it, and puts in whose device it is. */
  app.get('/offline/shell', (request, reply) => {
    const boot = scriptJson(makeBoot(ctx, null, [], request.headers['accept-language']))
    return sendPage(
      reply,
      template
        ?.replace('<!--head-->', () => `<title>${escapeHtml(brand.name)}</title>`)
        .replace('<!--boot-->', () => `<script id="boot" type="application/json">${boot}</script>`),
    )
  })

  /** What stands in for every other page where there is no network: a few words that need no script. */
  app.get('/offline/page', (_request, reply) => sendPage(reply, template && offlinePage(template, brand.name)))
}

function sendPage(reply: FastifyReply, html: string | null | undefined) {
  if (!html) throw new AppError('unavailable', { message: 'The web app is not built. Run "npm start".' })
  return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(html)
}

function offlinePage(template: string, brandName: string): string {
  const styles = (template.match(/<link rel="stylesheet"[^>]*>/g) ?? []).join('')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
    <title>Offline · ${escapeHtml(brandName)}</title>${styles}
    <link rel="stylesheet" href="/offline.css" />
  </head>
  <body>
    <main class="offline-page">
      <img src="/favicon.svg" alt="" width="64" height="64" />
      <h1>You are offline</h1>
      <p>This page needs a network.</p>
      <p class="offline-kept">Your hunts and their last logs are on this device, and what you write there is sent later.</p>
      <p class="offline-ways">
        <a class="offline-kept" href="/pheno-hunt">Open your hunts</a>
        <a class="offline-again" href="">Try again</a>
      </p>
    </main>
  </body>
</html>
`
}
